"""Reachable states to learn candidates from: models of short unrollings."""

from __future__ import annotations

from revet.budget import Budget
from revet.logic.core import const, disjunction, eq, not_
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import SolverFactory, Status

State = dict[Term, Value]


class Sampler:
    """Unrolls step by step; each depth gives a few paths that end in different states."""

    def __init__(self, system: TransitionSystem, backend: SolverFactory, budget: Budget) -> None:
        self.system = system
        self.budget = budget
        self.states: list[State] = []
        self.ended = False  # no longer path exists, or the solver gave up
        self._seen: set[tuple[Value, ...]] = set()
        self._unroller = Unroller(system)
        self._solver = backend.solver(budget=budget)
        self._solver.add(self._unroller.init())
        self._depth = 0

    def deepen(self, depth: int, paths: int = 3) -> None:
        """Sample until paths of ``depth`` steps have been seen, ``paths`` at each depth."""
        while self._depth <= depth and not self.ended:
            self.budget.poll()
            self._sample(paths)
            self._solver.add(self._unroller.step(self._depth))
            self._depth += 1

    def _sample(self, paths: int) -> None:
        """Paths of the current depth whose last states differ, in every number if possible."""
        differ: list[Term] = []
        for number in range(paths):
            status = self._solver.check(differ)
            if status is not Status.SAT:
                self.ended |= number == 0
                return
            model = self._solver.model()
            for step in range(self._depth + 1):
                last = {x: model.value(self._unroller.at(x, step)) for x in self.system.variables}
                key = tuple(last.values())
                if key not in self._seen:
                    self._seen.add(key)
                    self.states.append(last)
            differ.append(self._other_than(last))

    def _other_than(self, state: State) -> Term:
        at = self._unroller.at
        return disjunction(
            not_(eq(at(x, self._depth), const(value, x.sort))) for x, value in state.items()
        )
