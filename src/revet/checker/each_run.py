"""Runs of an automaton, one after the other: exhaustion where they differ too much to be merged.

:mod:`revet.checker.unfolding` has one set of values for all runs that meet at a cut, so what each of them
knows (the contents of a string, the objects of a list) is open afterwards. Here each run keeps its own
values: guards over them fold, and the number of runs, not their length, is what costs.

The runs form a tree. A node is a cut with the values there; the solver knows what the path to it demands. A
way on is left out only if its guard is false or the solver refutes it; *unknown* leaves nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from revet.checker.paths import Arrival, Paths, put
from revet.checker.queries import Queries
from revet.checker.report import Condition
from revet.logic.terms import TRUE, Term
from revet.logic.values import Value
from revet.logic.walk import constants
from revet.model.cfa import Cfa, Location
from revet.model.names import at
from revet.smt.protocol import Model


@dataclass(frozen=True, eq=False, slots=True)
class _Node:
    cut: Location
    values: Mapping[Term, Term]
    ways: Iterator[tuple[Location, Arrival]]  # those not yet followed


class EachRun:
    def __init__(self, cfa: Cfa, paths: Paths, queries: Queries) -> None:
        self.cfa = cfa
        self.paths = paths
        self.queries = queries
        self._path: list[_Node] = []

    def ends_before(self, depth: int) -> None:
        """Every run ends before ``depth`` steps from cut to cut, none in an error; else
        :class:`revet.checker.report.Refused` is raised."""
        start = {x: at(x, 0) for x in self.cfa.variables}
        self.queries.push()
        self.queries.add(put(self.cfa.precondition, {}, start))
        if self.cfa.initial in self.cfa.errors or depth == 0:
            self._require_none(TRUE, "safety" if depth else "exhaustion")
        else:
            self._enter(self.cfa.initial, {**start, **constants(self.cfa.precondition)})
        while self._path:
            way = next(self._path[-1].ways, None)
            if way is None:
                self._path.pop()
                self.queries.pop()
            else:
                self._follow(*way, depth)
        self.queries.pop()

    def _enter(self, cut: Location, values: Mapping[Term, Term]) -> None:
        """Go on from a cut; the scope that this opens is closed when all its ways have been followed."""
        self.queries.push()
        ways: list[tuple[Location, Arrival]] = []
        if self.paths.leaving.get(cut):
            crossing = self.paths.cross(cut, TRUE, values)
            self.queries.add(*crossing.formulas)
            ways = [(target, way) for target, found in crossing.arrivals.items() for way in found]
        self._path.append(_Node(cut, values, iter(ways)))

    def _follow(self, target: Location, way: Arrival, depth: int) -> None:
        if target in self.cfa.errors:
            self._require_none(way.taken, "safety", target)
        elif len(self._path) == depth:
            self._require_none(way.taken, "exhaustion", target)
        elif way.taken is TRUE or self.queries.may_hold(way.taken):
            self._enter(target, {**self._path[-1].values, **way.values})
            self.queries.add(way.taken)

    def _require_none(self, taken: Term, condition: Condition, target: Location | None = None) -> None:
        along = [node.cut for node in self._path] + ([target] if target else [])
        where = "along " + " -> ".join(cut.name for cut in along)
        self.queries.require_unsat([taken], condition, where, self._state)

    def _state(self, model: Model) -> Mapping[Term, Value]:
        return {x: model.value(at(x, 0)) for x in self.cfa.variables}
