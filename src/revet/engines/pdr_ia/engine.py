"""The main loop, blocking and propagation of ``pdr-ia``. The package's text explains the whole."""

from __future__ import annotations

from revet.budget import OutOfBudget
from revet.engines.context import Context
from revet.engines.pdr_common import INFINITY, Frames, Obligation, Obligations
from revet.engines.pdr_ia.abstraction import Abstraction, Cube
from revet.engines.pdr_ia.generalize import Generalizer
from revet.engines.pdr_ia.options import Options
from revet.engines.pdr_ia.queries import Blocked, Queries
from revet.engines.pdr_ia.refine import Refiner
from revet.events import FrameOpened, InvariantFound, LemmaLearnt, ObligationOpened, PredicateFound
from revet.logic.core import conjunction
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, Unknown, Unsafe, Verdict
from revet.smt.z3 import Z3

NAME = "pdr-ia"
_NEWS_SECONDS = 1.0  # for proving what others offer


class PdrIa:
    """One run of the engine."""

    def __init__(self, system: TransitionSystem, options: Options, context: Context) -> None:
        self._system = system
        self._options = options
        self._context = context
        self._backend = Z3()
        self._abstraction = Abstraction()
        self._frames: Frames[Cube] = Frames()
        self._queries = Queries(
            system, self._abstraction, self._frames, self._backend, context.budget,
            lifting=options.lifting != "none",
        )
        self._generalizer = Generalizer(self._queries, options, self._learn, lambda: self._frames.top)
        self._facts: list[Term] = []
        self._refiner = Refiner(system, options, context, self._backend, self._add_predicates, self._add_fact)

    def run(self) -> Verdict:
        self._refiner.start()
        # Runs without a step: is an initial state bad?
        outcome = self._refiner.refine([])
        if isinstance(outcome, Unsafe | Unknown):
            return outcome
        self._open_frame()
        while True:
            verdict = self._strengthen()
            if verdict is not None:
                return verdict
            self._open_frame()
            self._use_news()
            invariant = self._propagate()
            if invariant is not None:
                return Safe(KInductive(invariant))

    def finish(self) -> None:
        """Write the statistics; the run may have ended in any way."""
        counts = self._context.stats.counts
        counts["queries"] += self._backend.queries
        counts["frames"] += self._frames.top
        counts["lemmas kept"] += self._frames.count()
        counts["predicates"] += len(self._abstraction.predicates)
        self._context.stats.add_seconds("solver", self._backend.seconds)

    @property
    def bound(self) -> int:
        """No violation within so many steps."""
        return max(self._frames.top - 1, 0)

    # ------------------------------------------------------------------ frames

    def _open_frame(self) -> None:
        level = self._frames.open()
        self._queries.open_frame()
        self._context.observe(FrameOpened(NAME, level))

    def _learn(self, blocked: Blocked) -> float:
        """Add a lemma; returns its level."""
        level = blocked.level if blocked.level == INFINITY else min(blocked.level, self._frames.top)
        if self._frames.add(blocked.cube, level):
            self._queries.learn(blocked.cube, level)
            self._context.stats.counts["lemmas"] += 1
            known = None if level == INFINITY else int(level)
            self._context.observe(LemmaLearnt(NAME, blocked.cube.lemma(), known))
        return level

    def _add_predicates(self, formulas: list[Term]) -> bool:
        new = self._abstraction.add(formulas)
        for predicate in new:
            self._context.observe(PredicateFound(NAME, predicate.formula))
        return bool(new)

    def _add_fact(self, fact: Term) -> None:
        """A formula that is inductive by itself (with earlier facts): part of every frame."""
        self._facts.append(fact)
        self._queries.assume(fact)
        self._context.stats.counts["facts"] += 1
        self._context.observe(InvariantFound(NAME, fact))

    def _use_news(self) -> None:
        """Candidates from other engines: what is inductive with our facts becomes a fact."""
        known = set(self._system.variables)
        news = [fact.formula for fact in self._context.news() if fact.location is None]
        fresh = [formula for formula in news if formula not in self._facts and free_vars(formula) <= known]
        if not fresh:
            return
        from revet.engines.invgen.houdini import Houdini

        try:
            with self._context.budget.part(_NEWS_SECONDS) as part:
                usable = Houdini(self._system, self._backend, part, self._facts).inductive(fresh)
        except OutOfBudget:
            self._context.budget.poll()
            return
        for fact in usable:
            self._add_fact(fact)
        self._context.stats.counts["facts from others"] += len(usable)

    # ------------------------------------------------------------------ blocking

    def _strengthen(self) -> Verdict | None:
        """Remove the bad states from the top frame, or find out that it cannot be done."""
        while (cube := self._queries.bad(self._frames.top)) is not None:
            counterexample = self._block(Obligation(self._frames.top, cube))
            if counterexample is None:
                continue
            verdict = self._refine(counterexample)
            if verdict is not None:
                return verdict
        return None

    def _block(self, obligation: Obligation[Cube]) -> Obligation[Cube] | None:
        """Block the obligation and all that come up on the way; else the one that has an initial state."""
        queue: Obligations[Cube] = Obligations()
        queue.add(obligation)
        while queue:
            self._context.budget.poll()
            current = queue.pop()
            if current.level == 0 or self._queries.initial(current.cube):
                return current
            if self._frames.blocks(current.cube, current.level):
                level: float = current.level
            else:
                result = self._queries.consecution(current.cube, current.level)
                if isinstance(result, Cube):
                    before = Obligation(current.level - 1, result, current, current.depth + 1)
                    self._open_obligation(queue, before)
                    queue.add(current)
                    continue
                level = self._learn(self._generalizer.generalize(result, current.level))
            if self._options.push and level < self._frames.top:
                queue.add(current.at(int(level) + 1))
        return None

    def _open_obligation(self, queue: Obligations[Cube], obligation: Obligation[Cube]) -> None:
        self._context.stats.counts["obligations"] += 1
        self._context.observe(ObligationOpened(NAME, obligation.level, obligation.cube))
        queue.add(obligation)

    def _refine(self, counterexample: Obligation[Cube]) -> Verdict | None:
        """Unsafe if the abstract counterexample is real; otherwise more predicates."""
        with self._context.stats.phase("refinement"):
            self._context.stats.counts["refinements"] += 1
            cubes = [obligation.cube.formula() for obligation in counterexample.chain()]
            return self._refiner.refine(cubes)

    # ------------------------------------------------------------------ propagation

    def _propagate(self) -> Term | None:
        """Move lemmas up where they still hold; the invariant if two frames have become equal."""
        for level in range(1, self._frames.top):
            for cube in self._frames.delta(level):
                if (cube, level) not in self._frames:
                    continue  # subsumed by a lemma that moved up
                result = self._queries.inductive(cube, level + 1, relative=False)
                if result is not None:
                    self._frames.remove(cube, level)
                    self._learn(result)
        fixpoint = self._frames.fixpoint()
        if fixpoint is None:
            return None
        lemmas = [cube.lemma() for _, cube in self._frames.above(fixpoint + 1)]
        return conjunction([self._system.property, *self._facts, *lemmas])
