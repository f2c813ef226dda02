"""What the analysis needs of an abstract domain of numbers.

A domain's values each stand for a set of numbers (integers or reals). Every operation is an
over-approximation: its result contains what the operation yields for all members of its
arguments. Operators mean what :mod:`revet.logic.semantics` says: integer division leaves a remainder
that is never negative, and dividing by zero gives 0 (``mod`` by zero: the first argument).

The empty set has no value: operations that may yield it return None.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from revet.logic.terms import Term

Number = int | Fraction
V = TypeVar("V")

# The possible truth values of a formula, as a set of bits.
MAYBE_FALSE, MAYBE_TRUE, EITHER = 1, 2, 3


def truth(value: bool) -> int:
    return MAYBE_TRUE if value else MAYBE_FALSE


class Domain(ABC, Generic[V]):
    """A lattice of number sets. Values are immutable and compare by ``==``."""

    name: str
    top: V

    @abstractmethod
    def constant(self, number: Number) -> V: ...

    @abstractmethod
    def contains(self, value: V, number: Number) -> bool:
        """Is the number a member? (The meaning of a value; tests rely on it.)"""

    @abstractmethod
    def to_formula(self, term: Term, value: V) -> Term:
        """The formula: the value of ``term`` is a member."""

    @abstractmethod
    def show(self, name: str, value: V) -> str:
        """For people: what is known of the variable called ``name``."""

    # The lattice

    @abstractmethod
    def join(self, left: V, right: V) -> V: ...

    @abstractmethod
    def meet(self, left: V, right: V) -> V | None: ...

    def widen(self, old: V, new: V, thresholds: Sequence[Number]) -> V:
        """At least the join, and only finitely many times different from ``old``."""
        return self.join(old, new)

    def narrow(self, old: V, new: V) -> V:
        """Between ``new`` and ``old`` (``new`` is below ``old``), in finitely many steps."""
        return new

    # Operators

    @abstractmethod
    def add(self, left: V, right: V) -> V: ...

    @abstractmethod
    def mul(self, left: V, right: V) -> V: ...

    @abstractmethod
    def div(self, left: V, right: V) -> V: ...

    @abstractmethod
    def mod(self, left: V, right: V) -> V: ...

    @abstractmethod
    def rdiv(self, left: V, right: V) -> V: ...

    @abstractmethod
    def floor(self, value: V) -> V: ...

    # Comparisons: what they can yield, and which numbers can satisfy them

    @abstractmethod
    def at_most(self, left: V, right: V) -> int:
        """The possible truth values of ``left <= right``."""

    @abstractmethod
    def below(self, value: V, *, strict: bool, integer: bool) -> V:
        """The numbers that are at most (``strict``: less than) some member."""

    @abstractmethod
    def above(self, value: V, *, strict: bool, integer: bool) -> V: ...

    @abstractmethod
    def without(self, value: V, other: V, *, integer: bool) -> V | None:
        """``value`` less the one member of ``other``, if it has exactly one."""

    @abstractmethod
    def quotient(self, value: V, factor: Number, *, integer: bool) -> V | None:
        """The numbers whose product with ``factor`` (not 0) is a member."""

    def equal(self, left: V, right: V) -> int:
        """The possible truth values of ``left = right``."""
        if self.meet(left, right) is None:
            return MAYBE_FALSE
        orders = self.at_most(left, right), self.at_most(right, left)
        return MAYBE_TRUE if orders == (MAYBE_TRUE, MAYBE_TRUE) else EITHER
