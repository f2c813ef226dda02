"""Formulas as C expressions: libclang parses them, and they mean the same in C."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from revet.frontends.c.expression import Name, NotExpressible, c_conjuncts, c_expression
from revet.frontends.c.interpret import Recorded, run
from revet.frontends.c.parse import parse_text
from revet.frontends.c.types import LP64, CType, Int, Pointer, Void
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT, BitVec
from revet.logic.sorts import Array as ArraySort
from revet.logic.terms import Term

TYPES = {
    "signed char": Int(8, True), "unsigned char": Int(8, False), "short": Int(16, True),
    "unsigned short": Int(16, False), "int": Int(32, True), "unsigned int": Int(32, False),
    "long long": Int(64, True), "unsigned long long": Int(64, False),
}
Make = Callable[[random.Random, list[Term]], Term]


def integer_term(rng: random.Random, variables: list[Term], depth: int) -> Term:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(variables) if rng.random() < 0.75 else b.integer(rng.randint(-300, 300))
    left = integer_term(rng, variables, depth - 1)
    right = integer_term(rng, variables, depth - 1)
    match rng.randrange(6):
        case 0 | 1:
            return left + right
        case 2:
            return left - right
        case 3:
            return left * rng.randint(-5, 5)
        case 4:
            return rng.choice((b.div, b.mod))(left, b.integer(rng.randint(1, 9)))
        case _:
            return b.ite(left <= right, right, left + 1)


def integer_atom(rng: random.Random, variables: list[Term]) -> Term:
    left, right = (integer_term(rng, variables, 2) for _ in range(2))
    return rng.choice((b.le, b.lt, b.eq))(left, right)


def bit_term(rng: random.Random, variables: list[Term], width: int, depth: int) -> Term:
    fitting = [v for v in variables if b.width_of(v) == width]
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(fitting) if fitting and rng.random() < 0.75 else b.bv(rng.getrandbits(width), width)
    narrower = [w for w in (8, 16, 32) if w < width]
    wider = [w for w in (16, 32, 64) if w > width]
    choice = rng.randrange(8)
    if choice == 0 and narrower:
        inner = rng.choice(narrower)
        extend = rng.choice((b.zero_extend, b.sign_extend))
        return extend(width - inner, bit_term(rng, variables, inner, depth - 1))
    if choice == 1 and wider:
        inner = rng.choice(wider)
        low = rng.randrange(inner - width + 1)
        return b.extract(low + width - 1, low, bit_term(rng, variables, inner, depth - 1))
    left, right = (bit_term(rng, variables, width, depth - 1) for _ in range(2))
    if choice == 2:
        shift = rng.choice((b.bvshl, b.bvlshr, b.bvashr))
        return shift(left, b.bv(rng.randrange(width), width))
    if choice == 3:
        return rng.choice((b.bvudiv, b.bvurem))(left, b.bv(rng.randrange(1, 100), width))
    if choice == 4:
        return rng.choice((b.bvneg, b.bvnot))(left)
    if choice == 5:
        return b.ite(b.bvslt(left, right), left, right)
    return rng.choice((b.bvadd, b.bvsub, b.bvmul, b.bvand, b.bvor, b.bvxor))(left, right)


def bit_atom(rng: random.Random, variables: list[Term]) -> Term:
    width = rng.choice((8, 16, 32, 64))
    left, right = (bit_term(rng, variables, width, 2) for _ in range(2))
    return rng.choice((b.bvult, b.bvule, b.bvslt, b.bvsle, b.eq))(left, right)


def formula(rng: random.Random, variables: list[Term], atom: Make) -> Term:
    atoms = [atom(rng, variables) for _ in range(3)]
    if rng.random() < 0.5:
        atoms[0] = b.not_(atoms[0])
    return rng.choice((b.and_(*atoms), b.or_(*atoms), b.ite(*atoms), b.iff(atoms[0], atoms[1])))


@pytest.mark.parametrize("encoding", ["int", "bv"])
@pytest.mark.parametrize("seed", range(4))
def test_expressions_mean_the_same_in_c(encoding: str, seed: int) -> None:
    rng = random.Random(f"{encoding}{seed}")
    names: dict[Term, Name] = {}
    declarations, values = [], {}
    for number, (spelling, type) in enumerate([*TYPES.items()] * 2):
        value = rng.choice((rng.randint(type.least, type.greatest), type.wrap(rng.randint(-9, 9))))
        variable = b.var(f"v{number}", INT if encoding == "int" else BitVec(type.bits))
        names[variable] = Name(f"v{number}", type)
        values[variable] = value if encoding == "int" else value % (1 << type.bits)
        declarations.append(f"{spelling} v{number} = {c_constant(value)};")
    expected, tests = [], []
    while len(tests) < 60:
        term = formula(rng, list(names), integer_atom if encoding == "int" else bit_atom)
        try:
            text = c_expression(term, names)
        except NotExpressible:
            continue
        tests.append(f"if (!!({text}) != {int(bool(evaluate(term, values)))}) return {len(tests) + 1};")
        expected.append((term, text))
    program = parse_text("\n".join([*declarations, "int main(void) {", *tests, "return 0; }"]), model=LP64)
    ended = run(program, Recorded([]))
    assert ended.kind == "exit" and not ended.undefined, ended
    assert ended.status == 0, expected[ended.status - 1]


def c_constant(value: int) -> str:
    if value == -(1 << 63):
        return "-9223372036854775807ll - 1"
    return f"{value}ull" if value >= 1 << 63 else f"{value}ll"


X, Y, U = b.var("x", INT), b.var("y", INT), b.var("u", INT)
P, Q, A = b.var("p", INT), b.var("q", INT), b.var("a", ArraySort(INT, INT))
POINTER: CType = Pointer(Void(), 4)
NAMES = {
    X: Name("x", Int(32, True)), Y: Name("y", Int(32, True)), U: Name("u", Int(64, False)),
    P: Name("p", POINTER), Q: Name("s.q", POINTER), A: Name("a", Int(32, True), count=4),
}

READABLE = [
    (X <= 5, "x <= 5"),
    (b.not_(X.eq(Y)), "x != y"),
    (X - Y <= 3, "(long long)x <= (long long)y + 3LL"),
    (b.or_(X < 0, Y.eq(0)), "(x < 0) || (y == 0)"),
    (b.mod(X, b.integer(2)).eq(0), "((x % 2 + 2) % 2) == 0"),
    (b.integer(7) <= U, "7ULL <= (unsigned long long)u"),
    (P.eq(0), "(void *)p == (void *)0"),
    (b.not_(P.eq(Q)), "(void *)p != (void *)s.q"),
    (A[2] <= X, "a[2] <= x"),
]


@pytest.mark.parametrize(("term", "text"), READABLE)
def test_simple_formulas_read_as_a_person_would_write_them(term: Term, text: str) -> None:
    assert c_expression(term, NAMES) == text


@pytest.mark.parametrize(
    "term",
    [
        U * 3 <= Y, P <= 100, P.eq(4096), A[4] <= 1, A[X] <= 1, b.var("t", INT) <= 1, b.var("c", BOOL),
        b.div(X, Y) <= 1,
    ],
)
def test_what_c_cannot_say_is_left_out(term: Term) -> None:
    with pytest.raises(NotExpressible):
        c_expression(term, NAMES)
    said, left_out = c_conjuncts(b.and_(X <= 1, term), NAMES)
    assert said == ["x <= 1"] and [part for part, _ in left_out] == [term]


def test_deep_and_long_formulas_are_refused_not_recursed_into() -> None:
    deep = X
    for _ in range(5000):
        deep = b.ite(deep <= Y, deep + 1, Y)
    with pytest.raises(NotExpressible):
        c_expression(deep <= Y, NAMES)
