"""What is out of the engine's reach, found before any query is made."""

from __future__ import annotations

from revet.engines.reach import Obstacle
from revet.logic.sorts import ArraySort, FloatSort, UninterpretedSort
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.system import TransitionSystem


def out_of_reach(system: TransitionSystem) -> Obstacle | None:
    """The first construct that the engine cannot treat; None if there is none."""
    for term in subterms(
        system.init, system.step.guard, *system.step.updates.values(), *system.invariants,
        *system.properties.values(), *system.variables,
    ):
        found = _obstacle(term)
        if found is not None:
            return Obstacle(found, term)
    return None


def _obstacle(term: Term) -> str | None:
    if term.op in (Op.FORALL, Op.EXISTS):
        return "quantified formulas"
    if term.op == Op.APPLY:
        return "uninterpreted functions"
    sort = term.sort
    while isinstance(sort, ArraySort):
        if isinstance(sort.index, FloatSort):
            return "floating-point numbers"
        sort = sort.element
    if isinstance(sort, FloatSort):
        return "floating-point numbers"
    if isinstance(sort, UninterpretedSort):
        return f"values of the uninterpreted sort {sort.name}"
    return None
