"""What a linear comparison says about two variables, the others seen as intervals.

``2*x - y + z <= 3`` with z in [0, 1] and x in [0, 5] gives ``x - y <= 3``: of the coefficient of x one part
goes with y, and of the rest the least value counts. What is no variable of a pack (other variables, products,
choices) is an interval throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from revet.engines.absint.domain import Number
from revet.engines.absint.intervals import End, Interval
from revet.engines.absint.octagon import Constraint, Octagon
from revet.engines.absint.packs import LONG


class Place(NamedTuple):
    """A variable: the number of its pack, and its number in the octagon there."""

    pack: int
    number: int

    def node(self, positive: bool) -> int:
        return 2 * self.number + (0 if positive else 1)


class Part(NamedTuple):
    """A summand: a coefficient and what it is the coefficient of."""

    factor: Number
    interval: Interval
    place: Place | None

    @property
    def size(self) -> Number:
        return max(self.factor, -self.factor)

    def least(self, factor: Number) -> End:
        """The least value with this coefficient."""
        if factor == 0:
            return 0
        end = self.interval.low if factor > 0 else self.interval.high
        return -inf if isinstance(end, float) else factor * end

    def negated(self) -> Part:
        return self._replace(factor=-self.factor)


def at_most_zero(parts: Sequence[Part], constant: Number) -> list[tuple[int, Constraint]]:
    """Constraints of packs that follow from ``sum of the parts + constant <= 0``."""
    found: list[tuple[int, Constraint]] = []
    if len(parts) > LONG:
        return found
    for n, one in enumerate(parts):
        for m, other in enumerate(parts[:n]):
            if one.place is None or other.place is None or one.place.pack != other.place.pack:
                continue
            common = min(one.size, other.size)
            rest = [each.least(each.factor) for k, each in enumerate(parts) if k not in (n, m)]
            rest += [each.least(_less(each.factor, common)) for each in (one, other)]
            if any(isinstance(each, float) for each in rest):
                continue
            limit = -Fraction(sum(rest, constant)) / common
            a, b = one.place.node(one.factor > 0), other.place.node(other.factor < 0)
            exact = limit.numerator if limit.denominator == 1 else limit
            found.append((one.place.pack, (a, b, exact)))
    return found


def exactly_zero(parts: Sequence[Part], constant: Number) -> list[tuple[int, Constraint]]:
    """Those that follow from ``sum of the parts + constant = 0``."""
    return at_most_zero(parts, constant) + at_most_zero([part.negated() for part in parts], -constant)


def greatest(parts: Sequence[Part], constant: Number, octagons: Sequence[Octagon]) -> Number | None:
    """The greatest value of a multiple of ``±x ± y`` that a closed octagon knows."""
    if len(parts) != 2 or parts[0].size != parts[1].size:
        return None
    one, other = parts
    if one.place is None or other.place is None or one.place.pack != other.place.pack:
        return None
    nodes = one.place.node(one.factor > 0), other.place.node(other.factor < 0)
    most = octagons[one.place.pack].bound(*nodes)
    return None if most is None else constant + one.size * most


def _less(factor: Number, common: Number) -> Number:
    """The coefficient, nearer to zero by ``common``."""
    return factor - common if factor > 0 else factor + common
