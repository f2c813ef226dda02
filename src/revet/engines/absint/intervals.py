"""Intervals: ``[low, high]``, either end possibly infinite (Cousot, Cousot 1976)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, inf
from typing import NamedTuple

from revet.engines.absint.domain import EITHER, MAYBE_FALSE, MAYBE_TRUE, Domain, Number
from revet.logic.arith import le
from revet.logic.core import and_, const, eq
from revet.logic.terms import TRUE, Term

End = int | Fraction | float  # a float only if infinite


class Interval(NamedTuple):
    low: End
    high: End


TOP = Interval(-inf, inf)


def _plus(left: End, right: End) -> End:
    # Infinity plus a huge integer would overflow, so the float is kept out of the arithmetic.
    if isinstance(left, float):
        return left
    return right if isinstance(right, float) else left + right


def _times(left: End, right: End) -> End:
    if left == 0 or right == 0:
        return 0
    if isinstance(left, float) or isinstance(right, float):
        return inf if (left > 0) == (right > 0) else -inf
    return left * right


def _floor(end: End) -> End:
    return end if isinstance(end, float) else floor(end)


class Intervals(Domain[Interval]):
    name = "intervals"
    top = TOP

    def constant(self, number: Number) -> Interval:
        return Interval(number, number)

    def contains(self, value: Interval, number: Number) -> bool:
        return value.low <= number <= value.high

    def to_formula(self, term: Term, value: Interval) -> Term:
        low, high = value
        if low == high and not isinstance(low, float):
            return eq(term, const(low, term.sort))
        return and_(
            TRUE if isinstance(low, float) else le(const(low, term.sort), term),
            TRUE if isinstance(high, float) else le(term, const(high, term.sort)),
        )

    def show(self, name: str, value: Interval) -> str:
        low, high = value
        if low == high:
            return f"{name} = {low}"
        if isinstance(low, float):
            return f"{name} <= {high}"
        return f"{name} >= {low}" if isinstance(high, float) else f"{low} <= {name} <= {high}"

    def join(self, left: Interval, right: Interval) -> Interval:
        return Interval(min(left.low, right.low), max(left.high, right.high))

    def meet(self, left: Interval, right: Interval) -> Interval | None:
        low, high = max(left.low, right.low), min(left.high, right.high)
        return Interval(low, high) if low <= high else None

    def widen(self, old: Interval, new: Interval, thresholds: Sequence[Number]) -> Interval:
        """An end that moved goes to the next threshold."""
        low, high = old
        if new.low < low:
            place = bisect_right(thresholds, new.low) - 1
            low = thresholds[place] if place >= 0 else -inf
        if new.high > high:
            place = bisect_left(thresholds, new.high)
            high = thresholds[place] if place < len(thresholds) else inf
        return Interval(low, high)

    def narrow(self, old: Interval, new: Interval) -> Interval:
        """Only infinite ends improve."""
        return Interval(
            new.low if isinstance(old.low, float) else old.low,
            new.high if isinstance(old.high, float) else old.high,
        )

    def add(self, left: Interval, right: Interval) -> Interval:
        return Interval(_plus(left.low, right.low), _plus(left.high, right.high))

    def mul(self, left: Interval, right: Interval) -> Interval:
        ends = [_times(a, b) for a in left for b in right]
        return Interval(min(ends), max(ends))

    def div(self, left: Interval, right: Interval) -> Interval:
        if right.low > 0 and left.low >= 0:
            # the quotient grows with the dividend and shrinks with the divisor
            low = 0 if isinstance(right.high, float) else _quotient(left.low, right.high)
            return Interval(low, _quotient(left.high, right.low))
        if right.low == right.high and right.low != 0:
            divisor = max(right.low, -right.low)
            ends = [_quotient(end, divisor) for end in left]
            return Interval(*ends) if right.low > 0 else Interval(-ends[1], -ends[0])
        # never further from zero than the dividend; 0 if the divisor is 0
        bound = max(-left.low, left.high, 0)
        return Interval(0 if left.low >= 0 and right.low >= 0 else -bound, bound)

    def mod(self, left: Interval, right: Interval) -> Interval:
        largest = max(-right.low, right.high)
        result = Interval(0, _plus(largest, -1) if largest > 0 else 0)
        if right.low == right.high and right.low != 0 and not isinstance(largest, float):
            low, high = _quotient(left.low, largest), _quotient(left.high, largest)
            if low == high and not isinstance(low, float):
                shift = -largest * low
                return Interval(_plus(left.low, shift), _plus(left.high, shift))
        if left.low >= 0:
            result = Interval(0, min(result.high, left.high))
        return self.join(result, left) if right.low <= 0 <= right.high else result

    def rdiv(self, left: Interval, right: Interval) -> Interval:
        if right.low == right.high and right.low != 0:
            return self.mul(left, self.constant(1 / Fraction(right.low)))
        return TOP

    def floor(self, value: Interval) -> Interval:
        return Interval(_floor(value.low), _floor(value.high))

    def at_most(self, left: Interval, right: Interval) -> int:
        if left.high <= right.low:
            return MAYBE_TRUE
        return MAYBE_FALSE if left.low > right.high else EITHER

    def below(self, value: Interval, *, strict: bool, integer: bool) -> Interval:
        return Interval(-inf, _plus(value.high, -1) if strict and integer else value.high)

    def above(self, value: Interval, *, strict: bool, integer: bool) -> Interval:
        return Interval(_plus(value.low, 1) if strict and integer else value.low, inf)

    def without(self, value: Interval, other: Interval, *, integer: bool) -> Interval | None:
        low, high = value
        if other.low != other.high:
            return value
        if low == high == other.low:
            return None
        if integer:
            low = _plus(low, 1) if low == other.low else low
            high = _plus(high, -1) if high == other.low else high
        return Interval(low, high)

    def quotient(self, value: Interval, factor: Number, *, integer: bool) -> Interval | None:
        low, high = value if factor > 0 else (value.high, value.low)
        low = low / Fraction(factor) if not isinstance(low, float) else (-inf)
        high = high / Fraction(factor) if not isinstance(high, float) else inf
        if integer:
            low = low if isinstance(low, float) else ceil(low)
            high = _floor(high)
        return Interval(low, high) if low <= high else None


def _quotient(end: End, divisor: End) -> End:
    """Floor of an end by a finite positive divisor."""
    if isinstance(end, float) or isinstance(divisor, float):
        return end
    return end // divisor
