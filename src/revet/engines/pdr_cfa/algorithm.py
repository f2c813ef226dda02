"""Blocking and propagation at the locations of an automaton; see the package's text."""

from __future__ import annotations

from dataclasses import dataclass

from revet.engines.common.context import Context
from revet.engines.common.paths import concrete_run
from revet.engines.common.pdr.answers import Blocked, Level, Reached
from revet.engines.common.pdr.block import BlockingPdr
from revet.engines.common.pdr.obligations import Obligation
from revet.engines.pdr_cfa.explain import explained
from revet.engines.pdr_cfa.frames import Cube, Frames, clause_of
from revet.engines.pdr_cfa.generalize import Generalizer
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.engines.pdr_cfa.interpolate import Interpolation
from revet.engines.pdr_cfa.lift import Lifter
from revet.engines.pdr_cfa.options import Options
from revet.engines.pdr_cfa.queries import Queries
from revet.engines.pdr_cfa.shorten import without_implied
from revet.events import FrameOpened, LemmaLearnt, ObligationOpened
from revet.logic.core import and_, conjunction
from revet.logic.terms import FALSE, Term
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.result.verdict import Unknown, Unsafe, Verdict
from revet.smt import Model
from revet.smt.z3 import Z3

NAME = "pdr-cfa"


def check(cfa: Cfa, options: Options, context: Context) -> Verdict:
    """Lifted PDR on an automaton; see the package's text."""
    backend = Z3()
    with context.stats.solving(backend):
        return LiftedPdr(cfa, options, context, backend).run()


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """A cube at a location; ``step`` is the edge from there into the obligation's successor."""

    location: Location
    cube: Cube
    step: Step | None = None


