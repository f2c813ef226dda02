"""Runs of an automaton from cut to cut, step by step, as formulas.

A Boolean says "at this cut after i steps" and implies one of the ways into it; a way's own Boolean
implies everything about that way (:mod:`revet.checker.paths`), and is both where there is one way. Each pair
(cut, i) has its values: where all ways in bring the same constant or variable this is the value, and only
where they differ there is a new variable, equal to the value along the way taken. So what is constant along
all runs never reaches the solver, and cuts that no run reaches after i steps, because a guard over constants
is false, disappear.

If the Boolean of (cut, i) is true in a model, following the true Booleans backwards gives a run with the
model's values; and each run of i steps to the cut gives a model in which only its own Booleans are true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from revet.checker.paths import Arrival, Paths, put
from revet.checker.queries import Queries
from revet.logic.core import and_, eq, implies, not_, or_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.cfa import Cfa, Location
from revet.model.names import at
from revet.smt.protocol import Model

_Ways = list[tuple[Location, Arrival]]


class Unfolding:
    def __init__(self, cfa: Cfa, paths: Paths, queries: Queries) -> None:
        self.cfa = cfa
        self.paths = paths
        self.queries = queries
        self.cuts: list[list[Location]] = []
        self._literals: dict[tuple[Location, int], Term] = {}
        self._values: dict[tuple[Location, int], Mapping[Term, Term]] = {}
        self._ways: dict[tuple[Location, int], _Ways] = {}

    def start(self, cuts: Iterable[Location]) -> None:
        values = {x: at(x, 0) for x in self.cfa.variables}
        self.cuts.append(list(cuts))
        for cut in self.cuts[0]:
            self._values[cut, 0] = values

    def literal(self, cut: Location, step: int) -> Term:
        return self._literals.setdefault((cut, step), var(f"at!{cut.name}@{step}", BOOL))

    def put(self, formula: Term, cut: Location, step: int) -> Term:
        """The formula with the values at the cut after so many steps."""
        return put(formula, {}, self._values[cut, step])

    def step(self) -> None:
        """Assert one more step, from all cuts that may be reached by now."""
        now = len(self.cuts) - 1
        ways: dict[Location, _Ways] = {}
        for cut in self.cuts[now]:
            if not self.paths.leaving.get(cut):
                continue
            crossing = self.paths.cross(cut, self.literal(cut, now), self._values[cut, now])
            self.queries.add(*crossing.formulas)
            for target, arrivals in crossing.arrivals.items():
                ways.setdefault(target, []).extend((cut, arrival) for arrival in arrivals)
        for target, found in ways.items():
            self._arrive(target, now + 1, found)
        self.cuts.append(list(ways))

    def _arrive(self, target: Location, step: int, ways: _Ways) -> None:
        self._ways[target, step] = ways
        if len(ways) == 1:
            ((cut, arrival),) = ways
            self._literals[target, step] = arrival.taken
            self._values[target, step] = {**self._values[cut, step - 1], **arrival.values}
            return
        taken = or_(*(arrival.taken for _, arrival in ways))
        self.queries.add(implies(self.literal(target, step), taken))
        values: dict[Term, Term] = {}
        for x in self.cfa.variables:
            arriving = [
                found if (found := arrival.values.get(x)) is not None else self._values[cut, step - 1][x]
                for cut, arrival in ways
            ]
            first = arriving[0]
            if all(value is first for value in arriving):
                values[x] = first
                continue
            values[x] = self.paths.fresh(x.name, x.sort)
            for (_, arrival), value in zip(ways, arriving, strict=True):
                self.queries.add(implies(arrival.taken, eq(values[x], value)))
        self._values[target, step] = values

    def state(self, model: Model) -> dict[Term, Value]:
        return {x: model.value(at(x, 0)) for x in self.cfa.variables}

    def run(self, step: int, cut: Location, model: Model) -> list[Location]:
        """The cuts on the way to ``cut``, according to the model."""
        found = [cut]
        for now in range(step, 0, -1):
            ways = self._ways[found[-1], now]
            found.append(next(source for source, arrival in ways if model.holds(arrival.taken)))
        return found[::-1]

    def describe(self, step: int, cut: Location, model: Model | None) -> str:
        if model is None:
            return f"at {cut} after {step} steps"
        return "along " + " -> ".join(location.name for location in self.run(step, cut, model))

    def shortcuts(self, variables: list[Term]) -> Callable[[Location, Model], list[Term]]:
        """Rules out paths that are not simple: with two equal states, or a later initial one."""
        start = self.cfa.precondition

        def exclude(cut: Location, model: Model) -> list[Term]:
            found: list[Term] = []
            first: dict[tuple[object, ...], int] = {}
            for step, location in enumerate(self.run(len(self.cuts) - 1, cut, model)):
                here, values = self.literal(location, step), self._values[location, step]
                if step and location is self.cfa.initial and model.holds(self.put(start, location, step)):
                    found.append(not_(and_(here, self.put(start, location, step))))
                state = (location, *(model.value(values[x]) for x in variables))
                if state in first:
                    earlier = first[state]
                    before = self._values[location, earlier]
                    same = (eq(before[x], values[x]) for x in variables)
                    found.append(not_(and_(self.literal(location, earlier), here, *same)))
                first.setdefault(state, step)
            return found

        return exclude
