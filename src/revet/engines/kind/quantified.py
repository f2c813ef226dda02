"""k-induction where the system has quantifiers.

Solvers are quick to refute a formula with quantifiers, or do not end: that there is a run, or that induction
fails, is often beyond them. So each question has its own solver and a few seconds; one that stays open ends
nothing but itself. No question needs a model, except for a violation that was found.
"""

from __future__ import annotations

from revet.budget import OutOfBudget
from revet.engines.common.context import Context
from revet.engines.common.runs import trace_from_model
from revet.errors import ModelError
from revet.events import BoundReached
from revet.logic.core import not_
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import KInductive, Safe, Unknown, Unsafe, Verdict
from revet.smt import Solver, SolverFactory, Status
from revet.smt.errors import SolverError

_DEEPEST = 6
_PATIENCE = 2.0  # seconds for the first question; k times that for the later ones


def induction_with_quantifiers(
    system: TransitionSystem, context: Context, backend: SolverFactory
) -> Verdict:
    """Small k only; unknown when the base stays open or no k is enough."""
    unroller = Unroller(system)
    at, good = unroller.at, system.property
    path: list[Term] = [at(system.invariant, 0)]
    for k in range(1, _DEEPEST + 1):
        context.budget.poll()
        base = [unroller.init(), *path, not_(at(good, k - 1))]
        found = _answer(system, unroller, backend, context, base, k)
        if isinstance(found, Unsafe):
            return found
        if found is not Status.UNSAT:
            return Unknown("the solver could not decide the base case", k - 2 if k > 1 else None)
        context.observe(BoundReached("kind", k - 1))
        path += [at(good, k - 1), unroller.step(k - 1)]
        if _answer(system, unroller, backend, context, [*path, not_(at(good, k))], None) is Status.UNSAT:
            return Safe(KInductive(good, k))
    return Unknown(f"the property is not {_DEEPEST}-inductive", _DEEPEST - 1)


def _answer(
    system: TransitionSystem, unroller: Unroller, backend: SolverFactory, context: Context,
    formulas: list[Term], depth: int | None,
) -> Status | Unsafe:
    """The solver's answer within a few seconds; for the base case of a ``depth``, a run that it found."""
    with context.budget.part(_PATIENCE * max(1, depth or 1)) as limit:
        solver: Solver = backend.solver(budget=limit)
        for formula in formulas:
            solver.add(formula)
        try:
            status = solver.check()
            if status is Status.SAT and depth is not None:
                return Unsafe(trace_from_model(system, unroller, solver.model(), depth - 1))
            return status
        except (OutOfBudget, SolverError, ModelError):  # a model that cannot be read is none
            context.budget.poll()
            return Status.UNKNOWN
