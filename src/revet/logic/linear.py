"""Linear atoms in one normal form, so that equal constraints are one interned term.

``x < 3``, ``x <= 2``, ``not x >= 3`` and ``2*x <= 5`` over the integers all become ``x <= 2``:
the constant stands alone, coefficients have no common factor, integer bounds are tightened, and
the first coefficient is positive (``-x <= -3`` is ``3 <= x``). Anything that is not a sum or a
multiple counts as a variable; what is no linear literal is returned as it is.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd

from revet.logic.arith import add, le, lt, mul
from revet.logic.core import boolean, const, eq, not_
from revet.logic.sorts import INT, REAL, Sort
from revet.logic.terms import Op, Term

Number = int | Fraction


def linear_form(term: Term) -> tuple[dict[Term, Number], Number]:
    """A numeric term as coefficients (none zero, older variables first) and a constant."""
    coefficients: dict[Term, Number] = {}
    constant: Number = 0
    stack: list[tuple[Term, Number]] = [(term, 1)]
    while stack:
        node, factor = stack.pop()
        if node.op == Op.CONST:
            constant += factor * node.payload
        elif node.op == Op.ADD:
            stack.extend((arg, factor) for arg in node.args)
        elif node.op == Op.MUL and node.args[0].op == Op.CONST and len(node.args) == 2:
            stack.append((node.args[1], factor * node.args[0].payload))
        elif node.op == Op.MUL and node.args[0].op == Op.CONST:
            stack.append((mul(*node.args[1:]), factor * node.args[0].payload))
        else:
            coefficients[node] = coefficients.get(node, 0) + factor
    ordered = sorted((base for base, factor in coefficients.items() if factor), key=lambda base: base.id)
    return {base: coefficients[base] for base in ordered}, constant


def normalize_literal(literal: Term) -> Term:
    """The normal form of a linear literal over integers or reals; other terms unchanged."""
    if literal.op == Op.NOT:
        return not_(normalize_literal(literal.args[0])) if literal.args[0].op == Op.EQ else literal
    if literal.op not in (Op.LE, Op.LT, Op.EQ) or literal.args[0].sort not in (INT, REAL):
        return literal
    sort = literal.args[0].sort
    left, c = linear_form(literal.args[0])
    right, d = linear_form(literal.args[1])
    coefficients = dict(left)
    for base, factor in right.items():
        coefficients[base] = coefficients.get(base, 0) - factor
    ordered = {
        base: coefficients[base]
        for base in sorted(coefficients, key=lambda base: base.id)
        if coefficients[base]
    }
    return _literal(literal.op, ordered, d - c, sort)


def _literal(op: str, coefficients: dict[Term, Number], bound: Number, sort: Sort) -> Term:
    """``sum op bound``, normalised."""
    if not coefficients:
        return boolean({Op.LE: bound >= 0, Op.LT: bound > 0, Op.EQ: bound == 0}[op])
    leading = next(iter(coefficients.values()))
    if sort is INT:
        scale: Number = gcd(*(int(factor) for factor in coefficients.values()))
    else:
        scale = abs(Fraction(leading))
    if sort is INT and op == Op.LT:
        op, bound = Op.LE, bound - 1
    limit = Fraction(bound) / scale
    if sort is INT and op == Op.LE:
        limit = Fraction(floor(limit))
    if sort is INT and limit.denominator != 1:
        return boolean(False)
    sign = 1 if leading > 0 else -1
    total = add(*(
        mul(const(_exact(sign * factor / Fraction(scale), sort), sort), base)
        for base, factor in coefficients.items()
    ))
    constant = const(_exact(sign * limit, sort), sort)
    if op == Op.EQ:
        return eq(total, constant)
    compare = le if op == Op.LE else lt
    return compare(total, constant) if sign > 0 else compare(constant, total)


def _exact(number: Fraction, sort: Sort) -> Number:
    return int(number) if sort is INT else number


def split_equality(literal: Term) -> tuple[Term, ...]:
    """``a = b`` on numbers as two inequalities; anything else as it is."""
    if literal.op == Op.EQ and literal.args[0].sort in (INT, REAL):
        left, right = literal.args
        return (le(left, right), le(right, left))
    return (literal,)
