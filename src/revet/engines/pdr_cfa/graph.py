"""The automaton as PDR sees it: back edges, topological order, preconditions of literals."""

from __future__ import annotations

from functools import cached_property

from revet.engines.common.discrete import Discrete
from revet.logic.terms import Term
from revet.logic.walk import Memo, conjuncts, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.transform.graph import depth_first


class Step:
    """An edge with its relation; ``before(literal)`` is the literal's value before the step."""

    def __init__(self, edge: Edge, relation: Relation, costs_level: bool) -> None:
        self.edge = edge
        self.source: Location = edge.source
        self.target: Location = edge.target
        self.relation = relation
        self.costs_level = costs_level
        self._memo: Memo = {}
        self._before: dict[Term, Term] = {}

    @cached_property
    def assumed(self) -> frozenset[Term]:
        """The conjuncts of the guard."""
        return frozenset(conjuncts(self.relation.guard))

    def before(self, literal: Term) -> Term:
        found = self._before.get(literal)
        if found is None:
            found = substitute(literal, self.relation.updates, self._memo)
            self._before[literal] = found
        return found

    def level(self, level: int) -> int:
        """The level of the source's frame when the target is at ``level``."""
        return level - 1 if self.costs_level else level


class Graph:
    """Steps by their ends, and the position of every location in a topological order."""

    def __init__(self, cfa: Cfa, every_edge: bool = False) -> None:
        """``every_edge``: all edges but those into an error cost a level, not only back edges."""
        self.cfa = cfa
        self.every_edge = every_edge
        back, self.order = depth_first(
            (cfa.initial, *cfa.locations), lambda at: [(edge, edge.target) for edge in cfa.outgoing[at]]
        )
        errors = set(cfa.errors)
        self.steps = [
            Step(edge, cfa.relation(edge), edge in back or (every_edge and edge.target not in errors))
            for edge in cfa.edges
        ]
        self.incoming: dict[Location, list[Step]] = {location: [] for location in cfa.locations}
        for step in self.steps:
            self.incoming[step.target].append(step)
        self.locations = sorted(cfa.locations, key=lambda location: self.order[location])

    @cached_property
    def discrete(self) -> Discrete:
        """Which variables only say one of several, over the whole automaton."""
        return Discrete(
            (pair for step in self.steps for pair in step.relation.updates.items()),
            (self.cfa.precondition, *(step.relation.guard for step in self.steps)),
        )

    def unreachable(self, location: Location, level: int) -> bool:
        """Is F[level, location] false by definition? At level 0, when every edge costs one."""
        return self.every_edge and level == 0 and location is not self.cfa.initial
