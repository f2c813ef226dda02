"""Predicates out of formulas: atoms, in one canonical spelling each.

Two atoms that mean the same, or the opposite, must become one predicate: an abstraction with
``x <= 3``, ``x < 4`` and ``not (x >= 4)`` as three predicates works three times as hard for
nothing. :func:`canonical` gives linear comparisons the form ``a*x + b*y <= c`` with coprime
coefficients, the first of them positive; an atom in the other direction is the negation of such a
one. Conditions inside arithmetic (``ite``) are taken apart, because a weakest precondition through
a branching block is full of them and each arm alone is the better predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd, lcm

from revet.logic import build as b
from revet.logic.arith import split_coefficient
from revet.logic.sorts import INT, REAL, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import atoms, substitute, subterms

# How many cases of nested conditions are worth taking apart.
_CASES = 32
# Atoms with more nodes than this, spelt out as a tree, are not used.
_LARGEST = 100


def canonical(atom: Term) -> tuple[Term, bool]:
    """The canonical atom that means the same (True) or the opposite (False)."""
    positive = True
    while atom.op == Op.NOT:
        atom, positive = atom.args[0], not positive
    if atom.op not in (Op.LE, Op.LT, Op.EQ) or atom.args[0].sort not in (INT, REAL):
        return atom, positive
    sort = atom.args[0].sort
    coefficients, constant = _linear(b.sub(atom.args[0], atom.args[1]))
    if not coefficients:
        return atom, positive
    bound = -constant  # sum of coefficients <= / < / = bound
    strict = atom.op == Op.LT
    if strict and sort is INT:
        bound, strict = bound - 1, False
    if atom.op == Op.EQ:
        return _equation(coefficients, bound, sort), positive
    return _comparison(coefficients, bound, strict, sort, positive)


def _linear(term: Term) -> tuple[dict[Term, int | Fraction], int | Fraction]:
    """Coefficients of non-constant parts, and the constant."""
    coefficients: dict[Term, int | Fraction] = {}
    constant: int | Fraction = 0
    stack: list[tuple[int | Fraction, Term]] = [(1, term)]
    while stack:
        factor, part = stack.pop()
        if part.op == Op.ADD:
            stack.extend((factor, arg) for arg in part.args)
        elif part.op == Op.CONST:
            constant += factor * part.payload
        else:
            own, base = split_coefficient(part)
            if base.op == Op.ADD:
                stack.append((factor * own, base))
            else:
                coefficients[base] = coefficients.get(base, 0) + factor * own
    return {base: factor for base, factor in coefficients.items() if factor}, constant


def _scale(coefficients: dict[Term, int | Fraction], sort: Sort) -> tuple[list[tuple[Term, int]], Fraction]:
    """Coprime integer coefficients in a fixed order, the first positive; and the factor used."""
    items = sorted(coefficients.items(), key=lambda item: _rank(item[0]))
    denominator = lcm(*(Fraction(factor).denominator for _, factor in items))
    numerator = gcd(*(int(factor * denominator) for _, factor in items))
    scale = Fraction(denominator, numerator)
    if items[0][1] < 0:
        scale = -scale
    return [(base, int(factor * scale)) for base, factor in items], scale


def _rank(term: Term) -> tuple[bool, str, int]:
    """Variables by name, whatever order they were made in; then the rest."""
    return (False, term.name, 0) if term.op == Op.VAR else (True, "", term.id)


def _sum(items: Iterable[tuple[Term, int]], sort: Sort) -> Term:
    return b.sum_([b.mul(b.const(factor, sort), base) for base, factor in items], sort)


def _constant(value: Fraction, sort: Sort) -> Term:
    return b.const(int(value) if sort is INT else value, sort)


def _equation(coefficients: dict[Term, int | Fraction], bound: int | Fraction, sort: Sort) -> Term:
    items, scale = _scale(coefficients, sort)
    value = bound * scale
    if sort is INT and value.denominator != 1:
        return FALSE
    return b.eq(_sum(items, sort), _constant(value, sort))


def _comparison(
    coefficients: dict[Term, int | Fraction], bound: int | Fraction, strict: bool, sort: Sort, positive: bool
) -> tuple[Term, bool]:
    items, scale = _scale(coefficients, sort)
    value = bound * scale
    left = _sum(items, sort)
    if sort is INT:
        if scale > 0:  # sum <= floor(value)
            return b.le(left, b.integer(value.numerator // value.denominator)), positive
        # sum >= value, i.e. not (sum <= ceil(value) - 1)
        return b.le(left, b.integer(-(-value.numerator // value.denominator) - 1)), not positive
    right = _constant(value, sort)
    if scale > 0:
        return (b.lt if strict else b.le)(left, right), positive
    return (b.le if strict else b.lt)(left, right), not positive


def predicates(
    formulas: Iterable[Term], splits: Callable[[Term], bool] = lambda equation: True
) -> list[Term]:
    """The canonical atoms of the formulas, each once, in order of appearance.

    An equation between numbers for which ``splits`` holds becomes its two inequalities: half of
    it is often what an invariant needs, and the equation can be put together from them.
    """
    found: dict[Term, None] = {}
    for atom in atoms(*formulas):
        if exceeds(atom, _LARGEST):
            continue  # a whole program in an atom: no predicate to work with
        for plain in _without_conditions(atom):
            for formula in _split(canonical(plain)[0], splits):
                if formula is not TRUE and formula is not FALSE:
                    found[formula] = None
    return list(found)


def _split(formula: Term, splits: Callable[[Term], bool]) -> list[Term]:
    if formula.op == Op.EQ and formula.args[0].sort in (INT, REAL) and splits(formula):
        left, right = formula.args
        return [canonical(b.le(left, right))[0], canonical(b.le(right, left))[0]]
    return [formula]


def _without_conditions(atom: Term) -> list[Term]:
    """Atoms from which ``atom`` can be put together, without ``ite`` inside (unless too many)."""
    done: dict[Term, None] = {}
    todo = [atom]
    seen = {atom}
    while todo:
        current = todo.pop()
        if len(seen) > _CASES:
            return [atom]
        choice = next((node for node in subterms(current) if node.op == Op.ITE), None)
        if choice is None:
            done[current] = None
            continue
        condition, then, otherwise = choice.args
        cases = [*atoms(condition)]
        for arm in (then, otherwise):
            cases += atoms(substitute(current, {choice: arm}))
        for case in cases:
            if case not in seen:
                seen.add(case)
                todo.append(case)
    return list(done)


def exceeds(term: Term, limit: int) -> bool:
    """Has the term, spelt out as a tree, more than ``limit`` nodes?"""
    count = 0
    stack = [term]
    while stack:
        node = stack.pop()
        count += 1
        if count > limit:
            return True
        stack.extend(node.args)
    return False
