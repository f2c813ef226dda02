"""Definitions among conditions: which variables need not be solved for.

:func:`solved` recognises what the conditions come to

* as equations, also linear ones such as ``x - y = -1``;
* under conditions that other conjuncts decide: ``c`` and ``not c or x = t``;
* in cases: ``c or x = t`` and ``not c or x = u`` give ``x = ite(c, u, t)``, case by case.

:func:`chosen` also gives values to variables that one condition alone mentions and that can satisfy it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from fractions import Fraction

from revet.logic.arith import add, mul, sub
from revet.logic.core import const, disjunction, eq, ite, not_
from revet.logic.linear import linear_form
from revet.logic.sorts import INT, REAL, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, disjuncts, free_vars, substitute
from revet.model.horn_automaton import solve_equations

_ROUNDS = 20

Case = tuple[frozenset[Term], Term]
"""A value, and the conditions of which one holds where the value is another."""


def solved(conditions: list[Term], free: set[Term]) -> tuple[list[Term], dict[Term, Term]]:
    """Definitions of ``free`` variables that the conditions come to, and conditions that are left.

    The definitions mention no defined variable, and no quantifier: they can be evaluated. Together with the
    conditions left they are equivalent to those given.
    """
    found: dict[Term, Term] = {}
    quantified = [part for part in conditions if part.quantified]
    pending, free = [part for part in conditions if not part.quantified], set(free)
    for _ in range(_ROUNDS):
        before = pending
        pending = _propagated(_spread(pending, free))
        pending = _merged([_isolated(part, free) for part in pending], free)
        pending, defined = solve_equations(pending, free)  # takes what it defines from the free ones
        if defined:
            memo: dict[Term, Term] = {}
            found = {x: substitute(value, defined, memo) for x, value in found.items()} | defined
        elif pending == before:
            break
        pending = list(dict.fromkeys(part for part in pending if part is not TRUE))
    return [*pending, *(substitute(part, found) for part in quantified)], found


def chosen(conditions: list[Term], free: set[Term]) -> tuple[list[Term], dict[Term, Term]]:
    """As :func:`solved`, but the values are some that do, not the only ones: the conditions left hold of the
    other variables if and only if all hold for some values of the free ones that have no definition."""
    rest, found = solved(conditions, free)
    free = free - found.keys()
    while True:
        uses = Counter(x for part in rest for x in free_vars(part))
        choice = next(
            ((part, x, value) for part in rest if part.op == Op.OR and not part.quantified
             for x, (_, value) in _readings(part, free) if uses[x] == 1), None
        )
        if choice is None:
            return rest, found
        part, variable, value = choice
        rest = [each for each in rest if each is not part]
        found = {x: substitute(term, {variable: value}) for x, term in found.items()} | {variable: value}
        free.discard(variable)


def _spread(conditions: Iterable[Term], free: set[Term]) -> list[Term]:
    """``c or (a and b)`` as ``c or a`` and ``c or b``, where a free variable may be defined so."""
    made: list[Term] = []
    stack = list(reversed(list(conditions)))
    while stack:
        condition = stack.pop()
        parts = disjuncts(condition)
        joined = [part for part in parts if part.op == Op.AND]
        if condition.op == Op.OR and len(joined) == 1 and not free.isdisjoint(free_vars(joined[0])):
            others = [part for part in parts if part is not joined[0]]
            stack += reversed([disjunction([*others, part]) for part in conjuncts(joined[0])])
        elif condition is not TRUE:
            made += conjuncts(condition)
    return made


def _propagated(conditions: list[Term]) -> list[Term]:
    """What single conditions say is put into those that are made of several."""
    facts: dict[Term, Term] = {}
    for part in conditions:
        if part.op != Op.OR and not part.is_const:
            facts[part] = TRUE
            facts[not_(part)] = FALSE
    memo: dict[Term, Term] = {}
    return [
        each
        for part in conditions
        for each in (conjuncts(substitute(part, facts, memo)) if part.op == Op.OR else (part,))
    ]


def _isolated(condition: Term, free: set[Term]) -> Term:
    """A linear equation as one for a free variable, if it can be solved for one."""
    if condition.op != Op.EQ or not free.isdisjoint(condition.args):
        return condition
    left, right = condition.args
    sort = left.sort
    if sort not in (INT, REAL):
        return condition
    coefficients, constant = linear_form(sub(left, right))
    for variable, factor in reversed(coefficients.items()):
        if variable in free and (sort is REAL or abs(factor) == 1):
            scale = -1 / Fraction(factor)
            rest = [(x, each) for x, each in coefficients.items() if x is not variable]
            others = [mul(_number(each * scale, sort), x) for x, each in rest]
            if not any(variable in free_vars(part) for part in others):
                return eq(variable, add(*others, _number(constant * scale, sort)))
    return condition


def _number(value: Fraction, sort: Sort) -> Term:
    return const(int(value) if sort is INT else value, sort)


def _merged(conditions: list[Term], free: set[Term]) -> list[Term]:
    """Two cases of a free variable's value that differ in one condition, as one."""
    cases: dict[Term, dict[frozenset[Term], tuple[Term, Term]]] = {}
    live = dict.fromkeys(conditions)
    todo = list(conditions)
    while todo:
        condition = todo.pop()
        if condition.op != Op.OR or condition not in live:
            continue
        for variable, (others, value) in _readings(condition, free):
            known = cases.setdefault(variable, {})
            partner = next((p for p in _ordered(others) if _is_live(known.get(_but(others, p)), live)), None)
            if partner is None:
                known[others] = (value, condition)
                continue
            other_value, other = known[_but(others, partner)]
            del live[condition], live[other]
            left = [part for part in _ordered(others) if part is not partner]
            made = disjunction([*left, eq(variable, ite(partner, other_value, value))])
            live[made] = None
            todo.append(made)
            break
    return list(live)


def _but(conditions: frozenset[Term], one: Term) -> frozenset[Term]:
    """The same conditions, but for the negation of one."""
    return (conditions - {one}) | {not_(one)}


def _is_live(case: tuple[Term, Term] | None, live: Container[Term]) -> bool:
    return case is not None and case[1] in live


def _ordered(terms: Iterable[Term]) -> list[Term]:
    return sorted(terms, key=lambda term: term.id)


def _readings(condition: Term, free: set[Term]) -> list[tuple[Term, Case]]:
    """The ways to read a disjunction as the value of a free variable unless a condition holds."""
    parts = [_isolated(part, free) for part in disjuncts(condition)]
    found = []
    for part in parts:
        for variable, value in _equations(part):
            others = frozenset(each for each in parts if each is not part)
            if variable in free and not any(variable in free_vars(each) for each in (value, *others)):
                found.append((variable, (others, value)))
    return found


def _equations(part: Term) -> list[tuple[Term, Term]]:
    if part.op == Op.VAR:
        return [(part, TRUE)]
    if part.op == Op.NOT:
        return [(part.args[0], FALSE)]
    if part.op == Op.EQ:
        left, right = part.args
        return [(left, right), (right, left)]
    return []
