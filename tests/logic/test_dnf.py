"""Disjunctive normal form: equivalent to the formula, and given up when it grows."""

from __future__ import annotations

import random

from hypothesis import given

from revet.logic import build as b
from revet.logic.dnf import cubes_of
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Op
from tests.generators import P, Q, Terms, X, Y, seeds, valuations


@given(seeds())
def test_the_cubes_are_equivalent_to_the_formula(seed: int) -> None:
    formula = Terms(random.Random(seed), (X, Y, P, Q)).formula(4)
    cubes = cubes_of(formula, 5000)
    assert cubes is not None
    for cube in cubes:
        for literal in cube:
            inner = literal.args[0] if literal.op == Op.NOT else literal
            assert inner.op not in (Op.AND, Op.OR) and not (inner.op == Op.ITE and inner.sort is BOOL)
    for state in valuations((X, Y, P, Q)):
        evaluate = Evaluator(state)
        assert evaluate(formula) is any(all(evaluate(literal) for literal in cube) for cube in cubes)


def test_constants_and_contradictions() -> None:
    assert cubes_of(TRUE, 1) == [()]
    assert cubes_of(FALSE, 1) == []
    cubes = cubes_of(b.and_(b.or_(P, Q), b.not_(P)), 2)
    assert cubes is not None and [set(cube) for cube in cubes] == [{Q, b.not_(P)}]


def test_too_many_cubes_are_not_made() -> None:
    pairs = [(b.var(f"p{n}", BOOL), b.var(f"q{n}", BOOL)) for n in range(40)]
    assert cubes_of(b.conjunction(b.or_(p, q) for p, q in pairs), 100) is None
