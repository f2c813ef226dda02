"""Intervals, signs and congruences together; what one knows improves the others.

Signs add *not zero* to intervals, which matters for divisors and loop exits; congruences move the ends of an
interval to members, and are a constant where one number is left. Constants are intervals already. The
reduction is made once after each operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple

from revet.engines.absint.congruences import Congruence, Congruences
from revet.engines.absint.domain import EITHER, Domain, Number
from revet.engines.absint.intervals import End, Interval, Intervals
from revet.engines.absint.signs import ANY, NEGATIVE, POSITIVE, ZERO, Signs
from revet.logic.core import and_
from revet.logic.terms import Term

_INTERVALS, _SIGNS, _CONGRUENCES = Intervals(), Signs(), Congruences()


class All(NamedTuple):
    interval: Interval
    sign: int
    congruence: Congruence


def _reduced(
    interval: Interval | None, sign: int | None, congruence: Congruence | None, integer: bool = False
) -> All | None:
    if interval is None or sign is None or congruence is None:
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
    low, high = _to_members(low, high, congruence)
    if low > high:
        return None
    if low == high and not isinstance(low, float):
        if not (_CONGRUENCES.contains(congruence, low) and _SIGNS.contains(sign, low)):
            return None
        return All(Interval(low, high), _SIGNS.constant(low), _CONGRUENCES.constant(low))
    return All(Interval(low, high), sign, congruence)


def _to_members(low: End, high: End, congruence: Congruence) -> tuple[End, End]:
    """The ends moved inwards to numbers of the congruence."""
    modulus, residue = congruence
    if modulus == 0:
        return (residue, residue) if low <= residue <= high else (1, 0)
    if modulus > 1:
        if not isinstance(low, float):
            low = ceil(low) + (residue - ceil(low)) % modulus
        if not isinstance(high, float):
            high = floor(high) - (floor(high) - residue) % modulus
    return low, high


class Product(Domain[All]):
    name = "product"
    top = All(_INTERVALS.top, ANY, _CONGRUENCES.top)

    def _all(self, interval: Interval, sign: int, congruence: Congruence) -> All:
        found = _reduced(interval, sign, congruence)
        # All contain the result of the operation, so they cannot be disjoint; stay sound if an
        # operation on an impossible pair of arguments makes them so.
        return self.top if found is None else found

    def constant(self, number: Number) -> All:
        return All(_INTERVALS.constant(number), _SIGNS.constant(number), _CONGRUENCES.constant(number))

    def contains(self, value: All, number: Number) -> bool:
        return (
            _INTERVALS.contains(value.interval, number)
            and _SIGNS.contains(value.sign, number)
            and _CONGRUENCES.contains(value.congruence, number)
        )

    def _implied_sign(self, value: All) -> bool:
        return self._all(value.interval, ANY, _CONGRUENCES.top).sign == value.sign

    def to_formula(self, term: Term, value: All) -> Term:
        parts = [_INTERVALS.to_formula(term, value.interval)]
        if not self._implied_sign(value):
            parts.append(_SIGNS.to_formula(term, value.sign))
        if value.congruence.modulus > 1:
            parts.append(_CONGRUENCES.to_formula(term, value.congruence))
        return and_(*parts)

    def show(self, name: str, value: All) -> str:
        parts = []
        if value.interval != _INTERVALS.top:
            parts.append(_INTERVALS.show(name, value.interval))
        if not self._implied_sign(value):
            parts.append(_SIGNS.show(name, value.sign))
        if value.congruence.modulus > 1:
            parts.append(_CONGRUENCES.show(name, value.congruence))
        return ", ".join(parts) or _SIGNS.show(name, value.sign)

    def join(self, left: All, right: All) -> All:
        congruence = _CONGRUENCES.join(left.congruence, right.congruence)
        return All(_INTERVALS.join(left.interval, right.interval), left.sign | right.sign, congruence)

    def meet(self, left: All, right: All) -> All | None:
        interval = _INTERVALS.meet(left.interval, right.interval)
        congruence = _CONGRUENCES.meet(left.congruence, right.congruence)
        return _reduced(interval, _SIGNS.meet(left.sign, right.sign), congruence)

    def widen(self, old: All, new: All, thresholds: Sequence[Number]) -> All:
        # No reduction: it could undo the widening.
        interval = _INTERVALS.widen(old.interval, new.interval, thresholds)
        return All(interval, old.sign | new.sign, _CONGRUENCES.join(old.congruence, new.congruence))

    def narrow(self, old: All, new: All) -> All:
        return All(_INTERVALS.narrow(old.interval, new.interval), new.sign, new.congruence)

    def add(self, left: All, right: All) -> All:
        return self._all(
            _INTERVALS.add(left.interval, right.interval),
            _SIGNS.add(left.sign, right.sign),
            _CONGRUENCES.add(left.congruence, right.congruence),
        )

    def mul(self, left: All, right: All) -> All:
        return self._all(
            _INTERVALS.mul(left.interval, right.interval),
            _SIGNS.mul(left.sign, right.sign),
            _CONGRUENCES.mul(left.congruence, right.congruence),
        )

    def div(self, left: All, right: All) -> All:
        return self._all(
            _INTERVALS.div(left.interval, right.interval),
            _SIGNS.div(left.sign, right.sign),
            _CONGRUENCES.div(left.congruence, right.congruence),
        )

    def mod(self, left: All, right: All) -> All:
        return self._all(
            _INTERVALS.mod(left.interval, right.interval),
            _SIGNS.mod(left.sign, right.sign),
            _CONGRUENCES.mod(left.congruence, right.congruence),
        )

    def rdiv(self, left: All, right: All) -> All:
        return self._all(
            _INTERVALS.rdiv(left.interval, right.interval),
            _SIGNS.rdiv(left.sign, right.sign),
            _CONGRUENCES.rdiv(left.congruence, right.congruence),
        )

    def floor(self, value: All) -> All:
        interval, sign, congruence = value
        return self._all(_INTERVALS.floor(interval), _SIGNS.floor(sign), _CONGRUENCES.floor(congruence))

    def at_most(self, left: All, right: All) -> int:
        first = _INTERVALS.at_most(left.interval, right.interval)
        return (first & _SIGNS.at_most(left.sign, right.sign)) or EITHER

    def below(self, value: All, *, strict: bool, integer: bool) -> All:
        return self._all(
            _INTERVALS.below(value.interval, strict=strict, integer=integer),
            _SIGNS.below(value.sign, strict=strict, integer=integer),
            _CONGRUENCES.top,
        )

    def above(self, value: All, *, strict: bool, integer: bool) -> All:
        return self._all(
            _INTERVALS.above(value.interval, strict=strict, integer=integer),
            _SIGNS.above(value.sign, strict=strict, integer=integer),
            _CONGRUENCES.top,
        )

    def without(self, value: All, other: All, *, integer: bool) -> All | None:
        return _reduced(
            _INTERVALS.without(value.interval, other.interval, integer=integer),
            _SIGNS.without(value.sign, other.sign, integer=integer),
            _CONGRUENCES.without(value.congruence, other.congruence, integer=integer),
            integer,
        )

    def quotient(self, value: All, factor: Number, *, integer: bool) -> All | None:
        return _reduced(
            _INTERVALS.quotient(value.interval, factor, integer=integer),
            _SIGNS.quotient(value.sign, factor, integer=integer),
            _CONGRUENCES.quotient(value.congruence, factor, integer=integer),
            integer,
        )