class LiftedPdr(BlockingPdr[Placed, frozenset[Term]]):
    """An obligation says: the states of a cube at a location must be shown unreachable by runs with at
    most ``level`` back edges, because they lead to the error. Among those of a level, the one closest to
    the start comes first."""

    name = NAME

    def __init__(self, cfa: Cfa, options: Options, context: Context, backend: Z3) -> None:
        self.cfa = cfa
        self.options = options
        self.context = context
        self.backend = backend
        self.graph = Graph(cfa, options.levels == "edges")
        self.frames = Frames(self.graph.locations)
        self.queries = self.make_queries()
        interpolation = Interpolation(self.frames, backend, context.budget)
        self.generalizer = Generalizer(self.graph, self.queries, options, interpolation)
        self.lifter = Lifter(backend, self.graph, options.split_equalities)

    def make_queries(self) -> Queries:
        return Queries(self.graph, self.frames, self.backend, self.context)

    # ------------------------------------------------------------------ frames

    @property
    def top(self) -> int:
        return self.frames.top

    def open(self) -> None:
        self.frames.open()
        self._explain("next level")

    def add(self, location: Location, level: int, cube: Cube) -> None:
        """Store a lemma."""
        self.frames.add(location, level, cube)
        self.queries.add_lemma(location, level, cube)

    # ------------------------------------------------------------------ blocking

    def strengthen(self) -> Verdict | None:
        limit = self.options.max_level
        if limit is not None and self.top > limit:
            return Unknown("the level limit was reached", limit)
        self.context.observe(FrameOpened(NAME, self.top))
        for error in self.cfa.errors:
            start = self.block(self._obligation(self.top, Placed(error, ())))
            if start is not None:
                return self._unsafe(start)
        self._explain("after blocking")
        return None

    def _obligation(
        self, level: int, placed: Placed, successor: Obligation[Placed] | None = None
    ) -> Obligation[Placed]:
        return Obligation(level, placed, successor, self.graph.order[placed.location])

    def is_initial(self, obligation: Obligation[Placed]) -> bool:
        placed = obligation.cube
        return placed.location is self.cfa.initial and isinstance(
            self.queries.initiation(placed.cube), Reached
        )

    def is_blocked(self, obligation: Obligation[Placed]) -> bool:
        return self.frames.blocks(obligation.cube.location, obligation.level, obligation.cube.cube)

    def expand(
        self, obligation: Obligation[Placed]
    ) -> Blocked[frozenset[Term]] | Reached[list[Obligation[Placed]]]:
        core: set[Term] = set()
        location, cube = obligation.cube.location, obligation.cube.cube
        if location is self.cfa.initial:
            start = self.queries.initiation(cube)
            assert isinstance(start, Blocked)
            core |= start.core
        for step in self.graph.incoming[location]:
            level = step.level(obligation.level)
            if level < 0:
                continue
            while isinstance(answer := self.queries.consecution(step, level, cube), Reached):
                self.context.budget.poll()
                before = self.predecessors(obligation, step, level, answer.by)
                if before is not None:
                    return Reached(before)
            core |= answer.core
        return Blocked(frozenset(core))

    def predecessors(
        self, obligation: Obligation[Placed], step: Step, level: int, model: Model
    ) -> list[Obligation[Placed]] | None:
        """What must be blocked before the step, which has a model from F[level]; None: ask again, the frames
        know more. All cubes of the weakest precondition, if they are wanted and few, or one around the model.
        """
        cube = obligation.cube.cube
        wanted = self.options.predecessors == "normal-form"
        found = self.lifter.precondition_cubes(step, cube) if wanted else None
        found = found or [self.lifter.lift(step, cube, model)]
        return [self._obligation(level, Placed(step.source, before, step), obligation) for before in found]

    def learn(self, obligation: Obligation[Placed], blocked: Blocked[frozenset[Term]]) -> Level:
        location, level = obligation.cube.location, obligation.level
        small = self.generalizer.generalize(location, level, obligation.cube.cube, blocked.core)
        level = self.push(location, level, small)
        self.add(location, level, small)
        self.context.stats.counts["lemmas"] += 1
        self.context.observe(LemmaLearnt(NAME, clause_of(small), level, location.name))
        return level

    def push(self, location: Location, level: int, cube: Cube) -> int:
        """As far out as the cube is blocked; that level."""
        while level < self.top and self.generalizer.blocked(location, level + 1, cube) is not None:
            level += 1
        return level

    def opened(self, obligation: Obligation[Placed]) -> None:
        placed = obligation.cube
        self.context.observe(ObligationOpened(NAME, obligation.level, placed.cube, placed.location.name))

    # ------------------------------------------------------------------ propagation

    def advance(self) -> int | None:
        """Levels may be equal without a new one."""
        fixpoint = self._fixpoint()
        return super().advance() if fixpoint is None else fixpoint

    def propagate(self) -> int | None:
        for level in range(self.top) if self.options.propagate else ():
            for location in self.graph.locations:
                for cube in self.frames.delta(location, level):
                    self.context.budget.poll()
                    if self.generalizer.blocked(location, level + 1, cube) is not None:
                        self.add(location, level + 1, cube)
        return self._fixpoint()

    def _fixpoint(self) -> int | None:
        """The lowest level with F[level] = F[level + 1] at every location."""
        return self.frames.fixpoint(1 if self.graph.every_edge else 0)

    def _explain(self, phase: str) -> None:
        if self.options.explain:
            self.context.observe(explained(NAME, phase, self.graph, self.frames))

    def certificate(self, level: int) -> LocationInvariants:
        self._explain(f"fixpoint at level {level + 1}")
        return LocationInvariants(self._invariants(level))

    def _invariants(self, level: int) -> dict[Location, Term]:
        invariants = {}
        for location in self.graph.locations:
            lemmas = list(self.frames.above(location, level + 1))
            invariants[location] = conjunction(without_implied(lemmas, self.backend, self.context.budget))
        if self.queries.only_entry:  # the queries knew that runs start there and never come back
            start = self.cfa.initial
            invariants[start] = and_(self.cfa.precondition, invariants[start])
        return {**invariants, **dict.fromkeys(self.cfa.errors, FALSE)}

    def _unsafe(self, start: Obligation[Placed]) -> Verdict:
        edges = [link.cube.step.edge for link in start.chain() if link.cube.step is not None]
        trace = concrete_run(self.cfa, edges, self.backend, self.context.budget)
        if trace is None:
            return Unknown("a path found by projection has no run: the projection was not exact")
        return Unsafe(trace)
