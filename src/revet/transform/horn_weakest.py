"""Formulas for predicates that lie before others whose formulas are known: weakest preconditions.

A clause ``P(x) and C -> Q(t)`` holds if ``P`` says ``C -> Q(t)``. Where the clauses that ``P`` is used in
draw nothing, the conjunction of these is a formula without quantifiers, and the weakest that ``P`` may have:
if there is a model of the clauses with the known formulas at all, there is one with this formula. No solver
is asked. After Dijkstra, *Guarded commands, nondeterminacy and formal derivation of programs* (1975).
"""

from __future__ import annotations

from collections.abc import Mapping

from revet.logic.core import conjunction, implies
from revet.logic.terms import FALSE, FunctionSymbol, Term
from revet.logic.walk import free_vars, size, substitute
from revet.model.horn import HornSystem
from revet.model.horn_automaton import Solved, solved

_LARGEST = 1_000  # nodes of a formula: through many joins they could double each time


def weakest(system: HornSystem, known: Mapping[FunctionSymbol, Term]) -> dict[FunctionSymbol, Term]:
    """The weakest formulas of predicates that are not known, where they can be written down.

    Left out are those that are used together with another predicate, that lead to what is neither known nor
    found, or to a value that a clause draws, and those whose formula would be large."""
    uses: dict[FunctionSymbol, list[Solved]] = {p: [] for p in system.predicates if p not in known}
    for clause in system.clauses:
        here = [atom.payload for atom in clause.body if atom.payload in uses]
        if len(clause.body) > 1:
            for predicate in here:
                uses.pop(predicate, None)
        elif here:
            uses[here[0]].append(solved(system, clause))
    formulas = dict(known)
    found: dict[FunctionSymbol, Term] = {}
    progress = True
    while progress:
        progress = False
        for predicate, steps in list(uses.items()):
            if all(step.target is None or step.target in formulas for step in steps):
                del uses[predicate]
                formula = conjunction(_before(system, step, formulas) for step in steps)
                locals_ = {x for step in steps for x in step.locals}
                if size(formula) <= _LARGEST and locals_.isdisjoint(free_vars(formula)):
                    formulas[predicate] = found[predicate] = formula
                    progress = True
    return found


def _before(system: HornSystem, step: Solved, formulas: Mapping[FunctionSymbol, Term]) -> Term:
    """What must hold before the step for the target's formula to hold after it."""
    if step.target is None:
        return implies(step.guard, FALSE)
    results = dict(zip(system.arguments[step.target], step.results, strict=True))
    return implies(step.guard, substitute(formulas[step.target], results))
