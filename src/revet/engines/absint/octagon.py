"""Octagons: conjunctions of ``±x ± y <= c`` (Miné, *The octagon abstract domain*, 2006).

The k-th variable has two *nodes*, 2k for x and 2k + 1 for -x, so every constraint is a difference of two
nodes: ``rows[a][b] = c`` says ``V(a) - V(b) <= c``, and ``x <= c`` is ``V(x) - V(-x) <= 2c``. A missing entry
is no constraint. Each constraint has two forms, (a, b) and (b^1, a^1); both are kept.

A *closed* octagon has the least c of every pair that its constraints imply. It is made by adding constraints
one at a time to a closed octagon (Chawdhary, Robbins, King, *Incrementally closing octagons*, 2019); for
integers bounds are tightened (Bagnara, Hill, Zaffanella, *Weakly-relational shapes …*, 2009).
Widening needs its first argument as it is, not closed, or it would not end; so an octagon may be open and is
closed when it is asked a question.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor

from revet.engines.absint.domain import Number

Rows = dict[int, dict[int, Number]]
Constraint = tuple[int, int, Number]


def _half(number: Number) -> Number:
    if isinstance(number, int) and number % 2 == 0:
        return number // 2
    return Fraction(number) / 2


class Octagon:
    """Immutable; compares by its constraints as they are written. ``integer``: all variables are integers."""

    __slots__ = ("_closed", "integer", "rows")

    def __init__(
        self, rows: Mapping[int, Mapping[int, Number]], integer: bool, *, closed: bool = False
    ) -> None:
        self.rows = {a: dict(row) for a, row in rows.items() if row}
        self.integer = integer
        self._closed: Octagon | None = self if closed else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Octagon) and self.rows == other.rows

    __hash__ = None  # type: ignore[assignment]

    def constraints(self) -> list[Constraint]:
        """All, both forms of each."""
        return [(a, b, c) for a, row in self.rows.items() for b, c in row.items()]

    def closed(self) -> Octagon | None:
        """The same states with all that the constraints imply; None if there is no state."""
        if self._closed is None:
            self._closed = Octagon({}, self.integer, closed=True).meet(self.constraints())
        return self._closed

    def bound(self, a: int, b: int) -> Number | None:
        """The greatest value of V(a) - V(b), of a closed octagon; None if there is none."""
        return 0 if a == b else self.rows.get(a, {}).get(b)

    # What follows is for closed octagons.

    def half(self, node: int) -> Number | None:
        """The greatest value of V(node)."""
        twice = self.bound(node, node ^ 1)
        return None if twice is None else _half(twice)

    def meet(self, constraints: Iterable[Constraint]) -> Octagon | None:
        """The states that also satisfy the constraints; closed; None if there are none."""
        new = [(a, b, c) for a, b, c in constraints if not self._implies(a, b, c)]
        if not new:
            return self
        rows = {a: dict(row) for a, row in self.rows.items()}
        for a, b, c in new:
            if not _insert(rows, a, b, c, self.integer):
                return None
        return Octagon(rows, self.integer, closed=True)

    def _implies(self, a: int, b: int, c: Number) -> bool:
        known = self.bound(a, b)
        return known is not None and known <= c

    def forget(self, variables: Iterable[int]) -> Octagon:
        """With any values for the variables."""
        gone = {node for k in variables for node in (2 * k, 2 * k + 1)}
        if not gone & self.rows.keys():
            return self
        kept = {
            a: {b: c for b, c in row.items() if b not in gone}
            for a, row in self.rows.items()
            if a not in gone
        }
        return Octagon(kept, self.integer, closed=True)

    def rename(self, to: Mapping[int, int]) -> Octagon:
        """With variables renamed to others that have no constraints."""

        def renamed(node: int) -> int:
            return 2 * to.get(node >> 1, node >> 1) + (node & 1)

        rows = {renamed(a): {renamed(b): c for b, c in row.items()} for a, row in self.rows.items()}
        return Octagon(rows, self.integer, closed=True)

    # The lattice

    def join(self, other: Octagon) -> Octagon:
        """Of two closed octagons, closed."""
        if self is other:
            return self
        rows: Rows = {}
        for a, row in self.rows.items():
            known = other.rows.get(a)
            if known is not None:
                rows[a] = {b: max(c, known[b]) for b, c in row.items() if b in known}
        return Octagon(rows, self.integer, closed=True)

    def widen(self, new: Octagon, thresholds: Sequence[Number]) -> Octagon:
        """What is stable; of bounds on two variables that grew, the next threshold. ``new`` is closed."""
        rows: Rows = {}
        for a, row in self.rows.items():
            rows[a] = {}
            for b, c in row.items():
                grown = new.bound(a, b)
                if grown is None:
                    continue
                if grown > c:
                    place = bisect_left(thresholds, grown)
                    if b == a ^ 1 or place == len(thresholds):
                        continue
                    c = thresholds[place]
                rows[a][b] = c
        return Octagon(rows, self.integer)

    def narrow(self, new: Octagon) -> Octagon:
        """Only what was without a bound gets one."""
        rows = {a: dict(row) for a, row in self.rows.items()}
        for a, b, c in new.constraints():
            rows.setdefault(a, {}).setdefault(b, c)
        return Octagon(rows, self.integer)

    def below(self, other: Octagon) -> bool:
        """Does this closed octagon satisfy every constraint of the other (closed or not)?"""
        for a, row in other.rows.items():
            known = self.rows.get(a, {})
            for b, c in row.items():
                if b not in known or known[b] > c:
                    return False
        return True

    def essential(self) -> list[Constraint]:
        """Constraints on two variables which with the bounds of single ones imply all of a closed octagon.

        Of nodes at a fixed distance the first stands for the others. Between those that are left there is no
        cycle of length 0, so all constraints that a chain of two others implies can go at once.
        """
        known = sorted(self.rows.keys() | {a ^ 1 for a in self.rows})
        nodes = [a for a in known if self._distance(a, a ^ 1) is None]
        found: list[Constraint] = []
        leaders: list[int] = []
        for node in nodes:
            leader = next((each for each in leaders if self._distance(node, each) is not None), None)
            if leader is None:
                leaders.append(node)
            elif node & 1 == 0:
                found += [(node, leader, self.rows[node][leader]), (leader, node, self.rows[leader][node])]
        for a in leaders:
            for b in leaders:
                c = self.bound(a, b)
                if a >> 1 < b >> 1 and c is not None and self._is_needed(a, b, c, leaders):
                    found.append((a, b, c))
        return found

    def _distance(self, a: int, b: int) -> Number | None:
        """V(a) - V(b) if that is one number."""
        up, down = self.bound(a, b), self.bound(b, a)
        return up if up is not None and down is not None and up + down == 0 else None

    def _is_needed(self, a: int, b: int, c: Number, leaders: Sequence[int]) -> bool:
        first, second = self.bound(a, a ^ 1), self.bound(b ^ 1, b)
        if first is not None and second is not None and first + second <= 2 * c:
            return False
        for k in leaders:
            to, onwards = self.bound(a, k), self.bound(k, b)
            if k not in (a, b) and to is not None and onwards is not None and to + onwards <= c:
                return False
        return True


def _lower(rows: Rows, a: int, b: int, c: Number) -> bool:
    """Note the constraint in both forms; was it new?"""
    row = rows.setdefault(a, {})
    known = row.get(b)
    if known is not None and known <= c:
        return False
    row[b] = c
    rows.setdefault(b ^ 1, {})[a ^ 1] = c
    return True


def _insert(rows: Rows, a: int, b: int, c: Number, integer: bool) -> bool:
    """Add a constraint to closed rows and close them again; False if nothing satisfies all."""
    if integer:
        c = 2 * floor(Fraction(c) / 2) if b == a ^ 1 else floor(c)
    if a == b:
        return c >= 0
    known = rows.get(a, {}).get(b)
    if known is not None and known <= c:
        return True
    # The shortest ways to a and from b, also over the constraint's other form.
    to_a = _column(rows, a)
    onwards = rows.get(a ^ 1, {}).get(a)
    if onwards is not None:
        for i, first in _column(rows, b ^ 1).items():
            through = first + c + onwards
            if i not in to_a or through < to_a[i]:
                to_a[i] = through
    from_b = {b: 0, **rows.get(b, {})}
    back = rows.get(b, {}).get(b ^ 1)
    if back is not None:
        for j, last in {a ^ 1: 0, **rows.get(a ^ 1, {})}.items():
            through = back + c + last
            if j not in from_b or through < from_b[j]:
                from_b[j] = through
    changed: set[int] = set()
    for i, first in to_a.items():
        for j, last in from_b.items():
            through = first + c + last
            if i == j:
                if through < 0:
                    return False
            elif _lower(rows, i, j, through) and j == i ^ 1:
                changed.add(i)
    return _strengthen(rows, changed, integer)


def _column(rows: Rows, a: int) -> dict[int, Number]:
    """The bounds of V(i) - V(a) for all i, by the other forms of the constraints."""
    return {a: 0, **{j ^ 1: c for j, c in rows.get(a ^ 1, {}).items()}}


def _strengthen(rows: Rows, changed: Iterable[int], integer: bool) -> bool:
    """Bounds of single variables that changed: tightened, compared, and combined to bounds of pairs."""
    changed = sorted(changed)
    if integer:
        for i in changed:
            rows[i][i ^ 1] = 2 * floor(Fraction(rows[i][i ^ 1]) / 2)
    if not changed:
        return True
    alone = {i: row[i ^ 1] for i, row in rows.items() if i ^ 1 in row}
    for i in changed:
        for j, c in alone.items():
            if j == i ^ 1:
                if alone[i] + c < 0:
                    return False
            elif j != i:
                _lower(rows, i, j ^ 1, _half(alone[i] + c))
    return True
