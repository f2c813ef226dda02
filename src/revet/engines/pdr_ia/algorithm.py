"""The main loop, blocking and propagation of ``pdr-ia``. The package's text explains the whole."""

from __future__ import annotations

from dataclasses import replace

from revet.budget import OutOfBudget
from revet.engines.common.context import Context
from revet.engines.common.pdr.answers import INFINITY, Blocked, Level, Reached
from revet.engines.common.pdr.block import BlockingPdr
from revet.engines.common.pdr.frames import Frames
from revet.engines.common.pdr.obligations import Obligation
from revet.engines.pdr_ia.abstraction import Abstraction, Cube
from revet.engines.pdr_ia.control import control_of
from revet.engines.pdr_ia.first_look import FirstLook
from revet.engines.pdr_ia.generalize import Generalizer
from revet.engines.pdr_ia.local import queries_for
from revet.engines.pdr_ia.options import Options
from revet.engines.pdr_ia.refine import Refiner
from revet.events import FrameOpened, InvariantFound, LemmaLearnt, ObligationOpened, PredicateFound
from revet.invariants.houdini import SystemHoudini
from revet.logic.core import conjunction
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.result import KInductive, SystemTrace, Unknown, Unsafe, Verdict
from revet.smt.z3 import Z3

NAME = "pdr-ia"
_NEWS_SECONDS = 1.0  # for proving what others offer
_LOOK_SECONDS = 1.0  # for runs without a back edge


