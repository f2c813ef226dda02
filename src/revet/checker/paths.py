"""Paths of an automaton between *cut* locations, as formulas: the checker's own encoding.

:class:`Paths` keeps the part of the automaton that matters and makes sure that the cuts meet every
cycle of it. :meth:`Paths.cross` describes all paths from one cut to the next ones:

* a Boolean for each edge ("taken") that implies the edge's guard and that its source was passed
  (that of the source itself, where no run passes it without taking the edge);
* a Boolean for each location where several edges meet, which implies that one of them was taken,
  and new variables there, equal to the values along the edges taken;
* a new variable for each value assigned, with an equation, so that terms stay small (constants, variables
  and arrays with a few known places stand for themselves: guards over them fold, and an edge whose guard is
  *false* is left out).

If a Boolean of an edge into a cut is true in a model, then following the true Booleans backwards
gives a path that can be executed with the model's values; and each executable path gives a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

from revet.checker.report import malformed
from revet.logic.arrays import compact, has_few_places, with_named_elements
from revet.logic.core import and_, eq, implies, or_, var
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import free_vars, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assume
from revet.smt.protocol import Model

Values = dict[Term, Term]


@dataclass
class Arrival:
    """A way into a location: a formula that is true if it was taken, and the variables' values
    (those that differ from the values at the start)."""

    taken: Term
    values: Values


@dataclass
class Crossing:
    """All paths from one cut to the next. ``literals`` tells which edge a Boolean belongs to."""

    formulas: list[Term] = field(default_factory=list)
    arrivals: dict[Location, list[Arrival]] = field(default_factory=dict)
    literals: dict[Edge, Term] = field(default_factory=dict)

    def path(self, target: Location, source: Location, model: Model) -> list[Edge]:
        """The edges taken to ``target``, according to a model in which it is reached."""
        taken = [edge for edge, literal in self.literals.items() if model.holds(literal)]
        found: list[Edge] = []
        while not found or target is not source:
            edge = next(e for e in reversed(taken) if e.target is target)
            found.append(edge)
            target = edge.source
        return found[::-1]


class Paths:
    def __init__(self, cfa: Cfa, cuts: Iterable[Location], goals: Iterable[Location]) -> None:
        """Only edges on paths from the initial location to ``goals`` matter."""
        self.cfa = cfa
        self.cuts = {cfa.initial, *cfa.errors, *cuts}
        self.leaving = relevant(cfa, [*cfa.errors, *goals])
        self.sources = [cut for cut in cfa.locations if cut in self.cuts and self.leaving.get(cut)]
        self._numbers = count()
        self._orders = {cut: self._order(cut) for cut in self.sources}

    def targets(self, cut: Location) -> dict[Location, None]:
        """The cuts that a path from ``cut`` leads to next."""
        return dict.fromkeys(
            edge.target
            for location in self._orders.get(cut, ())
            for edge in self.leaving[location]
            if edge.target in self.cuts
        )

    def _order(self, cut: Location) -> list[Location]:
        """The locations up to the next cuts, each after those that lead to it."""
        done: list[Location] = []
        visiting = {cut}
        finished: set[Location] = set()
        stack = [(cut, iter(self.leaving[cut]))]
        while stack:
            location, rest = stack[-1]
            edge = next(rest, None)
            if edge is None:
                stack.pop()
                done.append(location)
                finished.add(location)
            elif edge.target in self.cuts or edge.target in finished:
                continue
            elif edge.target in visiting:
                raise malformed(f"no formula cuts the cycle through {edge.target}")
            else:
                visiting.add(edge.target)
                stack.append((edge.target, iter(self.leaving.get(edge.target, ()))))
        return done[::-1]

    def cross(self, cut: Location, start: Term, before: Mapping[Term, Term]) -> Crossing:
        """All paths from ``cut``, if ``start`` holds, with the values ``before``."""
        crossing = Crossing()
        pending = {cut: [Arrival(start, {})]}
        for location in self._orders[cut]:
            arrivals = pending.pop(location, None)
            if arrivals is None:
                continue
            here = self.join(arrivals, crossing.formulas, before)
            ways = self._ways(location, here, before)
            for edge, guard, values in ways:
                if len(ways) == 1 and guard is TRUE:
                    taken = here.taken
                else:
                    taken = self.fresh("taken", BOOL)
                    crossing.formulas.append(implies(taken, and_(here.taken, guard)))
                crossing.literals[edge] = taken
                arrival = Arrival(taken, self._after(edge, here, values, before, crossing))
                at_cut = edge.target in self.cuts
                (crossing.arrivals if at_cut else pending).setdefault(edge.target, []).append(arrival)
        return crossing

    def _ways(
        self, location: Location, here: Arrival, before: Mapping[Term, Term]
    ) -> list[tuple[Edge, Term, Values]]:
        """The edges from a location, with their guards and the values that they see; not those whose guard is
        false, whatever the values that are open."""
        found: list[tuple[Edge, Term, Values]] = []
        for edge in self.leaving[location]:
            relation = self.cfa.relation(edge)
            local = {x: self.fresh(x.name, x.sort) for x in relation.locals}
            values = {**here.values, **local} if local else here.values
            guard = put(relation.guard, values, before)
            if guard is not FALSE:
                found.append((edge, guard, values))
        return found

    def _after(
        self, edge: Edge, here: Arrival, values: Values, before: Mapping[Term, Term], crossing: Crossing
    ) -> Values:
        """The values after an edge."""
        after = dict(here.values)
        for x, value in self.cfa.relation(edge).updates.items():
            new = with_named_elements(
                compact(put(value, values, before)), lambda _, element: self._named(element, crossing)
            )
            plain = new.is_var or new.is_const or has_few_places(new)
            after[x] = new if plain else self._named(new, crossing)
        return after

    def _named(self, value: Term, crossing: Crossing) -> Term:
        name = self.fresh("value", value.sort)
        crossing.formulas.append(eq(name, value))
        return name

    def join(self, arrivals: list[Arrival], formulas: list[Term], before: Mapping[Term, Term]) -> Arrival:
        """One way in for several."""
        if len(arrivals) == 1:
            return arrivals[0]
        passed = self.fresh("passed", BOOL)
        formulas.append(implies(passed, or_(*(arrival.taken for arrival in arrivals))))
        values: Values = {}
        for x in dict.fromkeys(x for arrival in arrivals for x in arrival.values):
            theirs = [arrival.values.get(x, before.get(x, x)) for arrival in arrivals]
            if all(value is theirs[0] for value in theirs):
                values[x] = theirs[0]
                continue
            values[x] = self.fresh(x.name, x.sort)
            for arrival, value in zip(arrivals, theirs, strict=True):
                formulas.append(implies(arrival.taken, eq(values[x], value)))
        return Arrival(passed, values)

    def forget_names(self) -> None:
        """Use names again: for when what was asserted with them is gone from the solver."""
        self._numbers = count()

    def fresh(self, stem: str, sort: Sort) -> Term:
        return var(f"{stem}!check!{next(self._numbers)}", sort)


def put(term: Term, values: Mapping[Term, Term], before: Mapping[Term, Term]) -> Term:
    """A term over the automaton's variables, with their values put in."""
    return substitute(
        term,
        {x: values[x] if x in values else before[x] for x in free_vars(term) if x in values or x in before},
    )


def relevant(cfa: Cfa, goals: list[Location]) -> dict[Location, list[Edge]]:
    """By source, the edges on paths from the initial location to a goal.

    A run ends in an error location, so nothing leaves one; an edge that assumes *false*
    literally leads nowhere.
    """
    possible: dict[Location, list[Edge]] = {location: [] for location in cfa.locations}
    backward: dict[Location, list[Location]] = {location: [] for location in cfa.locations}
    for edge in cfa.edges:
        never = any(isinstance(s, Assume) and s.condition is FALSE for s in edge.statements)
        if not never and edge.source not in cfa.errors:
            possible[edge.source].append(edge)
            backward[edge.target].append(edge.source)
    reached = _closure([cfa.initial], {at: [e.target for e in edges] for at, edges in possible.items()})
    useful = _closure(goals, backward)
    return {
        location: kept
        for location, edges in possible.items()
        if location in reached and (kept := [edge for edge in edges if edge.target in useful])
    }


def _closure(starts: Iterable[Location], nexts: Mapping[Location, list[Location]]) -> set[Location]:
    found = set(starts)
    stack = list(found)
    while stack:
        for location in nexts[stack.pop()]:
            if location not in found:
                found.add(location)
                stack.append(location)
    return found


