"""Runs of an automaton, loop by loop and round by round: exhaustion where runs differ in their length.

:mod:`revet.checker.unfolding` merges the runs that meet at a location after *the same number of steps*, so a
branch that is shorter than the other puts the rounds of a loop out of step, and what was the same in all runs
(its counter) no longer is. Here runs are merged where the automaton joins them, as a bounded model checker
for C does (Clarke, Kroening, Lerda: *A tool for checking ANSI-C programs*, 2004): all runs of one round of a
loop meet at its head, and all that have left it, in whatever round, meet behind it.

A :class:`Visit` is a location in one round of each loop around it. Its Boolean ``passed`` says that the run
is there. A way to the next location has a Boolean that implies that one and the edge's guard. It *is* their
conjunction where there are two ways with opposite guards: then, where these meet again, the Boolean before
them is also that of the visit behind. A new round of a loop begins unless the solver says that no run begins
one.

Every way that is made is visited, or is left out because its guard is false or the solver refuted it;
:meth:`Rounds.follow` sees to it that none is left when it says that the runs have ended. So the order of the
locations decides what this costs, and never whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

from revet.checker.indices import Enumerates, Indices
from revet.checker.report import malformed
from revet.logic.arrays import compact, known_places, select, store
from revet.logic.core import and_, eq, implies, not_, or_, var
from revet.logic.sorts import BOOL, ArraySort, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import constants, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import at
from revet.model.order import weak_topological_order

_TOGETHER = 64
"""So many visits of error locations are refuted by one question, at most."""


class Asks(Enumerates, Protocol):
    """What is asked of a solver: :class:`revet.checker.queries.Queries`, or that of an engine."""

    def add(self, *formulas: Term) -> None: ...

    def may_hold(self, formula: Term) -> bool:
        """False only if the formulas added so far and this one have no model."""
        ...


@dataclass(eq=False, slots=True)
class Way:
    """An edge taken from a visit: ``taken`` says so; ``values`` are those of the variables after it,
    ``inputs`` those of the edge's locals."""

    edge: Edge
    source: Visit
    taken: Term
    values: Mapping[Term, Term]
    inputs: Mapping[Term, Term]


@dataclass(eq=False, slots=True)
class Visit:
    """A location in one round of each loop around it; ``ways`` lead to it (none: runs begin here)."""

    location: Location
    passed: Term
    values: Mapping[Term, Term]
    ways: Sequence[Way] = ()


