"""Blocking: a queue of obligations, lowest level first, then closest to the start.

An obligation says: the states of ``cube`` at ``location`` must be shown unreachable by runs with
at most ``level`` back edges, because they lead to the error (along ``step`` into ``next``).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

from revet.engines.context import Context
from revet.engines.pdr_cfa.frames import Cube, Frames, clause_of
from revet.engines.pdr_cfa.generalize import Generalizer
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.engines.pdr_cfa.lift import Lifter
from revet.engines.pdr_cfa.queries import Queries, Reached
from revet.events import LemmaLearnt, ObligationOpened
from revet.logic.terms import Term
from revet.model.cfa import Location

NAME = "pdr-cfa"


@dataclass(frozen=True, eq=False, slots=True)
class Obligation:
    level: int
    location: Location
    cube: Cube
    step: Step | None = None
    next: Obligation | None = None


class Blocker:
    def __init__(
        self,
        graph: Graph,
        frames: Frames,
        queries: Queries,
        generalizer: Generalizer,
        lifter: Lifter,
        context: Context,
        all_cubes: bool = False,
    ) -> None:
        """``all_cubes``: predecessors are the cubes of the weakest precondition, if they are few."""
        self.all_cubes = all_cubes
        self.graph = graph
        self.frames = frames
        self.queries = queries
        self.generalizer = generalizer
        self.lifter = lifter
        self.context = context

    def block(self, error: Location) -> Obligation | None:
        """Show the error unreachable at the top level, or return the first obligation of a run."""
        queue: list[tuple[int, int, int, Obligation]] = []
        ticket = count()

        def push(obligation: Obligation) -> None:
            order = self.graph.order[obligation.location]
            heapq.heappush(queue, (obligation.level, order, next(ticket), obligation))

        push(Obligation(self.frames.top, error, ()))
        while queue:
            self.context.budget.poll()
            obligation = heapq.heappop(queue)[-1]
            location, level, cube = obligation.location, obligation.level, obligation.cube
            if self.frames.blocked(location, level, cube):
                self._push_forward(push, obligation)
                continue
            if location is self.graph.cfa.initial and isinstance(self.queries.starts_in(cube), Reached):
                return obligation
            outcome = self._expand(obligation)
            if isinstance(outcome, list):
                push(obligation)
                for new in outcome:
                    push(new)
                    self.context.observe(ObligationOpened(NAME, new.level, new.cube, new.location.name))
            else:
                self._learn(location, level, cube, outcome)
                self._push_forward(push, obligation)
        return None

    def _push_forward(self, push: Callable[[Obligation], None], obligation: Obligation) -> None:
        """A blocked cube will come again one level up: ask there at once."""
        if obligation.level < self.frames.top and obligation.next is not None:
            push(replace(obligation, level=obligation.level + 1))

    def _expand(self, obligation: Obligation) -> list[Obligation] | frozenset[Term]:
        """Predecessors that must be blocked first, or the literals that show it blocked."""
        core: set[Term] = set()
        cube = obligation.cube
        if obligation.location is self.graph.cfa.initial:
            start = self.queries.starts_in(cube)
            assert not isinstance(start, Reached)
            core |= start.core
        for step in self.graph.incoming[obligation.location]:
            level = step.level(obligation.level)
            if level < 0:
                continue
            answer = self.queries.step(step, level, cube)
            if isinstance(answer, Reached):
                return [
                    Obligation(level, step.source, before, step, obligation)
                    for before in self._predecessors(step, cube, answer)
                ]
            core |= answer.core
        return frozenset(core)

    def _predecessors(self, step: Step, cube: Cube, answer: Reached) -> list[Cube]:
        found = self.lifter.precondition_cubes(step, cube) if self.all_cubes else None
        return found or [self.lifter.predecessor(step, cube, answer.model)]

    def _learn(self, location: Location, level: int, cube: Cube, core: frozenset[Term]) -> None:
        small = self.generalizer.generalize(location, level, cube, core)
        while level < self.frames.top and self.generalizer.blocked(location, level + 1, small) is not None:
            level += 1
        self.frames.add(location, level, small)
        self.queries.add_lemma(location, level, small)
        self.context.stats.counts["lemmas"] += 1
        self.context.observe(LemmaLearnt(NAME, clause_of(small), level, location.name))
