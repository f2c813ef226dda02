"""Constants: one number, or any (Kildall 1973)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Final

from revet.engines.absint.domain import EITHER, Domain, Number, truth
from revet.logic.core import const, eq
from revet.logic.terms import TRUE, Term


class Any:
    """The value that stands for all numbers."""

    def __repr__(self) -> str:
        return "any"


ANY: Final = Any()
Constant = int | Fraction | Any


def _both(operation: Callable[[Number, Number], Number]) -> Callable[[Constant, Constant], Constant]:
    def lifted(left: Constant, right: Constant) -> Constant:
        return ANY if isinstance(left, Any) or isinstance(right, Any) else operation(left, right)

    return lifted


@_both
def _add(left: Number, right: Number) -> Number:
    return left + right


@_both
def _div(left: Number, right: Number) -> Number:
    """The remainder is never negative: rounds down for a positive divisor, up for a negative one."""
    if right == 0:
        return 0
    return left // right if right > 0 else -(left // -right)


@_both
def _mod(left: Number, right: Number) -> Number:
    return left if right == 0 else left % max(right, -right)


@_both
def _rdiv(left: Number, right: Number) -> Number:
    return Fraction(0) if right == 0 else Fraction(left) / right


class Constants(Domain[Constant]):
    name = "constants"
    top = ANY

    def constant(self, number: Number) -> Constant:
        return number

    def contains(self, value: Constant, number: Number) -> bool:
        return isinstance(value, Any) or value == number

    def to_formula(self, term: Term, value: Constant) -> Term:
        return TRUE if isinstance(value, Any) else eq(term, const(value, term.sort))

    def show(self, name: str, value: Constant) -> str:
        return f"{name} {value}" if isinstance(value, Any) else f"{name} = {value}"

    def join(self, left: Constant, right: Constant) -> Constant:
        return left if left == right else ANY

    def meet(self, left: Constant, right: Constant) -> Constant | None:
        if isinstance(left, Any):
            return right
        return left if isinstance(right, Any) or left == right else None

    def add(self, left: Constant, right: Constant) -> Constant:
        return _add(left, right)

    def mul(self, left: Constant, right: Constant) -> Constant:
        if left == 0 or right == 0:
            return 0
        return ANY if isinstance(left, Any) or isinstance(right, Any) else left * right

    def div(self, left: Constant, right: Constant) -> Constant:
        return _div(left, right)

    def mod(self, left: Constant, right: Constant) -> Constant:
        return _mod(left, right)

    def rdiv(self, left: Constant, right: Constant) -> Constant:
        return _rdiv(left, right)

    def floor(self, value: Constant) -> Constant:
        return value if isinstance(value, Any) else floor(value)

    def at_most(self, left: Constant, right: Constant) -> int:
        if isinstance(left, Any) or isinstance(right, Any):
            return EITHER
        return truth(left <= right)

    def below(self, value: Constant, *, strict: bool, integer: bool) -> Constant:
        return ANY

    def above(self, value: Constant, *, strict: bool, integer: bool) -> Constant:
        return ANY

    def without(self, value: Constant, other: Constant, *, integer: bool) -> Constant | None:
        return None if value == other and not isinstance(value, Any) else value

    def quotient(self, value: Constant, factor: Number, *, integer: bool) -> Constant | None:
        if isinstance(value, Any):
            return ANY
        exact = Fraction(value) / factor
        if not integer:
            return exact
        return exact.numerator if exact.denominator == 1 else None
