"""Conjuncts that merely define a variable: ``t = x + 1`` where t may be chosen freely.

Large blocks name intermediate values in this way. A definition always has a solution, so it can be
looked through (when a step is generalised) or substituted away (when t is eliminated): the cheap
part of quantifier elimination, known as destructive equality resolution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revet.logic.core import conjunction
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.relation import Relation


def split_definitions(
    formulas: Sequence[Term], variables: Iterable[Term]
) -> tuple[dict[Term, Term], list[Term]]:
    """Definitions of some of ``variables``, and the formulas that are left over.

    Each variable has one definition at most and definitions are not circular. They may mention
    each other; see :func:`unfolded`.
    """
    wanted = frozenset(variables)
    definitions: dict[Term, Term] = {}
    mentioned: set[Term] = set()  # in definitions so far: only those can close a circle
    rest = []
    for formula in formulas:
        for variable, value in _readings(formula):
            if (
                variable in wanted
                and variable not in definitions
                and variable not in free_vars(value)
                and not (variable in mentioned and _depends(value, variable, definitions, wanted))
            ):
                definitions[variable] = value
                mentioned |= free_vars(value)
                break
        else:
            rest.append(formula)
    return definitions, rest


def _readings(formula: Term) -> list[tuple[Term, Term]]:
    """The ways to read a formula as ``variable = value``; the younger side first, which is the one being
    defined where values are numbered as they are made."""
    if formula.op == Op.VAR:
        return [(formula, TRUE)]
    if formula.op == Op.NOT and formula.args[0].op == Op.VAR:
        return [(formula.args[0], FALSE)]
    if formula.op == Op.EQ:
        left, right = formula.args
        sides = ((left, right), (right, left)) if left.id > right.id else ((right, left), (left, right))
        return [(v, t) for v, t in sides if v.op == Op.VAR]
    return []


def _depends(value: Term, variable: Term, definitions: dict[Term, Term], wanted: frozenset[Term]) -> bool:
    """Does ``value`` mention ``variable``, directly or through definitions?"""
    seen: set[Term] = set()
    stack = [value]
    while stack:
        for name in free_vars(stack.pop()) & wanted:
            if name is variable:
                return True
            if name not in seen:
                seen.add(name)
                if name in definitions:
                    stack.append(definitions[name])
    return False


def unfolded(definitions: dict[Term, Term]) -> dict[Term, Term]:
    """The same definitions with one another substituted into them."""
    values: dict[Term, Term] = {}
    stack = list(reversed(definitions))
    while stack:
        variable = stack[-1]
        if variable in values:
            stack.pop()
            continue
        value = definitions[variable]
        missing = [v for v in sorted(free_vars(value), key=_by_id) if v in definitions and v not in values]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        inner = {v: values[v] for v in free_vars(value) if v in values}
        values[variable] = substitute(value, inner) if inner else value
    return values


def inlined(relation: Relation, names: Iterable[Term]) -> Relation:
    """The same step, with those of its locals that merely name a value replaced by it."""
    definitions, rest = split_definitions(conjuncts(relation.guard), names)
    if not definitions:
        return relation
    values = unfolded(definitions)
    memo: dict[Term, Term] = {}
    return Relation(
        conjunction(substitute(formula, values, memo) for formula in rest),
        {x: substitute(value, values, memo) for x, value in relation.updates.items()},
        tuple(x for x in relation.locals if x not in values),
    )


def eliminate_definitions(literals: Sequence[Term], gone: Iterable[Term]) -> list[Term]:
    """The literals without those that define a variable of ``gone``, its value put in the others."""
    definitions, rest = split_definitions(literals, gone)
    if not definitions:
        return rest
    values = unfolded(definitions)
    memo: dict[Term, Term] = {}
    parts = (part for literal in rest for part in conjuncts(substitute(literal, values, memo)))
    return [part for part in dict.fromkeys(parts) if part is not TRUE]


def _by_id(term: Term) -> int:
    return term.id
