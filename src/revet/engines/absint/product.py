"""Intervals and signs together; what one knows improves the other.

Signs add *not zero* to intervals, which matters for divisors and loop exits. Constants are intervals
already. The reduction is needed once after each operation: an interval that ends at zero loses the
zero where the sign excludes it, a sign the interval excludes is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from revet.engines.absint.domain import EITHER, Domain, Number
from revet.engines.absint.intervals import Interval, Intervals
from revet.engines.absint.signs import ANY, NEGATIVE, POSITIVE, ZERO, Signs
from revet.logic.core import and_
from revet.logic.terms import Term

_INTERVALS, _SIGNS = Intervals(), Signs()


class Both(NamedTuple):
    interval: Interval
    sign: int


def _reduced(interval: Interval | None, sign: int | None, integer: bool = False) -> Both | None:
    if interval is None or sign is None:
        return None
    low, high = interval
    possible = (NEGATIVE * (low < 0)) | (ZERO * (low <= 0 <= high)) | (POSITIVE * (high > 0))
    sign &= possible
    if sign == 0:
        return None
    if sign != possible:
        least = 1 if integer else 0  # the least number that is not zero, for the closed interval
        if not sign & NEGATIVE:
            low = max(low, 0 if sign & ZERO else least)
        if not sign & POSITIVE:
            high = min(high, 0 if sign & ZERO else -least)
        if low > high:
            return None
    return Both(Interval(low, high), sign)


class Product(Domain[Both]):
    name = "product"
    top = Both(_INTERVALS.top, ANY)

    def _both(self, interval: Interval, sign: int) -> Both:
        found = _reduced(interval, sign)
        # Both contain the result of the operation, so they cannot be disjoint; stay sound if an
        # operation on an impossible pair of arguments makes them so.
        return self.top if found is None else found

    def constant(self, number: Number) -> Both:
        return Both(_INTERVALS.constant(number), _SIGNS.constant(number))

    def contains(self, value: Both, number: Number) -> bool:
        return _INTERVALS.contains(value.interval, number) and _SIGNS.contains(value.sign, number)

    def to_formula(self, term: Term, value: Both) -> Term:
        interval = _INTERVALS.to_formula(term, value.interval)
        implied = self._both(value.interval, ANY).sign
        return interval if implied == value.sign else and_(interval, _SIGNS.to_formula(term, value.sign))

    def show(self, name: str, value: Both) -> str:
        if value.interval == _INTERVALS.top:
            return _SIGNS.show(name, value.sign)
        text = _INTERVALS.show(name, value.interval)
        implied = self._both(value.interval, ANY).sign
        return text if implied == value.sign else f"{text}, {_SIGNS.show(name, value.sign)}"

    def join(self, left: Both, right: Both) -> Both:
        return Both(_INTERVALS.join(left.interval, right.interval), left.sign | right.sign)

    def meet(self, left: Both, right: Both) -> Both | None:
        interval = _INTERVALS.meet(left.interval, right.interval)
        return _reduced(interval, _SIGNS.meet(left.sign, right.sign))

    def widen(self, old: Both, new: Both, thresholds: Sequence[Number]) -> Both:
        # No reduction: it could undo the widening.
        return Both(_INTERVALS.widen(old.interval, new.interval, thresholds), old.sign | new.sign)

    def narrow(self, old: Both, new: Both) -> Both:
        return Both(_INTERVALS.narrow(old.interval, new.interval), new.sign)

    def add(self, left: Both, right: Both) -> Both:
        return self._both(_INTERVALS.add(left.interval, right.interval), _SIGNS.add(left.sign, right.sign))

    def mul(self, left: Both, right: Both) -> Both:
        return self._both(_INTERVALS.mul(left.interval, right.interval), _SIGNS.mul(left.sign, right.sign))

    def div(self, left: Both, right: Both) -> Both:
        return self._both(_INTERVALS.div(left.interval, right.interval), _SIGNS.div(left.sign, right.sign))

    def mod(self, left: Both, right: Both) -> Both:
        return self._both(_INTERVALS.mod(left.interval, right.interval), _SIGNS.mod(left.sign, right.sign))

    def rdiv(self, left: Both, right: Both) -> Both:
        interval = _INTERVALS.rdiv(left.interval, right.interval)
        return self._both(interval, _SIGNS.rdiv(left.sign, right.sign))

    def floor(self, value: Both) -> Both:
        return self._both(_INTERVALS.floor(value.interval), _SIGNS.floor(value.sign))

    def at_most(self, left: Both, right: Both) -> int:
        first = _INTERVALS.at_most(left.interval, right.interval)
        return (first & _SIGNS.at_most(left.sign, right.sign)) or EITHER

    def below(self, value: Both, *, strict: bool, integer: bool) -> Both:
        return self._both(
            _INTERVALS.below(value.interval, strict=strict, integer=integer),
            _SIGNS.below(value.sign, strict=strict, integer=integer),
        )

    def above(self, value: Both, *, strict: bool, integer: bool) -> Both:
        return self._both(
            _INTERVALS.above(value.interval, strict=strict, integer=integer),
            _SIGNS.above(value.sign, strict=strict, integer=integer),
        )

    def without(self, value: Both, other: Both, *, integer: bool) -> Both | None:
        return _reduced(
            _INTERVALS.without(value.interval, other.interval, integer=integer),
            _SIGNS.without(value.sign, other.sign, integer=integer),
            integer,
        )

    def quotient(self, value: Both, factor: Number, *, integer: bool) -> Both | None:
        return _reduced(
            _INTERVALS.quotient(value.interval, factor, integer=integer),
            _SIGNS.quotient(value.sign, factor, integer=integer),
            integer,
        )
