"""Bit-vectors as if they were integers: answers hold for the bits, translations are exact."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.engines import spacer
from revet.engines.common.context import Context
from revet.engines.spacer.integers import _Bits, _wrapped
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT, BitVec
from revet.logic.terms import FunctionSymbol, Term
from revet.logic.walk import bottom_up
from revet.model.horn import HornClause, HornSystem
from revet.result import Safe, Unknown, Unsafe, Verdict

WIDTH = 4
X, Y = (b.var(name, BitVec(WIDTH)) for name in "xy")
N, M = b.var("i", INT), b.var("j", INT)
P = FunctionSymbol("P", [BitVec(WIDTH), BitVec(WIDTH)], BOOL)

OPERATIONS = {
    "add": b.bvadd(X, Y), "sub": b.bvsub(X, Y), "neg": b.bvneg(X), "not": b.bvnot(X),
    "times 3": b.bvmul(X, b.bv(3, WIDTH)), "shifted": b.bvshl(X, b.bv(2, WIDTH)),
    "signed quotient": b.bvsdiv(X, b.bv(3, WIDTH)), "signed rest": b.bvsrem(X, b.bv(3, WIDTH)),
    "quotient": b.bvudiv(X, b.bv(3, WIDTH)), "rest": b.bvurem(X, b.bv(3, WIDTH)),
    "logical shift": b.bvlshr(X, b.bv(1, WIDTH)), "arithmetic shift": b.bvashr(X, b.bv(1, WIDTH)),
    "top bit": b.extract(3, 3, X), "middle": b.extract(2, 1, X), "joined": b.concat(X, Y),
    "with zeros": b.zero_extend(3, X), "with signs": b.sign_extend(3, X),
    "choice": b.ite(b.bvult(X, Y), X, Y),
    "sum of sums": b.bvadd(b.bvadd(X, Y), b.bvadd(X, X)),
}
COMPARISONS = [b.bvsle(X, Y), b.bvslt(X, Y), b.bvule(X, Y), b.bvult(X, Y), b.eq(X, Y)]


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


@pytest.mark.parametrize("name", OPERATIONS)
def test_wrapping_integers_compute_what_bits_do(name: str) -> None:
    term = OPERATIONS[name]
    shadow = bottom_up(term, {X: N, Y: M}, _wrapped)
    for x, y in product(range(1 << WIDTH), repeat=2):
        expected = signed(evaluate(term, {X: x, Y: y}), term.sort.width)
        assert evaluate(shadow, {N: signed(x, WIDTH), M: signed(y, WIDTH)}) == expected


@pytest.mark.parametrize("term", COMPARISONS, ids=str)
def test_comparisons(term: Term) -> None:
    shadow = bottom_up(term, {X: N, Y: M}, _wrapped)
    for x, y in product(range(1 << WIDTH), repeat=2):
        found = evaluate(shadow, {N: signed(x, WIDTH), M: signed(y, WIDTH)})
        assert found == evaluate(term, {X: x, Y: y})


FORMULAS = [
    N + 3 * M <= 7, b.not_(2 * N - M < -5), b.or_(N.eq(M + 1), N < 0), b.mod(N + M, b.integer(3)).eq(1),
    b.div(N, b.integer(4)) <= M, b.and_(N - M <= 2, M - N <= -2), b.iff(N < M, M > 3),
]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
@pytest.mark.parametrize("modular", [True, False])
def test_models_mean_the_same_for_bits(formula: Term, modular: bool) -> None:
    bits = _Bits({N: X, M: Y}, modular=modular).formula(formula)
    for x, y in product(range(1 << WIDTH), repeat=2):
        i, j = signed(x, WIDTH), signed(y, WIDTH)
        if modular and abs(i - j) >= 1 << (WIDTH - 1):
            continue  # an equation may hold modulo a power of two only
        assert evaluate(bits, {X: x, Y: y}) == evaluate(formula, {N: i, M: j})


def loop(start: Term, guard: Term, after: tuple[Term, Term], bad: Term) -> HornSystem:
    here = b.apply(P, X, Y)
    return HornSystem((P,), (
        HornClause((), start, here), HornClause((here,), guard, b.apply(P, *after)),
        HornClause((here,), bad, None),
    ))


def answer(system: HornSystem) -> Verdict:
    """Checked against the clauses themselves, whatever the engine says."""
    verdict = spacer.check(system, spacer.Options(integers=True, preprocess=True), Context())
    match verdict:
        case Safe(certificate):
            assert check_certificate(system, certificate).accepted
        case Unsafe(trace):
            replay(system, trace)
    return verdict


def test_a_loop_that_never_overflows() -> None:
    start = b.and_(X.eq(0), Y.eq(0))
    system = loop(start, b.bvslt(X, b.bv(5, WIDTH)), (X + 1, Y + 1), b.and_(X.eq(5), Y.ne(5)))
    assert isinstance(answer(system), Safe)


def test_a_loop_that_is_wrong_only_because_it_overflows() -> None:
    start = b.and_(X.eq(0), Y.eq(0))
    system = loop(start, b.TRUE, (X + 1, Y), b.bvslt(X, b.bv(0, WIDTH)))
    assert isinstance(answer(system), Unsafe)


def test_a_loop_whose_proof_needs_that_it_overflows() -> None:
    start = b.and_(X.eq(1), Y.eq(0))
    system = loop(start, b.TRUE, (X + 2, Y), X.eq(0))
    assert not isinstance(answer(system), Unsafe)


def test_what_is_not_arithmetic_is_left_to_others() -> None:
    system = loop(X.eq(Y), b.TRUE, (b.bvand(X, Y), Y), X.ne(Y))
    assert isinstance(answer(system), Unknown)


def reachable(system: HornSystem) -> bool:
    """By search: is false derivable?"""
    start, step, bad = system.clauses
    pairs = list(product(range(1 << WIDTH), repeat=2))
    found = {pair for pair in pairs if evaluate(start.constraint, {X: pair[0], Y: pair[1]})}
    todo = list(found)
    while todo:
        x, y = todo.pop()
        state = {X: x, Y: y}
        if evaluate(bad.constraint, state):
            return True
        assert step.head is not None
        if evaluate(step.constraint, state):
            after = (evaluate(step.head.args[0], state), evaluate(step.head.args[1], state))
            if after not in found:
                found.add(after)
                todo.append(after)
    return False


@pytest.mark.parametrize("seed", range(25))
def test_random_loops(seed: int) -> None:
    random = Random(seed)

    def number() -> Term:
        choices = [X, Y, X + Y, X - Y, X + 1, Y - 1, b.bv(random.randrange(16), WIDTH), b.bvneg(X)]
        return random.choice(choices)

    def condition() -> Term:
        compare = random.choice([b.bvsle, b.bvslt, b.bvult, b.eq, lambda x, y: b.not_(b.eq(x, y))])
        return compare(number(), number())

    start = b.and_(X.eq(random.randrange(16)), Y.eq(random.randrange(16)))
    system = loop(start, condition(), (number(), number()), b.and_(condition(), condition()))
    verdict = answer(system)
    assert isinstance(verdict, Unknown) or isinstance(verdict, Unsafe) == reachable(system)
