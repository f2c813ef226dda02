"""What the fixpoint iteration needs to know about abstract states, and the states of domains that see each
variable by itself.

None in place of a state: no run is there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from revet.engines.absint import states
from revet.engines.absint.backward import BackwardTransfer
from revet.engines.absint.domain import Domain, Number
from revet.engines.absint.states import State
from revet.engines.absint.transfer import Transfer
from revet.logic.terms import Term
from revet.model.statements import Statement

S = TypeVar("S")


class Lattice(ABC, Generic[S]):
    """Abstract states and what statements do to them. States compare by ``==``."""

    @abstractmethod
    def start(self, precondition: Term) -> S | None:
        """All states that satisfy the condition."""

    @abstractmethod
    def run(self, statements: Sequence[Statement], state: S) -> S | None:
        """All states after the statements; of a backward analysis, before them."""

    @abstractmethod
    def join(self, left: S | None, right: S | None) -> S | None: ...

    @abstractmethod
    def meet(self, left: S | None, right: S | None) -> S | None: ...

    @abstractmethod
    def below(self, left: S | None, right: S | None) -> bool: ...

    @abstractmethod
    def widen(self, old: S, new: S, thresholds: Sequence[Number]) -> S:
        """Contains both; only finitely many times different from ``old``."""

    @abstractmethod
    def narrow(self, old: S, new: S) -> S:
        """Between ``new`` and ``old`` (``new`` is below ``old``), in finitely many steps."""

    @abstractmethod
    def value(self, state: S, variable: Term) -> Any:
        """The variable's value in the domain of single variables."""

    @abstractmethod
    def formula(self, state: S | None) -> Term: ...

    @abstractmethod
    def show(self, state: S | None) -> str: ...


class Single(Lattice[State]):
    """Every variable by itself, in one domain of numbers."""

    def __init__(self, domain: Domain[Any], backward: bool) -> None:
        self._domain = domain
        self._forward = Transfer(domain)
        self._transfer = BackwardTransfer(domain) if backward else self._forward

    def start(self, precondition: Term) -> State | None:
        return self._forward.assume(precondition, {})

    def run(self, statements: Sequence[Statement], state: State) -> State | None:
        return self._transfer.run(statements, state)

    def join(self, left: State | None, right: State | None) -> State | None:
        return states.join(self._domain, left, right)

    def meet(self, left: State | None, right: State | None) -> State | None:
        return states.meet(self._domain, left, right)

    def below(self, left: State | None, right: State | None) -> bool:
        return states.below(self._domain, left, right)

    def widen(self, old: State, new: State, thresholds: Sequence[Number]) -> State:
        return states.widen(self._domain, old, new, thresholds)

    def narrow(self, old: State, new: State) -> State:
        return states.narrow(self._domain, old, new)

    def value(self, state: State, variable: Term) -> Any:
        return state.get(variable, states.top_of(self._domain, variable))

    def formula(self, state: State | None) -> Term:
        return states.to_formula(self._domain, state)

    def show(self, state: State | None) -> str:
        return states.show(self._domain, state)
