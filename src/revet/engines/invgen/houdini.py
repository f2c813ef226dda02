"""The largest inductive subset of a set of candidate invariants.

Houdini (Flanagan, Leino, FME 2001): assume all candidates in a state, look for one that fails
after a step, drop every candidate that the counterexample falsifies, repeat. What is left is
inductive *together*. The query is "some candidate fails", so one model usually drops many.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.budget import Budget
from revet.logic.core import disjunction, not_, var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Solver, SolverFactory, Status


class Houdini:
    """Two solvers for one system: its initial states, and one step from anywhere.

    ``known`` are invariants that may be assumed (everything found is inductive relative to
    them, hence the conjunction with them is inductive).
    """

    def __init__(
        self,
        system: TransitionSystem,
        backend: SolverFactory,
        budget: Budget,
        known: Iterable[Term] = (),
    ) -> None:
        self.system = system
        self.budget = budget
        self.unroller = Unroller(system)
        self._init = backend.solver(budget=budget)
        self._init.add(self.unroller.init())
        self._step = backend.solver(budget=budget)
        self._step.add(self.unroller.at(system.invariant, 0))
        self._step.add(self.unroller.step(0))
        self._rounds = 0
        for formula in known:
            self.assume(formula)

    def assume(self, formula: Term) -> None:
        """Use a known invariant before the step."""
        self._step.add(self.unroller.at(formula, 0))

    def initial(self, candidates: Iterable[Term]) -> list[Term]:
        """Those that hold in all initial states."""
        left = list(candidates)
        while left:
            self.budget.poll()
            outcome = self._counterexample(self._init, left, 0, [])
            if isinstance(outcome, Status):
                return left if outcome is Status.UNSAT else []
            left = _satisfied(left, outcome)
        return left

    def inductive(self, candidates: Iterable[Term]) -> list[Term]:
        """The largest subset that holds initially and is kept by every step; [] when unsure."""
        left = self.initial(candidates)
        while left:
            self.budget.poll()
            held = [self.unroller.at(candidate, 0) for candidate in left]
            outcome = self._counterexample(self._step, left, 1, held)
            if isinstance(outcome, Status):
                return left if outcome is Status.UNSAT else []
            left = _satisfied(left, outcome)
        return left

    def _counterexample(
        self, solver: Solver, candidates: list[Term], step: int, held: list[Term]
    ) -> Evaluator | Status:
        """A state that falsifies a candidate, as an evaluator; UNSAT or UNKNOWN if there is none."""
        self._rounds += 1
        some_fails = var(f"fails!{self._rounds}", BOOL)
        failing = disjunction(not_(self.unroller.at(candidate, step)) for candidate in candidates)
        solver.add(not_(some_fails) | failing)
        status = solver.check([some_fails, *held])
        if status is not Status.SAT:
            solver.add(not_(some_fails))
            return status
        model = solver.model()
        solver.add(not_(some_fails))
        return Evaluator({x: model.value(self.unroller.at(x, step)) for x in self.system.variables})


def _satisfied(candidates: list[Term], state: Evaluator) -> list[Term]:
    return [candidate for candidate in candidates if state(candidate) is True]
