"""The main loop: strengthen the last frame, open the next, propagate, stop at a fixed point."""

from __future__ import annotations

from revet.engines.context import Context
from revet.engines.ic3_qe.cubes import Cube, join_equalities
from revet.engines.ic3_qe.options import Options
from revet.engines.ic3_qe.predecessor import Predecessors
from revet.engines.ic3_qe.queries import Blocked, Queries
from revet.engines.ic3_qe.tighten import Tightening
from revet.engines.pdr_common import INFINITY, Frames, Obligation, Obligations
from revet.engines.runs import successor, violated_property
from revet.events import BoundReached, FrameOpened, InvariantFound, LemmaLearnt, ObligationOpened
from revet.logic.core import and_, const, disjunction, eq, not_
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, SystemTrace, Unsafe, Verdict
from revet.smt import Model, SolverError, Status
from revet.smt.z3 import Z3

State = dict[Term, Value]


class Ic3:
    """R_0 = I, R_1, …, R_top: each holds the property, contains the one before, and leads into
    the next in one step. R_i is the property and the lemmas at levels i and above."""

    def __init__(
        self, system: TransitionSystem, backend: Z3, context: Context, options: Options
    ) -> None:
        self.system = system
        self.context = context
        self.backend = backend
        self.frames: Frames[Cube] = Frames()
        self.queries = Queries(system, backend, context.budget)
        self.predecessors = Predecessors(
            system, backend, options.generalization, context.budget, split=options.split_equalities
        )
        self.tightening = Tightening(
            self.queries, self.frames, self.predecessors, backend, self.keep, options
        )

    def run(self) -> Verdict:
        model = self.queries.initially_bad()
        if model is not None:
            return Unsafe(self._trace(model.valuation(self.system.variables), []))
        self.frames.open()
        while True:
            trace = self.strengthen()
            if trace is not None:
                return Unsafe(trace)
            self.context.observe(BoundReached("ic3-qe", self.frames.top))
            level = self.frames.open()
            self.context.observe(FrameOpened("ic3-qe", level))
            fixpoint = self.propagate()
            if fixpoint is not None:
                return Safe(self._certificate(fixpoint))

    def strengthen(self) -> SystemTrace | None:
        """Remove states from which one step violates the property; a run if one is reachable."""
        top = self.frames.top
        while True:
            model = self.queries.violation(top, top)
            if model is None:
                return None
            cube = self.predecessors.cube(not_(self.system.property), model)
            trace = self.block(Obligation(top, cube))
            if trace is not None:
                return trace

    def block(self, first: Obligation[Cube]) -> SystemTrace | None:
        """Show the obligation unreachable, with everything that leads to it; else a run."""
        start = self.queries.initiation(first.cube)
        if not isinstance(start, Blocked):
            return self._run(start, first)
        queue: Obligations[Cube] = Obligations()
        queue.add(first)
        while len(queue):
            self.context.budget.poll()
            obligation = queue.pop()
            self.context.stats.counts["obligations"] += 1
            self.context.observe(
                ObligationOpened("ic3-qe", obligation.level, obligation.cube.formula)
            )
            if self.frames.blocks(obligation.cube, obligation.level):
                level = obligation.level
            else:
                answer = self.queries.consecution(obligation.cube, obligation.level - 1, self.frames.top)
                if isinstance(answer, Blocked):
                    level = self.learn(obligation, answer.needed)
                else:
                    before = self.predecessors.cube(obligation.cube.formula, answer)
                    earlier = Obligation(obligation.level - 1, before, obligation, obligation.depth + 1)
                    start = self.queries.initiation(before)
                    if not isinstance(start, Blocked):
                        return self._run(start, earlier)
                    queue.add(earlier)
                    queue.add(obligation)
                    continue
            if level < self.frames.top:
                queue.add(obligation.at(level + 1))
        return None

    def learn(self, obligation: Obligation[Cube], needed: list[Term]) -> int:
        """Block a tightened cube as high as it goes; returns that level."""
        with self.context.stats.phase("tighten"):
            cube = self.tightening.tighten(obligation.cube, obligation.level, needed)
        return self.keep(cube, obligation.level)

    def keep(self, cube: Cube, level: int) -> int:
        """Store a lemma as high as it goes."""
        while level < self.frames.top:
            answer = self.queries.consecution(cube, level, self.frames.top)
            if not isinstance(answer, Blocked):
                break
            level += 1
        self._store(cube, level)
        return level

    def _store(self, cube: Cube, level: float) -> None:
        before = {known for _, known in self.frames.above(1)}
        if self.frames.add(cube, level):
            self.queries.learn(cube, level)
            self.queries.forget(before - {known for _, known in self.frames.above(1)})
            self.context.stats.counts["lemmas"] += 1
            shown = disjunction(not_(literal) for literal in join_equalities(cube.literals))
            at = None if level == INFINITY else int(level)
            self.context.observe(LemmaLearnt("ic3-qe", shown, at))

    def propagate(self) -> int | None:
        """Move lemmas up that hold one frame later; the level of a fixed point, if there is one."""
        for level in range(1, self.frames.top):
            for cube in self.frames.delta(level):
                self.context.budget.poll()
                if (cube, level) not in self.frames:
                    continue
                answer = self.queries.consecution(cube, level, self.frames.top, relative=False)
                if isinstance(answer, Blocked):
                    self.frames.remove(cube, level)
                    self._store(cube, level + 1)
            if not self.frames.delta(level):
                return level
        return None

    def _certificate(self, level: int) -> KInductive:
        lemmas = [cube.lemma for _, cube in self.frames.above(level)]
        formula = and_(self.system.property, *lemmas)
        self.context.observe(InvariantFound("ic3-qe", formula))
        return KInductive(formula)

    # ------------------------------------------------------------------ runs

    def _run(self, start: Model, obligation: Obligation[Cube]) -> SystemTrace:
        """Every state of a cube has a step into its successor's: follow the chain."""
        targets = [link.cube.formula for link in obligation.chain()[1:]]
        targets.append(not_(self.system.property))
        return self._trace(start.valuation(self.system.variables), targets)

    def _trace(self, state: State, targets: list[Term]) -> SystemTrace:
        states, inputs = [state], list[State]()
        solver = self.backend.solver(budget=self.context.budget)
        for target in targets:
            here = [eq(x, const(value, x.sort)) for x, value in states[-1].items()]
            step = and_(self.system.step.guard, self.predecessors.before(and_(self.system.invariant, target)))
            if solver.check([*here, step]) is not Status.SAT:
                raise SolverError("a cube has a state without the step that it stands for")
            inputs.append(solver.model().valuation(self.system.inputs))
            states.append(successor(self.system, states[-1], inputs[-1]))
        violated = violated_property(self.system, states[-1])
        assert violated is not None, "the last target is the violation"
        return SystemTrace(tuple(states), tuple(inputs), violated)
