"""The automaton, run with intervals: does a run of this case get to an error?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from revet.budget import Budget
from revet.engines.boxes.intervals import Abstract, Interval, apply, unknown
from revet.logic.sorts import Sort
from revet.logic.terms import Term
from revet.logic.walk import bottom_up, free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.transform.graph import live_edges, successors

Case = Mapping[tuple[int, Sort], Interval]
"""What is known of what is drawn, by its number and sort."""
Drawn = frozenset[tuple[int, Sort]]

_NOTHING: Drawn = frozenset()


class TooLong(Exception):
    """The runs of a case do not end."""


@dataclass(frozen=True, slots=True)
class Node:
    """A step of an abstract run. ``sources``: what each variable was computed from; ``open``: what
    the guards so far were decided by, where they are not decided for the whole case."""

    before: Node | None
    edge: Edge
    values: dict[Term, Abstract]
    sources: dict[Term, Drawn]
    drawn: int
    open: Drawn
    certain: bool

    def path(self) -> list[Edge]:
        found: list[Edge] = []
        node: Node | None = self
        while node is not None:
            found.append(node.edge)
            node = node.before
        return found[::-1]


class Runner:
    def __init__(self, cfa: Cfa, steps: int, budget: Budget) -> None:
        self._cfa = cfa
        self._steps = steps
        self._budget = budget
        self._leaving = successors(live_edges(cfa))
        self._errors = frozenset(cfa.errors)

    def run(self, case: Case) -> Node | None:
        """An abstract run into an error; None if there is none. Depth first."""
        stack: list[tuple[Location, Node | None]] = [(self._cfa.initial, None)]
        steps = 0
        while stack:
            location, before = stack.pop()
            for edge in self._leaving.get(location, ()):
                steps += 1
                if steps > self._steps:
                    raise TooLong
                self._budget.poll()
                after = self._take(edge, before, case)
                if after is None:
                    continue
                if edge.target in self._errors:
                    return after
                stack.append((edge.target, after))
        return None

    def _take(self, edge: Edge, before: Node | None, case: Case) -> Node | None:
        relation = self._cfa.relation(edge)
        values = before.values if before else {}
        sources = before.sources if before else {}
        drawn = before.drawn if before else 0
        known, from_ = dict(values), dict(sources)
        for number, x in enumerate(relation.locals, drawn):
            known[x] = case.get((number, x.sort), unknown(x.sort))
            from_[x] = frozenset({(number, x.sort)})
        truth = bottom_up(relation.guard, known, apply)
        if True not in truth:
            return None
        certain = False not in truth
        open_ = before.open if before else _NOTHING
        return Node(
            before,
            edge,
            {**values, **{x: bottom_up(value, known, apply) for x, value in relation.updates.items()}},
            {**sources, **{x: _sources(value, from_) for x, value in relation.updates.items()}},
            drawn + len(relation.locals),
            open_ if certain else open_ | _sources(relation.guard, from_),
            certain and (before is None or before.certain),
        )


def _sources(term: Term, sources: Mapping[Term, Drawn]) -> Drawn:
    return _NOTHING.union(*(sources.get(x, _NOTHING) for x in free_vars(term)))
