"""Structural abstraction: prove the step with part of the transition relation (Laurent, *An insight into
SMT-based model checking techniques*, 2014).

T is a conjunction of clauses: one equation ``x' = f(x, inputs)`` a state variable, the
conjuncts of the guard, and the system's invariants. The step starts with the definitions of the
variables in the property. A counterexample of this weaker relation is checked against the full
one with the states fixed; if it is spurious, the unsat core names variables whose values
disagree, and the definition of the deepest one in the dependency graph is restored together
with those of the variables it reads directly.
"""

from __future__ import annotations

from collections import deque

from revet.budget import Budget
from revet.logic.core import const, eq, not_, or_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import conjuncts, free_vars
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Model, Solver, SolverFactory, Status


class Abstraction:
    """Which definitions are in force, and how to add some."""

    def __init__(
        self, system: TransitionSystem, unroller: Unroller, backend: SolverFactory, budget: Budget
    ) -> None:
        self.system = system
        self.unroller = unroller
        self.refinements = 0
        self._switches = {x: var(f"defined!{x.name}", BOOL) for x in system.variables}
        self._guard = var("defined!", BOOL)
        self._depth = dependency_depth(system)
        self._reads = dependencies(system)
        start = free_vars(system.property)
        self.defined: dict[Term, None] = {x: None for x in system.variables if x in start}
        self.guarded = False
        self._solver: Solver | None = None
        self._full = backend.solver(budget=budget)
        self._full.add(unroller.at(system.invariant, 0))
        self._steps = 0

    def attach(self, solver: Solver) -> None:
        self._solver = solver

    def extend(self, step: int) -> None:
        """Give the step solver the clauses of one step, each behind its switch."""
        assert self._solver is not None
        at = self.unroller.at
        for x, switch in self._switches.items():
            equation = eq(at(x, step + 1), at(self.system.step.after(x), step))
            self._solver.add(or_(not_(switch), equation))
        for clause in conjuncts(self.system.step.guard):
            self._solver.add(or_(not_(self._guard), at(clause, step)))
        self._solver.add(at(self.system.invariant, step + 1))
        self._full.add(self.unroller.step(step))
        self._steps = step + 1

    def assumptions(self) -> list[Term]:
        switches = [self._switches[x] for x in self.defined]
        return [*switches, self._guard] if self.guarded else switches

    @property
    def complete(self) -> bool:
        return self.guarded and len(self.defined) == len(self._switches)

    def refine(self, model: Model, k: int) -> bool:
        """Restore definitions that the path in the model lacks; False if it is a real path."""
        if self.complete:
            return False
        fixed: dict[Term, Term] = {}
        for step in range(k + 1):
            for x in self._relevant():
                copy = self.unroller.at(x, step)
                fixed[eq(copy, const(model.value(copy), x.sort))] = x
        status = self._full.check(fixed)
        if status is Status.SAT:
            return False
        self.refinements += 1
        missing = [x for x in self._switches if x not in self.defined]
        if status is Status.UNKNOWN:
            self._restore(missing)
            return True
        blamed = {fixed[equation] for equation in self._full.core()}
        self._restore(self._chosen(blamed, missing))
        return True

    def _relevant(self) -> list[Term]:
        """Variables whose values the abstract path really chose: defined ones and what they read."""
        seen = dict(self.defined)
        for x in self.defined:
            seen.update(dict.fromkeys(self._reads[x]))
        if self.guarded:
            read = free_vars(self.system.step.guard)
            seen.update(dict.fromkeys(x for x in self.system.variables if x in read))
        return list(seen)

    def _chosen(self, blamed: set[Term], missing: list[Term]) -> list[Term]:
        """The deepest blamed variable without a definition, and what it reads."""
        candidates = [x for x in missing if x in blamed]
        if not candidates:  # the values are consistent by the definitions: the guard is violated
            return [] if not self.guarded else missing
        deepest = max(candidates, key=lambda x: self._depth.get(x, 0))
        return [deepest, *(x for x in self._reads[deepest] if x in missing)]

    def _restore(self, variables: list[Term]) -> None:
        self.defined.update(dict.fromkeys(variables))
        if not variables:
            self.guarded = True


def dependencies(system: TransitionSystem) -> dict[Term, list[Term]]:
    """For every variable the variables that its definition reads."""
    known = set(system.variables)
    return {
        x: sorted((v for v in free_vars(system.step.after(x)) if v in known), key=lambda v: v.id)
        for x in system.variables
    }


def dependency_depth(system: TransitionSystem) -> dict[Term, int]:
    """The distance of every variable from the property; unreachable ones are missing."""
    reads = dependencies(system)
    start = [x for x in system.variables if x in free_vars(system.property)]
    depth = dict.fromkeys(start, 0)
    queue = deque(start)
    while queue:
        x = queue.popleft()
        for y in reads[x]:
            if y not in depth:
                depth[y] = depth[x] + 1
                queue.append(y)
    return depth
