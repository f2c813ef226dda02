"""Existential elimination, cheap parts first.

Definitions are substituted away (destructive equality resolution). A *selection*,
``(s1 or … or sn)`` with ``si => body_i`` for eliminated s1 … sn, becomes the disjunction of its
bodies, and each body is treated on its own: that is how the edges of an automaton appear in a step.
What remains goes to the solver's quantifier elimination, where conjuncts that share no eliminated
variable are again treated apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from revet.budget import Budget
from revet.logic.core import conjunction, disjunction
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import FALSE, Op, Term
from revet.logic.walk import conjuncts, free_vars, free_vars_of, size, substitute
from revet.model.definitions import split_definitions, unfolded
from revet.smt.interpolation.simplify import simplified
from revet.smt.protocol import Eliminator, SolverError

# A formula beyond this many nodes is no source of predicates.
_TOO_LARGE = 20_000


def eliminate(
    variables: Iterable[Term], formulas: Iterable[Term], eliminator: Eliminator, budget: Budget | None
) -> list[Term]:
    """Conjuncts of a formula equivalent to ``exists variables. and formulas``."""
    gone = frozenset(variables)
    parts = _constraining(_without_definitions(list(formulas), gone, budget), gone)
    clean = [part for part in parts if not free_vars(part) & gone]
    if any(part is FALSE for part in clean):
        return [FALSE]
    for group in _groups([part for part in parts if free_vars(part) & gone], gone):
        selection = _selection(group, gone)
        if selection is None:
            bound = sorted(free_vars_of(group) & gone, key=lambda v: v.id)
            clean += conjuncts(eliminator.eliminate(bound, conjunction(group), budget))
            continue
        cases = []
        for body in selection.bodies:
            case = simplified([*selection.rest, *body])
            if FALSE not in case:
                cases.append(conjunction(eliminate(gone, case, eliminator, budget)))
        clean += conjuncts(disjunction(cases))
    return list(dict.fromkeys(clean))


def _without_definitions(parts: list[Term], gone: frozenset[Term], budget: Budget | None) -> list[Term]:
    while True:
        definitions, rest = split_definitions(parts, gone)
        if not definitions:
            return parts
        values = unfolded(definitions)
        memo: dict[Term, Term] = {}
        parts = conjuncts(conjunction(substitute(part, values, memo) for part in rest))
        if size(*parts) > _TOO_LARGE:
            raise SolverError("the formula grew too large")
        if budget is not None:
            budget.poll()


def _constraining(parts: list[Term], gone: frozenset[Term]) -> list[Term]:
    """Without the comparisons that an eliminated number can always satisfy: it occurs nowhere else."""
    while True:
        users: dict[Term, list[Term]] = {}
        for part in parts:
            for variable in free_vars(part) & gone:
                users.setdefault(variable, []).append(part)
        idle = {
            users[variable][0]
            for variable in users
            if len(users[variable]) == 1 and _satisfiable_by(variable, users[variable][0])
        }
        if not idle:
            return parts
        parts = [part for part in parts if part not in idle]


def _satisfiable_by(variable: Term, part: Term) -> bool:
    """Is the part ``variable < t``, ``variable != t`` or the like, with t free of the variable?"""
    atom = part.args[0] if part.op == Op.NOT else part
    if atom.op not in (Op.LE, Op.LT) and not (atom.op == Op.EQ and part.op == Op.NOT):
        return False
    left, right = atom.args
    if variable.sort not in (INT, REAL):
        return False
    return (left is variable and variable not in free_vars(right)) or (
        right is variable and variable not in free_vars(left)
    )


@dataclass(frozen=True)
class _Selection:
    """One of the bodies holds, and the rest."""

    bodies: list[list[Term]]
    rest: list[Term]


def _selection(parts: list[Term], gone: frozenset[Term]) -> _Selection | None:
    """Read the parts as a selection; None if they are not one.

    An eliminated Boolean that occurs only negated, as the head of clauses, selects nothing when it
    is false, so without a choice between them such clauses just go.
    """
    bodies: dict[Term, list[Term]] = {}
    choices: list[Term] = []
    rest = []
    for part in parts:
        if part.op == Op.OR and all(arg.op == Op.VAR and arg in gone for arg in part.args):
            choices.append(part)
            continue
        head = _head(part, gone)
        if head is None:
            rest.append(part)
        else:
            body = disjunction(arg for arg in part.args if arg.op != Op.NOT or arg.args[0] is not head)
            bodies.setdefault(head, []).append(body)
    if len(choices) > 1 or not (choices or bodies):
        return None
    selectors = frozenset(bodies) | frozenset(arg for choice in choices for arg in choice.args)
    inner = free_vars_of([*rest, *(part for body in bodies.values() for part in body)])
    if selectors & inner:
        return None
    if not choices:
        return _Selection([[]], rest)
    return _Selection([bodies.get(arg, []) for arg in choices[0].args], rest)


def _head(part: Term, gone: frozenset[Term]) -> Term | None:
    """v, when the part is ``v => …`` with an eliminated Boolean v."""
    if part.op != Op.OR:
        return None
    for arg in part.args:
        if arg.op == Op.NOT and arg.args[0].op == Op.VAR and arg.args[0] in gone and arg.sort is BOOL:
            return arg.args[0]
    return None


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
