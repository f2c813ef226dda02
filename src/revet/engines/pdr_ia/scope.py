"""What is out of the engine's reach, found before any query is made."""

from __future__ import annotations

from revet.logic.sorts import ArraySort, FloatSort, UninterpretedSort
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.system import TransitionSystem


def out_of_reach(system: TransitionSystem) -> str | None:
    """The first construct that the engine cannot treat, in words; None if there is none."""
    for term in subterms(
        system.init, system.step.guard, *system.step.updates.values(), *system.invariants,
        *system.properties.values(), *system.variables,
    ):
        found = _obstacle(term)
        if found is not None:
            return found
    return None


def _obstacle(term: Term) -> str | None:
    if term.op in (Op.FORALL, Op.EXISTS):
        return f"quantified formulas: {term!r}"
    if term.op == Op.APPLY:
        return f"uninterpreted functions: {term!r}"
    sort = term.sort
    while isinstance(sort, ArraySort):
        if isinstance(sort.index, FloatSort):
            return f"floating-point numbers: {term!r}"
        sort = sort.element
    if isinstance(sort, FloatSort):
        return f"floating-point numbers: {term!r}"
    if isinstance(sort, UninterpretedSort):
        return f"values of the uninterpreted sort {sort.name}: {term!r}"
    return None
