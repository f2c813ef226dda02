"""Candidate invariants: shapes filled with the program's constants and the samples' values.

Every function takes the samples of one mode and yields chains (see :mod:`invgen.houdini`) of formulas
that hold in all of them. Nothing here is sound by itself: :mod:`invgen.houdini` decides what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from revet.engines.invgen.affine import equations
from revet.engines.invgen.houdini import Chain
from revet.engines.invgen.samples import State
from revet.logic.arith import add, ge, le, mod, mul, sub
from revet.logic.core import const, eq, implies, integer, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms

Number = int | Fraction
_TIGHTEST = 4  # thresholds tried on each side of a term


def constants(*formulas: Term) -> list[int]:
    """The program's integers and their neighbours: where bounds are likely."""
    found = {-1, 0, 1}
    for node in subterms(*formulas):
        if node.op == Op.CONST and node.sort in (INT, REAL):
            value = int(node.payload)
            found |= {value - 1, value, value + 1, -value}
    return sorted(found)


def bounds(term: Term, samples: Sequence[State], thresholds: Sequence[int]) -> Iterator[Chain]:
    """``term = c``, or bounds at the sampled extremes and at the nearest thresholds outside."""
    values = _values(term, samples)
    low, high = min(values), max(values)
    if low == high:
        yield [eq(term, _constant(term, low))]
    above = [t for t in thresholds if t > high][:_TIGHTEST]
    below = [t for t in reversed(thresholds) if t < low][:_TIGHTEST]
    yield [le(term, _constant(term, limit)) for limit in (*reversed(above), high)]
    yield [ge(term, _constant(term, limit)) for limit in (*reversed(below), low)]


def octagons(
    variables: Sequence[Term], samples: Sequence[State], thresholds: Sequence[int]
) -> Iterator[Chain]:
    """Bounds of sums and differences; differences near zero only, where order relations live."""
    near = [t for t in thresholds if -2 <= t <= 2]
    for x, y in combinations(variables, 2):
        if x.sort is y.sort:
            yield from bounds(sub(x, y), samples, near)
            yield from bounds(add(x, y), samples, thresholds)


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


def _values(term: Term, samples: Sequence[State]) -> list[Number]:
    return [_number(Evaluator(state)(term)) for state in samples]


def _number(value: object) -> Number:
    assert isinstance(value, (int, Fraction))
    return value


def _constant(term: Term, value: Number) -> Term:
    return const(Fraction(value) if term.sort is REAL else int(value), term.sort)
