"""Reachable states to learn candidates from: random runs where inputs can be drawn, else models.

A system with a weak guard (a circuit, a Lustre program) is simulated with random inputs. In one
whose guard ties the inputs down (a program's steps), the solver finds the runs: models of short
unrollings, each as unlike the ones before as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Protocol

from revet.budget import Budget
from revet.logic.core import and_, const, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, REAL, BitVecSort
from revet.logic.terms import Term
from revet.logic.values import Value, default_value
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Model, SolverFactory, Status

State = dict[Term, Value]
_ATTEMPTS = 8
_RUNS = 16


class Slice(Protocol):
    """A part of a budget: ``poll`` raises :class:`revet.budget.OutOfBudget` when it is used up."""

    def poll(self) -> None: ...


class Sampler:
    """Unrolls step by step; each depth gives a few paths that end in different states."""

    def __init__(self, system: TransitionSystem, backend: SolverFactory, budget: Budget) -> None:
        self.system = system
        self.slice: Slice = budget  # polled between depths
        self.states: list[State] = []
        self.ended = False  # no longer path exists, or the solver gave up
        self._seen: set[tuple[Value, ...]] = set()
        self._unroller = Unroller(system)
        self._solver = backend.solver(budget=budget)
        self._solver.add(self._unroller.init())
        self._depth = 0
        self._starts: list[State] = []
        self._random = Random(1)

    def deepen(self, depth: int, goals: Sequence[Term] = (), paths: int = 3) -> None:
        """Sample until paths of ``depth`` steps have been seen, ``paths`` at each depth.

        ``goals`` are conditions (locations) of which states are wanted in particular.
        """
        if self._depth > 0 and self._simulate(depth):
            return
        while self._depth <= depth and not self.ended:
            self.slice.poll()
            self._sample(paths)
            for goal in goals:
                if not any(Evaluator(state)(goal) is True for state in self.states):
                    self._aim(goal)
            self._solver.add(self._unroller.step(self._depth))
            self._depth += 1
            if self._depth == 1 and self._simulate(depth):
                return

    def _simulate(self, depth: int) -> bool:
        """Random runs from the initial states known; False if the guard stops nearly all of them, or
        cannot be evaluated."""
        if self.system.step.guard.quantified:
            return False
        steps = 0
        for run in range(_RUNS if self._starts else 0):
            steps += self._random_run(self._starts[run % len(self._starts)], 2 * depth)
            if steps == 0 and run >= _RUNS // 2:
                return False
        return steps >= _RUNS

    def _random_run(self, state: State, depth: int) -> int:
        """Keep the states of one run; how many steps it went."""
        step, invariant = self.system.step, self.system.invariant
        for taken in range(depth):
            inputs = self._inputs()
            evaluate = Evaluator({**state, **inputs})
            if evaluate(step.guard) is not True:
                return taken
            state = {x: evaluate(step.after(x)) for x in self.system.variables}
            if Evaluator(state)(invariant) is not True:
                return taken
            self._keep(state)
        return depth

    def _inputs(self) -> State:
        """Random inputs; half of the time at most one event (Boolean) happens at once."""
        inputs = {v: self._draw(v) for v in self.system.inputs}
        events = [v for v in self.system.inputs if v.sort is BOOL]
        if events and self._random.random() < 0.5:
            inputs.update(dict.fromkeys(events, False))
            inputs[self._random.choice(events)] = True
        return inputs

    def _draw(self, variable: Term) -> Value:
        sort = variable.sort
        if sort is BOOL:
            return self._random.random() < 0.5
        if sort is INT:
            return self._random.choice((0, 1, 2, -1, self._random.randint(-10, 20)))
        if sort is REAL:
            return Fraction(self._random.randint(-20, 40), 4)
        if isinstance(sort, BitVecSort):
            return self._random.getrandbits(sort.width)
        return default_value(sort)

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
                self._starts.append(last)
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
