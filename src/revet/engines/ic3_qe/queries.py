"""The questions IC3 asks, on two long-lived solvers.

The step solver holds T over ``x``, ``x'`` and the inputs, and the property for ``x`` (every frame
implies it). A lemma is asserted once, behind the literal of its level; F_i switches on the
literals of the levels from i up. The literals of a cube after the step are assumptions, so the
unsat core tells which of them were needed.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.engines.common.pdr.answers import INFINITY, Blocked, Reached
from revet.engines.ic3_qe.cubes import Cube
from revet.logic.core import and_, not_, or_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import Memo, substitute
from revet.model.names import prime
from revet.model.system import TransitionSystem
from revet.smt import Model, SolverError, SolverFactory, Status

_RENEW_AFTER = 600  # temporary clauses


class Queries:
    def __init__(self, system: TransitionSystem, backend: SolverFactory, budget: Budget) -> None:
        self.system = system
        self.backend = backend
        self.budget = budget
        self._primes = {x: prime(x) for x in system.variables}
        self._memo: Memo = {}
        self._bad_after = not_(self.after(system.property))
        self._lemmas: dict[Cube, float] = {}
        self._initial = backend.solver(budget=budget)
        self._initial.add(and_(system.init, system.invariant))
        self._start = var("level!0", BOOL)
        self._levels: list[Term] = []
        self._renew()

    def _renew(self) -> None:
        """A fresh step solver: dead temporary clauses slow a solver down."""
        self._solver = self.backend.solver(budget=self.budget)
        self._solver.add(self.system.trans)
        self._solver.add(self.system.property)
        self._solver.add(or_(not_(self._start), self.system.init))
        self._temporary = 0
        for cube, level in self._lemmas.items():
            self._assert(cube, level)

    def after(self, formula: Term) -> Term:
        """The formula about the state after the step."""
        return substitute(formula, self._primes, self._memo)

    def _level(self, level: int) -> Term:
        while len(self._levels) <= level:
            self._levels.append(var(f"level!{len(self._levels)}", BOOL))
        return self._levels[level]

    def frame(self, level: float, top: int) -> list[Term]:
        """Assumptions that make up F_level."""
        if level == INFINITY:
            return []
        switches = [self._level(i) for i in range(max(int(level), 1), top + 1)]
        return [self._start, *switches] if level == 0 else switches

    def learn(self, cube: Cube, level: float) -> None:
        self._lemmas[cube] = level
        self._assert(cube, level)

    def forget(self, cubes: set[Cube]) -> None:
        """These lemmas are subsumed: the next fresh solver does without them."""
        for cube in cubes:
            self._lemmas.pop(cube, None)

    def _assert(self, cube: Cube, level: float) -> None:
        if level == INFINITY:
            self._solver.add(cube.lemma)
        else:
            self._solver.add(or_(not_(self._level(int(level))), cube.lemma))

    def _check(self, assumptions: list[Term]) -> bool:
        """SAT? A solver that does not know ends the engine, with its reason."""
        self.budget.poll()
        status = self._solver.check(assumptions)
        if status is Status.UNKNOWN:
            raise SolverError(self._solver.reason_unknown)
        return status is Status.SAT

    def violation(self, level: int, top: int) -> Model | None:
        """A step from F_level to a state that violates the property."""
        found = self._check([self._bad_after, *self.frame(level, top)])
        return self._solver.model() if found else None

    def consecution(
        self, cube: Cube, level: float, top: int, *, relative: bool = True
    ) -> Blocked[list[Term]] | Reached[Model]:
        """Can F_level (without the cube, if ``relative``) step into the cube?"""
        after = {self.after(literal): literal for literal in cube.literals}
        assumptions = [*after, *self.frame(level, top)]
        if relative:
            if self._temporary >= _RENEW_AFTER:
                self._renew()
            self._temporary += 1
            without = var(f"without!{self._temporary}", BOOL)
            self._solver.add(or_(not_(without), cube.lemma))
            assumptions.append(without)
        reached = self._check(assumptions)
        answer: Blocked[list[Term]] | Reached[Model]
        if reached:
            answer = Reached(self._solver.model())
        else:
            answer = Blocked([after[part] for part in self._solver.core() if part in after])
        if relative:
            self._solver.add(not_(without))
        return answer

    def initiation(self, cube: Cube) -> Blocked[list[Term]] | Reached[Model]:
        """Is a state of the cube initial?"""
        self.budget.poll()
        status = self._initial.check(cube.literals)
        if status is Status.UNKNOWN:
            raise SolverError(self._initial.reason_unknown)
        if status is Status.SAT:
            return Reached(self._initial.model())
        return Blocked(self._initial.core())

    def initially_bad(self) -> Model | None:
        found = self.initiation(Cube([not_(self.system.property)]))
        return None if isinstance(found, Blocked) else found.by
