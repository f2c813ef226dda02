"""Candidate invariants: shapes filled with the program's constants and the samples' values.

Every function takes the samples of one mode and yields chains (see :mod:`revet.invariants.houdini`)
of formulas that hold in all of them. Nothing here is sound by itself: Houdini decides what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from revet.invariants.affine import equations
from revet.invariants.houdini import Chain
from revet.invariants.samples import State
from revet.logic.arith import add, ge, le, mod, mul, sub
from revet.logic.core import const, eq, implies, integer, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms

Number = int | Fraction
MACHINE = 2**31 - 1  # larger constants are the limits of machine integers
_TIGHTEST = 4  # thresholds tried on each side of a term


def constants(*formulas: Term) -> list[int]:
    """The program's integers and their neighbours: where bounds are likely."""
    found = {-1, 0, 1}
    for node in subterms(*formulas):
        if node.op == Op.CONST and node.sort in (INT, REAL):
            value = int(node.payload)
            if abs(value) < MACHINE:
                found |= {value - 1, value, value + 1, -value}
    return sorted(found)


def is_range(atom: Term) -> bool:
    """Does the atom only say that a value fits into a machine integer?"""
    return any(arg.op == Op.CONST and arg.sort is INT and abs(arg.payload) >= MACHINE for arg in atom.args)


def bounds(term: Term, samples: Sequence[State], thresholds: Sequence[int]) -> Iterator[Chain]:
    """``term = c``, or bounds at the sampled extremes and at the nearest thresholds outside."""
    values = [_number(Evaluator(state)(term)) for state in samples]
    low, high = min(values), max(values)
    if low == high:
        yield [eq(term, _constant(term, low))]
    else:
        yield _at_most(term, high, thresholds)
        yield _at_least(term, low, thresholds)


def _at_most(term: Term, high: Number, thresholds: Sequence[int]) -> Chain:
    above = [t for t in thresholds if t > high][:_TIGHTEST]
    return [le(term, _constant(term, limit)) for limit in (*reversed(above), high)]


def _at_least(term: Term, low: Number, thresholds: Sequence[int]) -> Chain:
    below = [t for t in reversed(thresholds) if t < low][:_TIGHTEST]
    return [ge(term, _constant(term, limit)) for limit in (*reversed(below), low)]


def octagons(
    variables: Sequence[Term], samples: Sequence[State], thresholds: Sequence[int]
) -> Iterator[Chain]:
    """Bounds of sums and differences where they say more than the bounds of the two variables;
    for differences at thresholds near zero only, where order relations live."""
    columns = {x: [_number(state[x]) for state in samples] for x in variables}
    near = [t for t in thresholds if -2 <= t <= 2]
    for x, y in combinations(variables, 2):
        if x.sort is not y.sort:
            continue
        xs = columns[x]
        for term, ys, limits in (
            (sub(x, y), [-value for value in columns[y]], near),
            (add(x, y), columns[y], thresholds),
        ):
            values = [u + v for u, v in zip(xs, ys, strict=True)]
            if max(values) < max(xs) + max(ys):
                yield _at_most(term, max(values), limits)
            if min(values) > min(xs) + min(ys):
                yield _at_least(term, min(values), limits)


def affine(variables: Sequence[Term], samples: Sequence[State]) -> Iterator[Chain]:
    """Equations of the samples' affine hull (what Karr's analysis would compute)."""
    for sort in (INT, REAL):
        chosen = [x for x in variables if x.sort is sort]
        if len(samples) < 3 or not chosen:
            continue
        points = [[_number(state[x]) for x in chosen] for state in samples]
        for vector in equations(points):
            if max(map(abs, vector)) > 1000:
                continue
            parts = [mul(const(a, sort), x) for a, x in zip(vector, chosen, strict=False) if a]
            if len(parts) > 1:
                yield [eq(add(*parts), const(-vector[-1], sort))]


def congruences(
    variables: Sequence[Term], samples: Sequence[State], moduli: Sequence[int]
) -> Iterator[Chain]:
    """``x mod m = r``."""
    for x in variables:
        if x.sort is not INT:
            continue
        values = {int(_number(state[x])) for state in samples}
        if len(values) > 1:
            for m in moduli:
                remainders = {value % m for value in values}
                if len(remainders) == 1:
                    yield [eq(mod(x, integer(m)), integer(remainders.pop()))]


def facts_of(formulas: Sequence[Term], samples: Sequence[State]) -> Iterator[Chain]:
    """Formulas of the program, or their negations, that are constant in the samples."""
    truths = _truths(formulas, samples)
    for formula, truth in truths.items():
        if all(truth):
            yield [formula]
        elif not any(truth):
            yield [not_(formula)]


def implications(formulas: Sequence[Term], samples: Sequence[State]) -> Iterator[Chain]:
    """``p => q`` and ``p = q`` between formulas of the program that vary in the samples."""
    varying = {f: t for f, t in _truths(formulas, samples).items() if any(t) and not all(t)}
    for (p, ps), (q, qs) in combinations(varying.items(), 2):
        rows = set(zip(ps, qs, strict=True))
        if (True, False) not in rows:
            yield [implies(p, q)]
        if (False, True) not in rows:
            yield [implies(q, p)]
        if (True, True) not in rows:
            yield [implies(p, not_(q))]
        if (False, False) not in rows:
            yield [implies(not_(p), q)]


def _truths(formulas: Sequence[Term], samples: Sequence[State]) -> dict[Term, list[bool]]:
    evaluators = [Evaluator(state) for state in samples]
    return {formula: [evaluate(formula) is True for evaluate in evaluators] for formula in formulas}


def _number(value: object) -> Number:
    assert isinstance(value, (int, Fraction))
    return value


def _constant(term: Term, value: Number) -> Term:
    return const(Fraction(value) if term.sort is REAL else int(value), term.sort)
