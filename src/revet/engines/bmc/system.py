"""Global search in a transition system, forward from I or backward from the violations of P.

Backward, step d is d steps *before* the violation: variables at d + 1 are those before the step
that leads to d. States before the violation satisfy P, so the runs found are shortest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from revet.engines.context import Context
from revet.events import BoundReached, FrameOpened
from revet.logic.core import and_, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Exhausted, Safe, SystemTrace, Unknown, Unsafe, Verdict
from revet.smt import Model, Solver, SolverFactory, Status


class _Unrolling(ABC):
    """The runs of ``depth`` steps that do not go wrong before their last state."""

    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        self.system = system
        self.solver = solver
        self.unroller = Unroller(system)
        self.depth = 0

    @abstractmethod
    def goal(self) -> Term:
        """Together with what is asserted: a faulty run of ``depth`` steps."""

    @abstractmethod
    def advance(self) -> None:
        """One more step, after the goal was refuted."""

    @abstractmethod
    def times(self) -> range:
        """The time steps of the states of a run, first state first."""


class _Forward(_Unrolling):
    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        super().__init__(system, solver)
        solver.add(self.unroller.init())

    def goal(self) -> Term:
        return not_(self.unroller.at(self.system.property, self.depth))

    def advance(self) -> None:
        self.solver.add(self.unroller.at(self.system.property, self.depth))
        self.solver.add(self.unroller.step(self.depth))
        self.depth += 1

    def times(self) -> range:
        return range(self.depth + 1)


class _Backward(_Unrolling):
    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        super().__init__(system, solver)
        solver.add(self.unroller.at(and_(system.invariant, not_(system.property)), 0))

    def goal(self) -> Term:
        return self.unroller.at(self.system.init, self.depth)

    def advance(self) -> None:
        now, before, moved = self.depth, self.depth + 1, self.unroller.at
        step = self.system.step
        self.solver.add(moved(and_(self.system.invariant, self.system.property, step.guard), before))
        for x in self.system.variables:
            self.solver.add(eq(moved(x, now), moved(step.after(x), before)))
        self.depth += 1

    def times(self) -> range:
        return range(self.depth, -1, -1)


def search(
    system: TransitionSystem, backend: SolverFactory, context: Context, backward: bool, bound: int | None
) -> Verdict:
    solver = backend.solver(budget=context.budget)
    unrolling: _Unrolling = (_Backward if backward else _Forward)(system, solver)
    while True:
        depth = unrolling.depth
        context.budget.poll()
        context.observe(FrameOpened("bmc", depth))
        match solver.check([unrolling.goal()]):
            case Status.SAT:
                return Unsafe(_trace(unrolling, solver.model()))
            case Status.UNKNOWN:
                return Unknown(
                    f"the solver could not decide runs of {depth} steps: {solver.reason_unknown}",
                    depth - 1,
                )
            case Status.UNSAT:
                context.observe(BoundReached("bmc", depth))
        if solver.check() is Status.UNSAT:
            return Safe(Exhausted(depth, backward))
        if depth == bound:
            return Unknown(f"no violation within {bound} steps", bound)
        unrolling.advance()


def _trace(unrolling: _Unrolling, model: Model) -> SystemTrace:
    system, at = unrolling.system, unrolling.unroller.at
    times = unrolling.times()
    states = tuple({x: model.value(at(x, time)) for x in system.variables} for time in times)
    inputs = tuple({x: model.value(at(x, time)) for x in system.inputs} for time in times[:-1])
    last = Evaluator(states[-1])
    violated = next(name for name, formula in system.properties.items() if last(formula) is False)
    return SystemTrace(states, inputs, violated)
