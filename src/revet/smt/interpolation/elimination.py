"""Existential elimination, cheap parts first.

Definitions are substituted away; what remains goes to the solver's quantifier elimination, part
by part: conjuncts that share no eliminated variable are treated on their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.budget import Budget
from revet.logic.core import conjunction
from revet.logic.terms import FALSE, Term
from revet.logic.walk import conjuncts, free_vars, size, substitute
from revet.model.definitions import close, split_definitions
from revet.smt.protocol import Eliminator, SolverError

# A formula beyond this many nodes is no source of predicates.
_TOO_LARGE = 20_000


def eliminate(
    variables: Iterable[Term], formulas: Iterable[Term], eliminator: Eliminator, budget: Budget | None
) -> list[Term]:
    """Conjuncts of a formula equivalent to ``exists variables. and formulas``."""
    gone = frozenset(variables)
    parts = list(formulas)
    while True:
        definitions, rest = split_definitions(parts, gone)
        if not definitions:
            break
        closed = close(definitions)
        memo: dict[Term, Term] = {}
        parts = conjuncts(conjunction(substitute(part, closed, memo) for part in rest))
        if size(*parts) > _TOO_LARGE:
            raise SolverError("the formula grew too large")
        if budget is not None:
            budget.poll()
    clean = [part for part in parts if not free_vars(part) & gone]
    if any(part is FALSE for part in clean):
        return [FALSE]
    groups = _groups([part for part in parts if free_vars(part) & gone], gone)
    for group in groups:
        bound = sorted(frozenset().union(*(free_vars(part) for part in group)) & gone, key=lambda v: v.id)
        clean += conjuncts(eliminator.eliminate(bound, conjunction(group), budget))
    return list(dict.fromkeys(clean))


def _groups(parts: list[Term], gone: frozenset[Term]) -> list[list[Term]]:
    """Parts connected by eliminated variables."""
    groups: list[tuple[set[Term], list[Term]]] = []
    for part in parts:
        variables = set(free_vars(part) & gone)
        members = [part]
        apart = []
        for group in groups:
            if group[0] & variables:
                variables |= group[0]
                members = group[1] + members
            else:
                apart.append(group)
        groups = [*apart, (variables, members)]
    return [members for _, members in groups]
