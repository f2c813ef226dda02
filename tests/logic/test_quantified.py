"""Quantifiers in ``evaluate``: Tegzes (2018), example 5, and finite checks against enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from revet.errors import ModelError
from revet.logic import build as b
from revet.logic.core import exists, forall
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec
from revet.logic.terms import FunctionSymbol
from revet.logic.values import ArrayValue

X, Y, Z = (b.var(name, INT) for name in "xyz")
R = b.var("r", REAL)
P = b.var("p", BOOL)


def test_example_5() -> None:
    f = FunctionSymbol("f", (INT, INT), INT)
    g = FunctionSymbol("g", (INT,), INT)
    h = FunctionSymbol("h", (), INT)
    p = FunctionSymbol("p", (INT,), BOOL)
    q = FunctionSymbol("q", (INT, INT), BOOL)
    meaning = {
        f: lambda x, y: x + y, g: lambda x: x + (-100), h: lambda: 42,
        p: lambda x: x < 0, q: lambda x, y: x < y,
    }
    values = {X: 3, Y: 9, Z: 0}
    first = b.apply(p, b.apply(f, X, Y))
    second = exists([Z], b.apply(q, b.apply(g, Z), b.apply(h)))
    assert evaluate(first, values, meaning) is False
    assert evaluate(second, values, meaning) is True
    assert evaluate(b.or_(first, second), values, meaning) is True


def test_linear_comparisons_and_intervals() -> None:
    inside = b.and_(X <= Z, Z <= Y)
    for x, y in product(range(-2, 4), repeat=2):
        assert evaluate(exists([Z], b.and_(inside, (2 * Z).eq(3))), {X: x, Y: y}) is False
        assert evaluate(exists([Z], b.and_(inside, (2 * Z).eq(2))), {X: x, Y: y}) is (x <= 1 <= y)
        assert evaluate(forall([Z], b.implies(inside, Z >= 0)), {X: x, Y: y}) is (x > y or x >= 0)
    assert evaluate(forall([Z], b.or_(Z < 3, Z > 2)), {}) is True
    assert evaluate(forall([Z], b.or_(Z < 3, Z > 3)), {}) is False
    assert evaluate(exists([R], b.and_(R > 2, R < 3)), {}) is True
    assert evaluate(exists([R], b.and_(R > 2, 2 * R < 4)), {}) is False
    assert evaluate(exists([Z], b.and_(Z > 2, Z < 3)), {}) is False
    assert evaluate(forall([R], b.or_(R <= 2, b.real(Fraction(5, 2)) <= R)), {}) is False


def test_known_arrays_change_at_their_entries() -> None:
    s = b.var("s", Array(INT, BOOL))
    for numbers in product((False, True), repeat=4):
        values = {s: ArrayValue(False, dict(enumerate(numbers))), Y: 2}
        inside = {k for k, there in enumerate(numbers) if there}
        assert evaluate(forall([Z], b.implies(b.select(s, Z), Z < Y)), values) is (not inside & {2, 3})
        assert evaluate(exists([Z], b.select(s, 2 * Z + 1)), values) is bool(inside & {1, 3})
        assert evaluate(exists([Z], b.and_(b.not_(b.select(s, Z)), Z > 0, Z < 3)), values) is (
            not {1, 2} <= inside
        )
        assert evaluate(forall([Z], b.select(s, Z)), values) is False


def test_finite_sorts_and_nesting() -> None:
    v = b.var("v", BitVec(4))
    assert evaluate(exists([v], b.bvmul(v, v).eq(b.bv(9, 4))), {}) is True
    assert evaluate(exists([v], b.bvmul(v, v).eq(b.bv(2, 4))), {}) is False
    assert evaluate(forall([P], exists([Z], b.iff(P, Z > 3))), {}) is True
    assert evaluate(exists([P, Z], b.and_(P, Z > Y)), {Y: 7}) is True


@pytest.mark.parametrize("body", [(Z * Z).eq(2), b.mod(Z, b.integer(2)).eq(X)])
def test_what_is_not_decided_is_refused(body) -> None:
    with pytest.raises(ModelError, match="cannot be evaluated"):
        evaluate(exists([Z], body), {X: 1})
