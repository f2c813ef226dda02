"""Formulas in infix notation: meaning, errors, and reading back what is printed."""

from __future__ import annotations

import random

import pytest

from revet.errors import InputError
from revet.frontends.kit.expressions import parse_formula, parse_formulas, parse_term
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.pretty import pretty
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value

SORTS = {"x": INT, "y": INT, "u": INT, "p": BOOL, "q": BOOL, "r": REAL, "w": BitVec(8), "v": BitVec(8),
         "a": Array(INT, INT), "main::x": INT, "s'": INT}  # fmt: skip
VARIABLES = {name: b.var(name, sort) for name, sort in SORTS.items()}
X, Y, U, P, Q, R, W, V, A, MAIN_X, S = VARIABLES.values()

MEANINGS = {
    "x >= 0 and y = x + 1": b.and_(X >= 0, Y.eq(X + 1)),
    "x >= 0 && y == x + 1": b.and_(X >= 0, Y.eq(X + 1)),
    "!p || q && x<y": b.or_(b.not_(P), b.and_(Q, X < Y)),
    "not x = y": X.ne(Y),
    "not p = q": b.xor(P, Q),
    "!p = q": b.eq(b.not_(P), Q),
    "p => q => p": b.implies(P, b.implies(Q, P)),
    "p xor q iff q": b.iff(b.xor(P, Q), Q),
    "x - y - u < -3": (X - Y - U) < -3,
    "x != 3 and y /= 4": b.and_(X.ne(3), Y.ne(4)),
    "x / 2 = y % 3": b.eq(b.div(X, b.integer(2)), b.mod(Y, b.integer(3))),
    "x div 2 = y mod 3": b.eq(b.div(X, b.integer(2)), b.mod(Y, b.integer(3))),
    "x/u = 1": b.eq(b.div(X, U), b.integer(1)),
    "r < 1/2": b.real("1/2") > R,
    "r = x + 1.5": b.eq(R, b.add(b.to_real(X), b.real("3/2"))),
    "w <s 3": b.bvslt(W, b.bv(3, 8)),
    "w < 3 and w >= v": b.and_(b.bvult(W, b.bv(3, 8)), b.bvule(V, W)),
    "w & 1 = 0 && w >>u 1 != v << 2": b.and_(
        b.eq(b.bvand(W, b.bv(1, 8)), b.bv(0, 8)),
        b.not_(b.eq(b.bvlshr(W, b.bv(1, 8)), b.bvshl(V, b.bv(2, 8)))),
    ),
    "bvslt(w, v)": b.bvslt(W, V),
    "w = #x0f": b.eq(W, b.bv(15, 8)),
    "w :: v = #x0fff": b.eq(b.concat(W, V), b.bv(0xFFF, 16)),
    "a[x] > a[y := 2][0]": b.gt(b.select(A, X), b.select(b.store(A, Y, b.integer(2)), b.integer(0))),
    "p ? x = 1 : y = 2": b.ite(P, X.eq(1), Y.eq(2)),
    "if p then x = 1 else y = 2": b.ite(P, X.eq(1), Y.eq(2)),
    "abs(x) <= max(x, y)": b.le(b.abs_(X), b.ite(X >= Y, X, Y)),
    "main::x > s'": MAIN_X > S,
    "true": b.TRUE,
    "x > 0 // why": X > 0,
}


@pytest.mark.parametrize("text", MEANINGS)
def test_meaning(text: str) -> None:
    assert parse_formula(text, VARIABLES) is MEANINGS[text]


