"""Signs: sets of {negative, zero, positive}, all eight of them (so also *not zero*)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from revet.engines.absint.domain import EITHER, MAYBE_FALSE, MAYBE_TRUE, Domain, Number
from revet.logic.arith import ge, gt, le, lt
from revet.logic.core import const, eq, not_
from revet.logic.terms import FALSE, TRUE, Term

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE
_SYMBOLS = {
    0: "in no set", NEGATIVE: "< 0", ZERO: "= 0", POSITIVE: "> 0", NEGATIVE | ZERO: "<= 0",
    ZERO | POSITIVE: ">= 0", NEGATIVE | POSITIVE: "!= 0", ANY: "any",
}


def _sign(number: Number) -> int:
    return NEGATIVE if number < 0 else ZERO if number == 0 else POSITIVE


def _each(operation: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """Lift an operation on single signs to sets of them."""

    @cache
    def lifted(left: int, right: int) -> int:
        result = 0
        for a in (NEGATIVE, ZERO, POSITIVE):
            for b in (NEGATIVE, ZERO, POSITIVE):
                if left & a and right & b:
                    result |= operation(a, b)
        return result

    return lifted


@_each
def _add(a: int, b: int) -> int:
    if ZERO in (a, b):
        return a if b == ZERO else b
    return a if a == b else ANY


@_each
def _mul(a: int, b: int) -> int:
    if ZERO in (a, b):
        return ZERO
    return POSITIVE if a == b else NEGATIVE


@_each
def _div(a: int, b: int) -> int:
    if ZERO in (a, b):
        return ZERO
    if a == POSITIVE:  # rounds to zero
        return ZERO | b
    return POSITIVE if b == NEGATIVE else NEGATIVE  # rounds away from it


@_each
def _mod(a: int, b: int) -> int:
    return a if ZERO in (a, b) else ZERO | POSITIVE


@_each
def _at_most(a: int, b: int) -> int:
    if a != b:
        return MAYBE_TRUE if a < b else MAYBE_FALSE
    return MAYBE_TRUE if a == ZERO else EITHER


class Signs(Domain[int]):
    name = "signs"
    top = ANY

    def constant(self, number: Number) -> int:
        return _sign(number)

    def contains(self, value: int, number: Number) -> bool:
        return bool(value & _sign(number))

    def to_formula(self, term: Term, value: int) -> Term:
        zero = const(0, term.sort)
        match value:
            case 0:
                return FALSE
            case 1:
                return lt(term, zero)
            case 2:
                return eq(term, zero)
            case 3:
                return le(term, zero)
            case 4:
                return gt(term, zero)
            case 5:
                return not_(eq(term, zero))
            case 6:
                return ge(term, zero)
            case _:
                return TRUE

    def show(self, name: str, value: int) -> str:
        return f"{name} {_SYMBOLS[value]}"

    def join(self, left: int, right: int) -> int:
        return left | right

    def meet(self, left: int, right: int) -> int | None:
        return left & right or None

    def add(self, left: int, right: int) -> int:
        return _add(left, right)

    def mul(self, left: int, right: int) -> int:
        return _mul(left, right)

    def div(self, left: int, right: int) -> int:
        return _div(left, right)

    def mod(self, left: int, right: int) -> int:
        return _mod(left, right)

    def rdiv(self, left: int, right: int) -> int:
        return _mul(left, right)

    def floor(self, value: int) -> int:
        return value | ZERO if value & POSITIVE else value

    def at_most(self, left: int, right: int) -> int:
        return _at_most(left, right)

    def below(self, value: int, *, strict: bool, integer: bool) -> int:
        if value & POSITIVE:
            return ANY
        if value & ZERO:
            return NEGATIVE if strict else NEGATIVE | ZERO
        return NEGATIVE

    def above(self, value: int, *, strict: bool, integer: bool) -> int:
        if value & NEGATIVE:
            return ANY
        if value & ZERO:
            return POSITIVE if strict else ZERO | POSITIVE
        return POSITIVE

    def without(self, value: int, other: int, *, integer: bool) -> int | None:
        return (value & ~ZERO or None) if other == ZERO else value

    def quotient(self, value: int, factor: Number, *, integer: bool) -> int | None:
        return _mul(value, _sign(factor))
