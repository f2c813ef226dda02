"""The main loop: block, propagate, look for a fixpoint, open the next level."""

from __future__ import annotations

from revet.engines.context import Context
from revet.engines.paths import concrete_run
from revet.engines.pdr_cfa.block import NAME, Blocker, Obligation
from revet.engines.pdr_cfa.explain import explained
from revet.engines.pdr_cfa.frames import Frames
from revet.engines.pdr_cfa.generalize import Generalizer
from revet.engines.pdr_cfa.graph import Graph
from revet.engines.pdr_cfa.interpolate import Interpolation
from revet.engines.pdr_cfa.lift import Lifter
from revet.engines.pdr_cfa.options import Options
from revet.engines.pdr_cfa.queries import Queries
from revet.engines.pdr_cfa.shorten import without_implied
from revet.events import BoundReached, FrameOpened
from revet.logic.core import and_, conjunction
from revet.logic.terms import FALSE, Term
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict
from revet.smt.z3 import Z3


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """Lifted PDR on an automaton; see the package's text."""
    backend = Z3()
    with context.stats.solving(backend):
        return LiftedPdr(cfa, options, context, backend).prove()


class LiftedPdr:
    def __init__(self, cfa: Cfa, options: Options, context: Context, backend: Z3) -> None:
        self.cfa = cfa
        self.options = options
        self.context = context
        self.backend = backend
        self.graph = Graph(cfa, options.levels == "edges")
        self.frames = Frames(self.graph.locations)
        self.queries = Queries(self.graph, self.frames, backend, context)
        interpolation = Interpolation(self.frames, backend, context.budget)
        self.generalizer = Generalizer(self.graph, self.queries, options, interpolation)
        lifter = Lifter(backend, self.graph, options.split_equalities)
        self.blocker = Blocker(
            self.graph, self.frames, self.queries, self.generalizer, lifter, context,
            all_cubes=options.predecessors == "normal-form",
        )

    def prove(self) -> Verdict:
        while self.options.max_level is None or self.frames.top <= self.options.max_level:
            self.context.observe(FrameOpened(NAME, self.frames.top))
            for error in self.cfa.errors:
                start = self.blocker.block(error)
                if start is not None:
                    return self._unsafe(start)
            self.context.observe(BoundReached(NAME, self.frames.top))
            self._explain("after blocking")
            fixpoint = self._fixpoint()
            if fixpoint is None:
                self.frames.open()
                self._explain("next level")
                self._propagate()
                fixpoint = self._fixpoint()
            if fixpoint is not None:
                self._explain(f"fixpoint at level {fixpoint + 1}")
                return Safe(LocationInvariants(self._invariants(fixpoint)))
        return Unknown("the level limit was reached", self.options.max_level)

    def _propagate(self) -> None:
        """Push lemmas up as far as they hold."""
        for level in range(self.frames.top) if self.options.propagate else ():
            for location in self.graph.locations:
                for cube in self.frames.at(location, level):
                    self.context.budget.poll()
                    if self.generalizer.blocked(location, level + 1, cube) is not None:
                        self.frames.add(location, level + 1, cube)
                        self.queries.add_lemma(location, level + 1, cube)

    def _fixpoint(self) -> int | None:
        """The lowest level with F[level] = F[level + 1] at every location."""
        first = 1 if self.graph.every_edge else 0
        return next((i for i in range(first, self.frames.top) if self.frames.empty(i)), None)

    def _explain(self, phase: str) -> None:
        if self.options.explain:
            self.context.observe(explained(NAME, phase, self.graph, self.frames))

    def _invariants(self, level: int) -> dict[Location, Term]:
        invariants = {
            location: conjunction(
                without_implied(list(self.frames.above(location, level)), self.backend, self.context.budget)
            )
            for location in self.graph.locations
        }
        if self.queries.only_entry:  # the queries knew that runs start there and never come back
            start = self.cfa.initial
            invariants[start] = and_(self.cfa.precondition, invariants[start])
        return {**invariants, **dict.fromkeys(self.cfa.errors, FALSE)}

    def _unsafe(self, start: Obligation) -> Verdict:
        edges = []
        obligation: Obligation | None = start
        while obligation is not None and obligation.step is not None:
            edges.append(obligation.step.edge)
            obligation = obligation.next
        trace = concrete_run(self.cfa, edges, self.backend, self.context.budget)
        if trace is None:
            return Unknown("a path found by projection has no run: the projection was not exact")
        return Unsafe(trace)