ERRORS = {
    "": "--predicates:1:1: expected an expression, found the end of the input\n  \n  ^",
    "x <": "--predicates:1:4: expected an expression, found the end of the input\n  x <\n     ^",
    "x": "--predicates:1:1: expected a condition, but this is of type int\n  x\n  ^",
    "z > 1": "--predicates:1:1: unknown variable z\n  z > 1\n  ^",
    "x + p = 2": "--predicates:1:3: '+' cannot combine int and bool\n  x + p = 2\n    ^",
    "w = 256": "--predicates:1:3: '=' cannot combine bv[8] and int\n  w = 256\n    ^",
    "x = 1)": "--predicates:1:6: expected an operator or the end, found ')'\n  x = 1)\n       ^",
    "x > 1 and\n  (y > 2": (
        "--predicates:2:9: expected ')', found the end of the input\n    (y > 2\n          ^"
    ),
    "x[1] = 2": "--predicates:1:2: only arrays have elements, not int\n  x[1] = 2\n   ^",
    "f(x) = 2": "--predicates:1:1: unknown function f\n  f(x) = 2\n  ^",
    "max(x) = 2": "--predicates:1:1: max takes 2 arguments, not 1\n  max(x) = 2\n  ^",
    "x # y": "--predicates:1:3: unexpected character '#'\n  x # y\n    ^",
    "bvadd(x, y) = 1": "--predicates:1:1: 'bvadd' expects bit-vectors, not int\n  bvadd(x, y) = 1\n  ^",
    "p < q": "--predicates:1:3: '<' expects numbers, not bool\n  p < q\n    ^",
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_formula(text, VARIABLES, "--predicates")
    assert str(caught.value) == ERRORS[text]


def test_several_formulas() -> None:
    assert parse_formulas("x > 1; p, y = 2;", VARIABLES) == [X > 1, P, Y.eq(2)]
    with pytest.raises(InputError):
        parse_formulas("x > 1 y", VARIABLES)


def test_terms_of_any_sort() -> None:
    assert parse_term("x + 1", VARIABLES) is X + 1
    assert parse_term("1", VARIABLES, REAL) is b.real(1)


def test_printed_formulas_are_read_back() -> None:
    """As the same formula, but for comparisons that were turned around to be printed."""
    rng = random.Random(3)
    same = 0
    for _ in range(2000):
        formula = _formula(rng, 4)
        read = parse_formula(pretty(formula), VARIABLES)
        assert pretty(read) == pretty(formula)
        same += read is formula
        for _ in range(4 if read is not formula else 0):
            valuation = _valuation(rng)
            assert evaluate(read, valuation) == evaluate(formula, valuation), pretty(formula)
    assert same > 1900


def _valuation(rng: random.Random) -> dict[Term, Value]:
    numbers: dict[Term, Value] = {x: rng.randint(-5, 5) for x in (X, Y, U, MAIN_X)}
    cells = ArrayValue(1, {index: rng.randint(-5, 5) for index in range(-5, 6)})
    bits = {x: rng.randrange(256) for x in (W, V)}
    return {**numbers, **bits, A: cells, P: rng.random() < 0.5, Q: rng.random() < 0.5}


def _formula(rng: random.Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([P, Q])
    f, g = _formula(rng, depth - 1), _formula(rng, depth - 1)
    match rng.randrange(7):
        case 0:
            return b.not_(f)
        case 1:
            return b.and_(f, g)
        case 2:
            return b.or_(f, g)
        case 3:
            return b.eq(_number(rng, depth), _number(rng, depth))
        case 4:
            return b.le(_number(rng, depth), _number(rng, depth))
        case 5:
            return rng.choice([b.bvult, b.bvsle, b.eq])(_bits(rng, depth), _bits(rng, depth))
        case _:
            return b.lt(_number(rng, depth), _number(rng, depth))


def _number(rng: random.Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([X, Y, U, MAIN_X, b.integer(rng.randint(-3, 3))])
    m, n = _number(rng, depth - 1), _number(rng, depth - 1)
    return rng.choice([b.add, b.sub, b.mul, b.div, b.mod, lambda i, _: b.select(A, i)])(m, n)


def _bits(rng: random.Random, depth: int) -> Term:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([W, V, W, V, b.bv(rng.randrange(256), 8)])
    m, n = _bits(rng, depth - 1), _bits(rng, depth - 1)
    return rng.choice([b.bvadd, b.bvsub, b.bvmul, b.bvand, b.bvor, b.bvxor, b.bvudiv, b.bvashr])(m, n)


def test_deep_formulas() -> None:
    assert parse_formula("(" * 50_000 + "x" + ")" * 50_000 + " > 1", VARIABLES) is (X > 1)
    assert parse_formula("!" * 50_000 + "p", VARIABLES) is P
