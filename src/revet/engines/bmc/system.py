"""Global search in a transition system, forward from I or backward from the violations of P.

Backward, step d is d steps *before* the violation: variables at d + 1 are those before the step
that leads to d. States before the violation satisfy P, so the runs found are shortest.

Forward, deep runs are asked for eight depths at a time (``_STRIDE``): just below a threshold that takes
n steps to reach, refuting each of n - 1, n - 2, … costs far more than finding the run at n. Runs found
there end at their first violation, but a run up to seven steps shorter may exist.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from revet.engines.common.context import Context
from revet.events import BoundReached, FrameOpened
from revet.logic.core import and_, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Exhausted, Safe, SystemTrace, Unknown, Unsafe, Verdict
from revet.smt import Model, Solver, SolverFactory, Status
from revet.smt.logics import logic_of

_SHALLOW = 16  # depths up to this one are searched one by one
_STRIDE = 8


class _Unrolling(ABC):
    """The runs of ``depth`` steps that do not go wrong before their last state."""

    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        self.system = system
        self.solver = solver
        self.unroller = Unroller(system)
        self.depth = 0

    def due(self) -> bool:
        """Is this depth one to ask the solver at?"""
        return True

    @abstractmethod
    def goal(self) -> Term:
        """Together with what is asserted: a faulty run of ``depth`` steps, or of a depth passed over."""

    @abstractmethod
    def advance(self) -> None:
        """One more step, after the goal was refuted."""

    @abstractmethod
    def times(self, model: Model) -> range:
        """The time steps of the states of a faulty run, first state first."""


class _Forward(_Unrolling):
    def __init__(self, system: TransitionSystem, solver: Solver) -> None:
        super().__init__(system, solver)
        solver.add(self.unroller.init())
        self._refuted = 0  # depths below this one are known to be good, and the solver knows it

    def due(self) -> bool:
        return self.depth <= _SHALLOW or self.depth % _STRIDE == 0

    def _good(self, depth: int) -> Term:
        return self.unroller.at(self.system.property, depth)

    def goal(self) -> Term:
        return not_(and_(*(self._good(depth) for depth in range(self._refuted, self.depth + 1))))

    def advance(self) -> None:
        if self.due():
            for depth in range(self._refuted, self.depth + 1):
                self.solver.add(self._good(depth))
            self._refuted = self.depth + 1
        self.solver.add(self.unroller.step(self.depth))
        self.depth += 1

    def times(self, model: Model) -> range:
        """Up to the first violation."""
        states = range(self._refuted, self.depth)
        end = next((depth for depth in states if not model.holds(self._good(depth))), self.depth)
        return range(end + 1)


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

    def times(self, model: Model) -> range:
        return range(self.depth, -1, -1)


def search(
    system: TransitionSystem, backend: SolverFactory, context: Context, backward: bool, bound: int | None
) -> Verdict:
    solver = backend.solver(logic_of(system), context.budget)
    unrolling: _Unrolling = (_Backward if backward else _Forward)(system, solver)
    while True:
        depth = unrolling.depth
        context.budget.poll()
        if not unrolling.due() and depth != bound:
            unrolling.advance()
            continue
        context.observe(FrameOpened("bmc", depth))
        # What another engine has searched is not searched again.
        match Status.UNSAT if depth <= context.bound() else solver.check([unrolling.goal()]):
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
    times = unrolling.times(model)
    states = tuple({x: model.value(at(x, time)) for x in system.variables} for time in times)
    inputs = tuple({x: model.value(at(x, time)) for x in system.inputs} for time in times[:-1])
    last = Evaluator(states[-1])
    violated = next(name for name, formula in system.properties.items() if last(formula) is False)
    return SystemTrace(states, inputs, violated)
