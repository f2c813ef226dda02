"""The base case: bounded model checking from the initial states, one depth after the other."""

from __future__ import annotations

from revet.budget import Budget
from revet.engines.common.runs import trace_from_model
from revet.engines.kind.compression import Compression
from revet.logic.core import not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import SystemTrace
from revet.smt import SolverFactory, Status


class BaseCase:
    """Invariant kept: the property holds in all states of depth below ``depth``, and the solver
    knows it."""

    def __init__(
        self, system: TransitionSystem, unroller: Unroller, backend: SolverFactory, budget: Budget
    ) -> None:
        self.system = system
        self.unroller = unroller
        self.budget = budget
        self.depth = 0
        self.reason = ""
        self._solver = backend.solver(budget=budget)
        self._solver.add(unroller.init())
        self._facts: list[Term] = []
        self._simple = var("base!simple", BOOL)  # switches the path-compression constraints on
        self._compression = Compression(system, unroller)

    def strengthen(self, facts: list[Term]) -> None:
        """Invariants help the search as well: they prune states no run reaches."""
        for fact in facts:
            for step in range(self.depth + 1):
                self._solver.add(self.unroller.at(fact, step))
        self._facts += facts

    def advance(self, *, known: bool = False) -> SystemTrace | Status:
        """Look for a violation at ``depth`` and go one deeper: a run, UNSAT (none), UNKNOWN.

        ``known``: another engine has looked and found none.
        """
        good = self.unroller.at(self.system.property, self.depth)
        status = Status.UNSAT if known else self._solver.check([not_(good)])
        if status is Status.SAT:
            return trace_from_model(self.system, self.unroller, self._solver.model(), self.depth)
        if status is Status.UNKNOWN:
            self.reason = self._solver.reason_unknown
            return status
        self._solver.add(good)
        self._solver.add(self.unroller.step(self.depth))
        self.depth += 1
        for fact in self._facts:
            self._solver.add(self.unroller.at(fact, self.depth))
        return status

    def exhausted(self) -> bool:
        """Completeness: is there no compressed run of ``depth`` steps?

        Then every reachable state is reached by a shorter run, and those have been looked at.
        """
        while True:
            status = self._solver.check([self._simple])
            if status is not Status.SAT:
                return status is Status.UNSAT
            violated = self._compression.violated(self._solver.model(), self.depth)
            if not violated:
                return False
            for constraint in violated:
                self._solver.add(not_(self._simple) | constraint)
            self.budget.poll()
