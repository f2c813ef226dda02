"""Reachable states to learn candidates from: models of short unrollings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from revet.budget import Budget
from revet.logic.core import and_, const, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Model, SolverFactory, Status

State = dict[Term, Value]
_ATTEMPTS = 8


class Sampler:
    """Unrolls step by step; each depth gives a few paths that end in different states."""

    def __init__(self, system: TransitionSystem, backend: SolverFactory, budget: Budget) -> None:
        self.system = system
        self.slice = budget  # polled between depths; a part of the solver's budget
        self.states: list[State] = []
        self.ended = False  # no longer path exists, or the solver gave up
        self._seen: set[tuple[Value, ...]] = set()
        self._unroller = Unroller(system)
        self._solver = backend.solver(budget=budget)
        self._solver.add(self._unroller.init())
        self._depth = 0
        self._random = Random(1)

    def deepen(self, depth: int, goals: Sequence[Term] = (), paths: int = 3) -> None:
        """Sample until paths of ``depth`` steps have been seen, ``paths`` at each depth.

        ``goals`` are conditions (locations) of which states are wanted in particular.
        """
        while self._depth <= depth and not self.ended:
            self.slice.poll()
            self._sample(paths)
            for goal in goals:
                if not any(Evaluator(state)(goal) is True for state in self.states):
                    self._aim(goal)
            self._solver.add(self._unroller.step(self._depth))
            self._depth += 1

    def _sample(self, paths: int) -> None:
        """Paths of the current depth, each ending as differently as possible from those before."""
        unlike: list[Term] = []
        for number in range(paths):
            model = self._model(unlike)
            if model is None:
                self.ended |= number == 0
                return
            last = self._read(model)
            if self._depth == 0:
                self._vary(last)
            at = self._unroller.at
            unlike += [not_(eq(at(x, self._depth), const(v, x.sort))) for x, v in last.items()]

    def _aim(self, goal: Term) -> None:
        """A path that ends in the goal, if there is one of this length."""
        if self._solver.check([self._unroller.at(goal, self._depth)]) is Status.SAT:
            self._read(self._solver.model())

    def _read(self, model: Model) -> State:
        """Keep the states of a path; returns the last."""
        for step in range(self._depth + 1):
            last = {x: model.value(self._unroller.at(x, step)) for x in self.system.variables}
            self._keep(last)
        return last

    def _model(self, unlike: list[Term]) -> Model | None:
        """A path in which as many of the formulas hold as a few unsat cores allow."""
        for _ in range(_ATTEMPTS):
            status = self._solver.check(unlike)
            if status is Status.SAT:
                return self._solver.model()
            if status is Status.UNKNOWN or not unlike:
                return None
            blamed = set(self._solver.core())
            unlike = [formula for formula in unlike if formula not in blamed]
        return None

    def _keep(self, state: State) -> None:
        key = tuple(state.values())
        if key not in self._seen:
            self._seen.add(key)
            self.states.append(state)

    def _vary(self, state: State) -> None:
        """Initial states with other values of the variables that are not determined."""
        initial = and_(self.system.init, self.system.invariant)
        for value in (3, -5, 17):
            varied = dict(state)
            for x in self.system.variables:
                if x.sort is INT and x not in free_vars(initial):
                    varied[x] = value * self._random.randint(1, 9)
            if Evaluator(varied)(initial) is True:
                self._keep(varied)
