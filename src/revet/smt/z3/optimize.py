"""Bounds of linear terms under a formula, by z3's optimiser."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from revet.budget import Budget, OutOfBudget
from revet.logic.terms import Term
from revet.smt.z3.backend import Z3

Interval = tuple[Fraction | None, Fraction | None]


def bounds(backend: Z3, terms: Sequence[Term], formula: Term, budget: Budget | None = None) -> list[Interval]:
    """For each term its least and greatest value under the formula (None: unbounded, unknown).

    A strict bound of a real is given as if it were attained. All bounds come from one call
    (``priority=box``: the objectives are independent).
    """
    a, c = backend.api, backend.context
    handle = a.mk_optimize(c)
    a.optimize_inc_ref(c, handle)
    parameters = a.mk_params(c)
    a.params_inc_ref(c, parameters)
    try:
        priority, box = (a.mk_string_symbol(c, name) for name in (b"priority", b"box"))
        a.params_set_symbol(c, parameters, priority, box)
        a.optimize_set_params(c, handle, parameters)
        a.optimize_assert(c, handle, backend.translator.ast(formula))
        asts = [backend.translator.ast(term) for term in terms]
        lowest = [a.optimize_minimize(c, handle, ast) for ast in asts]
        highest = [a.optimize_maximize(c, handle, ast) for ast in asts]
        with backend.timed(budget):
            code = a.optimize_check(c, handle, 0, None)
        if code != 1:
            if budget is not None and budget.exhausted:
                raise OutOfBudget("time is up")
            return [(None, None)] * len(terms)
        return [
            (
                _finite(backend, a.optimize_get_lower_as_vector(c, handle, low)),
                _finite(backend, a.optimize_get_upper_as_vector(c, handle, high)),
            )
            for low, high in zip(lowest, highest, strict=True)
        ]
    finally:
        a.params_dec_ref(c, parameters)
        a.optimize_dec_ref(c, handle)


def _finite(backend: Z3, vector: int) -> Fraction | None:
    """z3 writes a bound as ``a * infinity + b + c * epsilon``."""
    a, c = backend.api, backend.context
    a.ast_vector_inc_ref(c, vector)
    try:
        infinite, finite = (
            Fraction(a.get_numeral_string(c, a.ast_vector_get(c, vector, i)).decode()) for i in (0, 1)
        )
    finally:
        a.ast_vector_dec_ref(c, vector)
    return finite if infinite == 0 else None