@dataclass(eq=False)
class Rounds:
    """``leaving`` has the edges that matter, by their source (:func:`revet.checker.paths.relevant`)."""

    cfa: Cfa
    leaving: Mapping[Location, Sequence[Edge]]
    solver: Asks
    most: int = 0
    """The most rounds of a loop so far, counted anew each time the loop is entered."""
    _pending: dict[Location, list[Way]] = field(default_factory=dict)
    _splits: dict[Term, tuple[Term, Term]] = field(default_factory=dict)
    """Of a way that excludes just one other: the Boolean of the visit before it, and its guard."""
    _ways: dict[tuple[Term, Term], Term] = field(default_factory=dict)
    """The other way round."""
    _never: set[Term] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._indices = Indices(self.solver)

    def follow(self, limit: int | None = None) -> Iterator[Sequence[Visit]]:
        """All runs to their ends. Yields visits of error locations, a few at a time: whoever goes on says
        that no run comes to any of them. With a ``limit``, the head of a loop that begins so many new rounds
        is yielded in the same way."""
        order = weak_topological_order(self.cfa)
        errors = frozenset(self.cfa.errors)
        start = {x: at(x, 0) for x in self.cfa.variables}
        self.solver.add(substitute(self.cfa.precondition, start))
        start.update(constants(self.cfa.precondition))
        visit: Visit | None = Visit(self.cfa.initial, TRUE, start)
        rounds: dict[int, int] = {}  # begun anew, of the loops that runs are in, by the places of their heads
        failing: list[Visit] = []
        place, last = 0, len(order.locations)
        while place < last:
            location = order.locations[place]
            if visit is None and location in self._pending:
                visit = self._arrive(location)
            if visit is not None and location in errors:
                failing.append(visit)
            elif visit is not None:
                self._leave(visit)
            visit = None
            place, again = self._next(order.ends.get(place, ()), order.locations, place, rounds)
            if failing and (len(failing) >= _TOGETHER or (again and len(rounds) == 1) or place == last):
                yield failing
                self._refuted(failing)
                failing = []
            if again:
                visit = self._new_round(order.locations[place])
                self.most = max(self.most, rounds[place])
                if visit is not None and limit is not None and rounds[place] >= limit:
                    yield [visit]
                    self._refuted([visit])
                    visit = None
        if self._pending:  # no assertion: without this, ways that were forgotten would count as refuted
            raise malformed("an edge leads back to a location that is no head of a loop around it")

    def _new_round(self, head: Location) -> Visit | None:
        """The visit of a loop's head; None if no run begins the round."""
        visit = self._arrive(head)
        if visit.passed is TRUE or self.solver.may_hold(visit.passed):
            return visit
        self._refuted([visit])
        return None

    def _refuted(self, visits: Sequence[Visit]) -> None:
        for visit in visits:
            self._never.add(visit.passed)
            self.solver.add(not_(visit.passed))

    def _next(
        self, ends: Sequence[int], locations: Sequence[Location], place: int, rounds: dict[int, int]
    ) -> tuple[int, bool]:
        """The place after this one, where the loops end whose heads' places are ``ends``, innermost first;
        and whether it begins a new round."""
        for head in ends:
            if locations[head] in self._pending:
                rounds[head] = rounds.get(head, 0) + 1
                return head, True
            rounds.pop(head, None)
        return place + 1, False

    def _leave(self, visit: Visit) -> None:
        found: list[tuple[Edge, Term, Mapping[Term, Term], Mapping[Term, Term]]] = []
        for edge in self.leaving.get(visit.location, ()):
            relation = self.cfa.relation(edge)
            inputs: Mapping[Term, Term] = {x: self._fresh(x.name, x.sort) for x in relation.locals}
            seen: Mapping[Term, Term] = {**visit.values, **inputs} if inputs else visit.values
            guard = self._indices.put(relation.guard, seen, visit.passed)
            if guard is not FALSE:
                found.append((edge, guard, seen, inputs))
        alone = len(found) == 1
        exclusive = len(found) == 2 and not_(found[0][1]) is found[1][1]
        for edge, guard, seen, inputs in found:
            taken = visit.passed if alone and guard is TRUE else self._taken(visit.passed, guard, exclusive)
            if taken is FALSE:
                continue
            values = dict(visit.values)
            for x, value in self.cfa.relation(edge).updates.items():
                values[x] = self._plain(x, compact(self._indices.put(value, seen, taken)))
            way = Way(edge, visit, taken, values, inputs)
            self._pending.setdefault(edge.target, []).append(way)

    def _taken(self, passed: Term, guard: Term, exclusive: bool) -> Term:
        """A Boolean for a way with this guard from a visit with that Boolean; ``exclusive``: the one other
        way has the opposite guard. If two ways were both forced to be taken, runs would get lost."""
        both = and_(passed, guard)
        if both is FALSE:
            return FALSE
        if exclusive:
            taken = both if passed is TRUE and _is_literal(both) else self._named("taken", both)
            self._splits[taken] = passed, guard
            self._ways[passed, guard] = taken
            return taken
        return self._choice(both)

    def _choice(self, condition: Term) -> Term:
        """A Boolean that may be true only if the condition holds."""
        taken = self._fresh("taken", BOOL)
        self.solver.add(implies(taken, condition))
        return taken

    def _arrive(self, location: Location) -> Visit:
        """The visit where all ways that are pending at the location meet."""
        ways = self._pending.pop(location)
        if len({way.taken for way in ways}) < len(ways):  # each has its own values, so each is a choice
            for way in ways:
                way.taken = self._choice(way.taken)
        if len(ways) == 1:
            return Visit(location, ways[0].taken, ways[0].values, ways)
        passed = self._one_of(way.taken for way in ways)
        values: dict[Term, Term] = {}
        first = ways[0].values
        for x in self.cfa.variables:
            theirs = [way.values[x] for way in ways]
            same = all(value is first[x] for value in theirs)
            values[x] = first[x] if same else self._merged(x, theirs, ways)
        return Visit(location, passed, values, ways)

    def _one_of(self, taken: Iterable[Term]) -> Term:
        """A Boolean that implies one of these. Where two of them are the two ways from one visit, or one is
        and the other was refuted, its Boolean stands for both."""
        left = dict.fromkeys(taken)
        open_ = list(left)
        while open_:
            one = open_.pop()
            if one not in left or one not in self._splits:
                continue
            passed, guard = self._splits[one]
            other = self._ways.get((passed, not_(guard)))
            if other is not None and (other in left or other in self._never):
                left.pop(other, None)
                del left[one]
                left[passed] = None
                open_.append(passed)
        if TRUE in left:
            return TRUE
        if len(left) == 1:
            return next(iter(left))
        passed = self._fresh("passed", BOOL)
        self.solver.add(implies(passed, or_(*left)))
        return passed

    def _merged(self, x: Term, theirs: Sequence[Term], ways: Sequence[Way]) -> Term:
        """A term that is equal to each way's value if this way was taken."""
        if isinstance(x.sort, ArraySort):
            places = [known_places(value) for value in theirs]
            base = places[0][0]
            if all(other is base for other, _ in places):
                merged = base
                for index in dict.fromkeys(index for _, known in places for index in known):
                    here = [known[index] if index in known else select(base, index) for _, known in places]
                    same = all(value is here[0] for value in here)
                    merged = store(merged, index, here[0] if same else self._merged(here[0], here, ways))
                return merged
        name = self._fresh("value", x.sort)
        for way, value in zip(ways, theirs, strict=True):
            self.solver.add(implies(way.taken, eq(name, value)))
        return name

    def _plain(self, x: Term, value: Term) -> Term:
        """A term without operators that is equal to the value; an array keeps what is known of it."""
        if _is_plain(value):
            return value
        if isinstance(x.sort, ArraySort):
            base, known = known_places(value)
            if base.op in (Op.VAR, Op.CONST_ARRAY):
                for index, element in known.items():
                    base = store(base, index, self._plain(element, element))
                return base
        return self._named("value", value)

    def _named(self, stem: str, value: Term) -> Term:
        name = self._fresh(stem, value.sort)
        self.solver.add(eq(name, value))
        return name

    def _fresh(self, stem: str, sort: Sort) -> Term:
        return var(f"{stem}!round!{next(self._numbers)}", sort)


def _is_literal(term: Term) -> bool:
    return term.is_var or term.is_const or (term.op == Op.NOT and term.args[0].is_var)


def _is_plain(term: Term) -> bool:
    """Does the term stand for itself? Constants, variables, and ``x + c``, as a counter has it."""
    if term.op == Op.ADD and len(term.args) == 2:
        return term.args[0].is_var and term.args[1].is_const
    return term.is_var or term.is_const