class PdrIa(BlockingPdr[Cube, Cube]):
    """One run of the engine."""

    name = NAME

    def __init__(self, system: TransitionSystem, options: Options, context: Context) -> None:
        self._system = system
        self.context = context
        self.pushes = options.push
        self._backend = Z3(seed=options.seed)
        self._abstraction = Abstraction()
        self.frames: Frames[Cube] = Frames(options.subsumption)
        self._propagation = options.propagation
        self._control = control_of(system) if options.levels == "back-edges" else None
        self.queries = queries_for(self._control)(
            system, self._abstraction, self.frames, self._backend, context.budget,
            lifting=options.lifting != "none", relative=options.relative, cores=options.cores,
            control=self._control,
        )
        self._generalizer = Generalizer(self.queries, options, self.add, lambda: self.frames.top)
        self._facts: list[Term] = []
        self._refiner = Refiner(
            system, options, context, self._backend, self._add_predicates, self._add_fact, self._control
        )

    def run(self) -> Verdict:
        found = self._first_look()
        if found is not None:
            return Unsafe(found)
        self._refiner.start()
        # Runs without a step: is an initial state bad?
        outcome = self._refiner.refine([])
        if isinstance(outcome, Unsafe | Unknown):
            return outcome
        self.open()
        return super().run()

    def _first_look(self) -> SystemTrace | None:
        """A violation without a back edge, if levels count those and a short look finds one."""
        if self._control is None:
            return None
        try:
            with self.context.budget.part(_LOOK_SECONDS) as part:
                return FirstLook(self._system, self._control, self._backend, part).violation()
        except OutOfBudget:
            self.context.budget.poll()
            return None

    def finish(self) -> None:
        """Write the statistics; the run may have ended in any way."""
        counts = self.context.stats.counts
        counts["queries"] += self._backend.queries
        counts["frames"] += self.frames.top
        counts["lemmas kept"] += self.frames.count()
        counts["predicates"] += len(self._abstraction.predicates)
        self.context.stats.add_seconds("solver", self._backend.seconds)

    @property
    def bound(self) -> int:
        """No violation within so many steps."""
        return max(self.frames.top - 1, 0)

    # ------------------------------------------------------------------ frames

    @property
    def top(self) -> int:
        return self.frames.top

    def open(self) -> None:
        level = self.frames.open()
        self.queries.open_frame()
        self.context.observe(FrameOpened(NAME, level))

    def add(self, lemma: Blocked[Cube]) -> Level:
        """Store a lemma; returns its level."""
        level, is_new = self._store(lemma)
        if is_new:
            self.context.stats.counts["lemmas"] += 1
            known = None if level == INFINITY else int(level)
            self.context.observe(LemmaLearnt(NAME, lemma.core.lemma(), known))
        return level

    def _store(self, lemma: Blocked[Cube]) -> tuple[Level, bool]:
        """The lemma's level, and whether it was not known."""
        level = lemma.level if lemma.level == INFINITY else min(lemma.level, self.top)
        is_new = self.frames.add(lemma.core, level)
        if is_new:
            self.queries.learn(lemma.core, level)
        return level, is_new

    def _add_predicates(self, formulas: list[Term]) -> bool:
        new = self._abstraction.add(formulas)
        for predicate in new:
            self.context.observe(PredicateFound(NAME, predicate.formula))
        return bool(new)

    def _add_fact(self, fact: Term) -> None:
        """A formula that is inductive by itself (with earlier facts): part of every frame."""
        self._facts.append(fact)
        self.queries.assume(fact)
        self.context.stats.counts["facts"] += 1
        self.context.observe(InvariantFound(NAME, fact))

    def _use_news(self) -> None:
        """Candidates from other engines: what is inductive with our facts becomes a fact."""
        known = set(self._system.variables)
        news = [fact.formula for fact in self.context.news() if fact.location is None]
        fresh = [formula for formula in news if formula not in self._facts and free_vars(formula) <= known]
        if not fresh:
            return
        try:
            with self.context.budget.part(_NEWS_SECONDS) as part:
                usable = SystemHoudini(self._system, self._backend, part, self._facts).inductive(fresh)
        except OutOfBudget:
            self.context.budget.poll()
            return
        for fact in usable:
            self._add_fact(fact)
        self.context.stats.counts["facts from others"] += len(usable)

    def _hear(self) -> None:
        """Lemmas of other workers become predicates and, where they hold relative to the frames here,
        lemmas."""
        known = set(self._system.variables)
        for shared in self.context.lemmas():
            self.context.budget.poll()
            cube = self._abstraction.cube_of(shared.lemma) if free_vars(shared.lemma) <= known else None
            level = self.top if shared.level is None else min(shared.level, self.top)
            if cube is None or level < 1 or self.frames.blocks(cube, level) or not self._may_block(cube):
                continue
            answer = self.queries.inductive(cube, level)
            if answer is not None:
                self._store(answer)
                self.context.stats.counts["lemmas from others"] += 1

    def _may_block(self, cube: Cube) -> bool:
        placed = self._control is None or self._control.location_of(cube) is not None
        return placed and not self.queries.initial(cube)

    # ------------------------------------------------------------------ blocking

    def strengthen(self) -> Verdict | None:
        """A counterexample may be one of the abstraction only: then there are more predicates."""
        while (cube := self.queries.bad(self.top)) is not None:
            self._hear()
            rank = 0 if self._control is None else self._control.rank(cube)
            counterexample = self.block(Obligation(self.top, cube, rank=rank))
            if counterexample is not None:
                verdict = self._refine(counterexample)
                if verdict is not None:
                    return verdict
        return None

    def is_initial(self, obligation: Obligation[Cube]) -> bool:
        return obligation.level == 0 or self.queries.initial(obligation.cube)

    def is_blocked(self, obligation: Obligation[Cube]) -> bool:
        return self.frames.blocks(obligation.cube, obligation.level)

    def expand(self, obligation: Obligation[Cube]) -> Blocked[Cube] | Reached[list[Obligation[Cube]]]:
        answer = self.queries.consecution(obligation.cube, obligation.level)
        if isinstance(answer, Blocked):
            return answer
        before = obligation.before(answer.by.cube)
        if self._control is not None:  # what is nearer to the start comes first
            before = replace(before, level=answer.by.level, rank=self._control.rank(answer.by.cube))
        return Reached([before])

    def learn(self, obligation: Obligation[Cube], blocked: Blocked[Cube]) -> Level:
        return self.add(self._generalizer.generalize(blocked, obligation.level))

    def opened(self, obligation: Obligation[Cube]) -> None:
        self.context.stats.counts["obligations"] += 1
        self.context.observe(ObligationOpened(NAME, obligation.level, obligation.cube))

    def _refine(self, counterexample: Obligation[Cube]) -> Verdict | None:
        """Unsafe if the abstract counterexample is real; otherwise more predicates."""
        with self.context.stats.phase("refinement"):
            self.context.stats.counts["refinements"] += 1
            cubes = [obligation.cube for obligation in counterexample.chain()]
            places = [] if self._control is None else [self._control.location_of(cube) for cube in cubes]
            return self._refiner.refine([cube.formula() for cube in cubes], places)

    # ------------------------------------------------------------------ propagation

    def propagate(self) -> int | None:
        self._use_news()
        self._hear()
        for level in range(1, self.top) if self._propagation else ():
            for cube in self._in_order(self.frames.delta(level)):
                if (cube, level) not in self.frames:
                    continue  # subsumed by a lemma that moved up
                moved = self.queries.inductive(cube, level + 1, relative=self._control is not None)
                if moved is not None:
                    self.frames.remove(cube, level)
                    self.add(moved)
        return self.frames.fixpoint()

    def _in_order(self, cubes: list[Cube]) -> list[Cube]:
        """Along the control flow: within a level lemmas rest on those of locations before."""
        return cubes if self._control is None else sorted(cubes, key=self._control.rank)

    def certificate(self, level: int) -> KInductive:
        lemmas = [cube.lemma() for _, cube in self.frames.above(level + 1)]
        return KInductive(conjunction([self._system.property, *self._facts, *lemmas]))
