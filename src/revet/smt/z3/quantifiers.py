"""Model-based projection and quantifier elimination with z3.

Traps, each met in practice: ``qe2`` and ``qe_rec`` *decide* a quantifier-free goal, so the
formula is wrapped in its quantifier and nothing simplifies it first; ``Z3_qe_model_project``
may give up on non-linear terms and leave a variable in place, which is an error here. On formulas
with ``ite`` or non-linear terms it has given results that do not even hold in the model, so it is
only given the linear cube of :mod:`revet.logic.implicant`, and the result is evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.errors import ModelError
from revet.logic.core import conjunction, exists
from revet.logic.implicant import implicant
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.smt.protocol import Model, SolverError
from revet.smt.z3.native import array

if TYPE_CHECKING:
    from revet.smt.z3.backend import Z3, Z3Model


def project(
    backend: Z3, variables: Sequence[Term], formula: Term, model: Model, budget: Budget | None = None
) -> Term:
    """See :class:`revet.smt.protocol.Projector`."""
    from revet.smt.z3.backend import Z3Model

    if not isinstance(model, Z3Model):
        raise SolverError("projection needs a model of the same backend")
    occurring = free_vars(formula)
    wanted = [variable for variable in variables if variable in occurring]
    if not wanted:
        return formula
    gone = frozenset(wanted)
    try:
        cube = implicant(formula, model.value, lambda atom: not gone.isdisjoint(free_vars(atom)))
    except ModelError as error:
        raise SolverError(f"cannot project: {error}") from error
    kept = [literal for literal in cube if gone.isdisjoint(free_vars(literal))]
    rest = conjunction(literal for literal in cube if not gone.isdisjoint(free_vars(literal)))
    result = conjunction([*kept, _project_cube(backend, wanted, rest, model, budget)])
    if not model.holds(result):  # z3 has been wrong before
        raise SolverError("z3's projection does not hold in the model")
    return result


def _project_cube(
    backend: Z3, wanted: Sequence[Term], cube: Term, model: Z3Model, budget: Budget | None
) -> Term:
    occurring = free_vars(cube)
    wanted = [variable for variable in wanted if variable in occurring]
    if not wanted:
        return cube
    a, c = backend.api, backend.context
    bound = array([backend.translator.ast(variable) for variable in wanted])
    ast = backend.translator.ast(cube)
    # Not interrupted: that would spoil the context, and one cube takes milliseconds.
    if budget is not None:
        budget.poll()
    with backend.timed(None):
        result = a.qe_model_project(c, model.handle, len(wanted), bound, ast)
    if not result:
        if budget is not None:
            budget.poll()
        a.check_error(c)
        raise SolverError("z3 could not project")
    return _read(backend, result, wanted)


def eliminate(backend: Z3, variables: Sequence[Term], formula: Term, budget: Budget | None = None) -> Term:
    """See :class:`revet.smt.protocol.Eliminator`."""
    occurring = free_vars(formula)
    wanted = [variable for variable in variables if variable in occurring]
    if not wanted:
        return formula
    if budget is not None:  # in a context of its own: an interrupt spoils it
        from revet.smt.z3.backend import Z3

        spare = Z3()
        try:
            return _eliminate(spare, wanted, formula, budget)
        finally:
            backend.queries += spare.queries
            backend.seconds += spare.seconds
    return _eliminate(backend, wanted, formula, None)


def _eliminate(backend: Z3, wanted: Sequence[Term], formula: Term, budget: Budget | None) -> Term:
    a, c = backend.api, backend.context
    goal = a.mk_goal(c, False, False, False)
    a.goal_inc_ref(c, goal)
    a.goal_assert(c, goal, backend.translator.ast(exists(wanted, formula)))
    tactic = a.mk_tactic(c, b"qe2")
    a.tactic_inc_ref(c, tactic)
    try:
        with backend.timed(budget):
            result = a.tactic_apply(c, tactic, goal)
        if not result:
            if budget is not None:
                budget.poll()
            a.check_error(c)
            raise SolverError("z3 could not eliminate a quantifier")
        a.apply_result_inc_ref(c, result)
        formulas = []
        for number in range(a.apply_result_get_num_subgoals(c, result)):
            subgoal = a.apply_result_get_subgoal(c, result, number)
            formulas += [
                _read(backend, a.goal_formula(c, subgoal, i), wanted)
                for i in range(a.goal_size(c, subgoal))
            ]
        a.apply_result_dec_ref(c, result)
        return conjunction(formulas)
    finally:
        a.tactic_dec_ref(c, tactic)
        a.goal_dec_ref(c, goal)


def _read(backend: Z3, ast: int, gone: Sequence[Term]) -> Term:
    a, c = backend.api, backend.context
    a.inc_ref(c, ast)
    try:
        term = backend.reader.term(ast)
    finally:
        a.dec_ref(c, ast)
    left = free_vars(term) & frozenset(gone)
    if left:
        names = ", ".join(sorted(variable.name for variable in left))
        raise SolverError(f"z3 could not eliminate {names}")
    return term
