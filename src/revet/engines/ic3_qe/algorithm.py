"""The main loop: strengthen the last frame, open the next, propagate, stop at a fixed point."""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.common.pdr.answers import INFINITY, Blocked, Level, Reached
from revet.engines.common.pdr.block import BlockingPdr
from revet.engines.common.pdr.frames import Frames
from revet.engines.common.pdr.obligations import Obligation
from revet.engines.common.runs import successor, violated_property
from revet.engines.ic3_qe.cubes import Cube, join_equalities
from revet.engines.ic3_qe.generalize import Generalizer
from revet.engines.ic3_qe.lift import Lifter
from revet.engines.ic3_qe.options import Options
from revet.engines.ic3_qe.queries import Queries
from revet.events import FrameOpened, InvariantFound, LemmaLearnt, ObligationOpened
from revet.logic.core import and_, const, disjunction, eq, not_
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.system import TransitionSystem
from revet.result import KInductive, SystemTrace, Unsafe, Verdict
from revet.smt import SolverError, Status
from revet.smt.z3 import Z3

NAME = "ic3-qe"
State = dict[Term, Value]


class Ic3(BlockingPdr[Cube, list[Term]]):
    """R_0 = I, R_1, …, R_top: each holds the property, contains the one before, and leads into
    the next in one step. R_i is the property and the lemmas at levels i and above."""

    name = NAME

    def __init__(
        self, system: TransitionSystem, backend: Z3, context: Context, options: Options
    ) -> None:
        self.system = system
        self.context = context
        self.backend = backend
        self.frames: Frames[Cube] = Frames()
        self.queries = Queries(system, backend, context.budget)
        self.lifter = Lifter(
            system, backend, options.generalization, context.budget, split=options.split_equalities
        )
        self.generalizer = Generalizer(
            self.queries, self.frames, self.lifter, backend, self.push, options
        )

    def run(self) -> Verdict:
        model = self.queries.initially_bad()
        if model is not None:
            return Unsafe(self._trace(model.valuation(self.system.variables), []))
        self.frames.open()
        return super().run()

    # ------------------------------------------------------------------ frames

    @property
    def top(self) -> int:
        return self.frames.top

    def open(self) -> None:
        self.context.observe(FrameOpened(NAME, self.frames.open()))

    def push(self, cube: Cube, level: int) -> int:
        """Store a lemma as far out as it holds; returns that level."""
        while level < self.top:
            if isinstance(self.queries.consecution(cube, level, self.top), Reached):
                break
            level += 1
        self.add(cube, level)
        return level

    def add(self, cube: Cube, level: Level) -> None:
        """Store a lemma."""
        before = {known for _, known in self.frames.above(1)}
        if self.frames.add(cube, level):
            self.queries.learn(cube, level)
            self.queries.forget(before - {known for _, known in self.frames.above(1)})
            self.context.stats.counts["lemmas"] += 1
            shown = disjunction(not_(literal) for literal in join_equalities(cube.literals))
            at = None if level == INFINITY else int(level)
            self.context.observe(LemmaLearnt(NAME, shown, at))

    # ------------------------------------------------------------------ blocking

    def strengthen(self) -> Verdict | None:
        """Bad are states from which one step violates the property."""
        while (model := self.queries.violation(self.top, self.top)) is not None:
            cube = self.lifter.lift(not_(self.system.property), model)
            start = self.block(Obligation(self.top, cube))
            if start is not None:
                return Unsafe(self._run(start))
        return None

    def is_initial(self, obligation: Obligation[Cube]) -> bool:
        return isinstance(self.queries.initiation(obligation.cube), Reached)

    def is_blocked(self, obligation: Obligation[Cube]) -> bool:
        self.context.stats.counts["obligations"] += 1
        self.context.observe(ObligationOpened(NAME, obligation.level, obligation.cube.formula))
        return self.frames.blocks(obligation.cube, obligation.level)

    def expand(self, obligation: Obligation[Cube]) -> Blocked[list[Term]] | Reached[list[Obligation[Cube]]]:
        answer = self.queries.consecution(obligation.cube, obligation.level - 1, self.top)
        if isinstance(answer, Blocked):
            return answer
        return Reached([obligation.before(self.lifter.lift(obligation.cube.formula, answer.by))])

    def learn(self, obligation: Obligation[Cube], blocked: Blocked[list[Term]]) -> Level:
        with self.context.stats.phase("generalize"):
            cube = self.generalizer.generalize(obligation.cube, obligation.level, blocked.core)
        return self.push(cube, obligation.level)

    # ------------------------------------------------------------------ propagation

    def propagate(self) -> int | None:
        for level in range(1, self.top):
            for cube in self.frames.delta(level):
                self.context.budget.poll()
                if (cube, level) not in self.frames:
                    continue
                answer = self.queries.consecution(cube, level, self.top, relative=False)
                if isinstance(answer, Blocked):
                    self.frames.remove(cube, level)
                    self.add(cube, level + 1)
            if not self.frames.delta(level):
                return level
        return None

    def certificate(self, level: int) -> KInductive:
        lemmas = [cube.lemma for _, cube in self.frames.above(level)]
        formula = and_(self.system.property, *lemmas)
        self.context.observe(InvariantFound(NAME, formula))
        return KInductive(formula)

    # ------------------------------------------------------------------ runs

    def _run(self, obligation: Obligation[Cube]) -> SystemTrace:
        """Every state of a cube has a step into its successor's: follow the chain."""
        start = self.queries.initiation(obligation.cube)
        assert isinstance(start, Reached)
        targets = [link.cube.formula for link in obligation.chain()[1:]]
        targets.append(not_(self.system.property))
        return self._trace(start.by.valuation(self.system.variables), targets)

    def _trace(self, state: State, targets: list[Term]) -> SystemTrace:
        states, inputs = [state], list[State]()
        solver = self.backend.solver(budget=self.context.budget)
        for target in targets:
            here = [eq(x, const(value, x.sort)) for x, value in states[-1].items()]
            step = and_(self.system.step.guard, self.lifter.before(and_(self.system.invariant, target)))
            if solver.check([*here, step]) is not Status.SAT:
                raise SolverError("a cube has a state without the step that it stands for")
            inputs.append(solver.model().valuation(self.system.inputs))
            states.append(successor(self.system, states[-1], inputs[-1]))
        violated = violated_property(self.system, states[-1])
        assert violated is not None, "the last target is the violation"
        return SystemTrace(tuple(states), tuple(inputs), violated)
