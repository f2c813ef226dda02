"""Bit-blasting: every operator against the reference semantics, whole systems against engines."""

from __future__ import annotations

from random import Random

import pytest

from revet.api import check
from revet.errors import UsageError
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, BitVec
from revet.logic.terms import Term
from revet.model.circuit import evaluate, literal_value
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import Unsafe
from revet.transform.bitblast import bit_blast

BINARY = [
    b.bvadd, b.bvsub, b.bvmul, b.bvudiv, b.bvurem, b.bvsdiv, b.bvsrem, b.bvsmod, b.bvand, b.bvor, b.bvxor,
    b.bvshl, b.bvlshr, b.bvashr, b.bvult, b.bvule, b.bvslt, b.bvsle, b.concat, b.eq,
]
UNARY = [
    b.bvneg, b.bvnot, lambda x: b.zero_extend(3, x), lambda x: b.sign_extend(2, x),
    lambda x: b.extract(1, 1, x),
]


def agrees(term: Term, variables: list[Term], random: Random) -> None:
    """The circuit's value of ``term = target`` is the evaluator's, on random and extreme values."""
    target = b.var("target", term.sort)
    formula = b.eq(term, target)
    system = TransitionSystem((*variables, target), b.TRUE, Relation(), {"p": formula})
    circuit = bit_blast(system).model
    for _ in range(40):
        state = {}
        for x in variables:
            width = x.sort.width  # type: ignore[attr-defined]
            extremes = [0, 1, (1 << width) - 1, 1 << (width - 1)]
            state[x] = random.choice([*extremes, random.getrandbits(width)]) % (1 << width)
        value = Evaluator(state)(term)
        wrong = (not value) if isinstance(value, bool) else value ^ 1  # type: ignore[operator]
        for given, expected in ((value, 0), (wrong, 1)):
            words = [(state[x], x.sort.width) for x in variables]  # type: ignore[attr-defined]
            words.append((int(given), getattr(term.sort, "width", 1)))  # type: ignore[arg-type]
            bits = [word >> n & 1 for word, width in words for n in range(width)]
            values = evaluate(circuit, [], bits)
            assert literal_value(values, circuit.bad["p"]) == expected, (term, state)


@pytest.mark.parametrize("width", [2, 3, 5, 8])
def test_operators(width: int) -> None:
    random = Random(width)
    x, y = b.var("x", BitVec(width)), b.var("y", BitVec(width))
    for binary in BINARY:
        agrees(binary(x, y), [x, y], random)
    for unary in UNARY:
        agrees(unary(x), [x, y], random)
    agrees(b.ite(b.bvult(x, y), b.bvadd(x, y), y), [x, y], random)


def counter(limit: int, start: Term, guard: Term) -> TransitionSystem:
    x, y = b.var("x", BitVec(5)), b.var("y", BitVec(5))
    step = Relation(guard, {x: b.bvadd(x, b.bv(1, 5)), y: b.bvxor(y, b.bv(1, 5))})
    return TransitionSystem((x, y), start, step, {"small": b.bvult(x, b.bv(limit, 5))})


X, Y = b.var("x", BitVec(5)), b.var("y", BitVec(5))


@pytest.mark.parametrize(("system", "length"), [
    (counter(20, b.eq(X, b.bv(3, 5)), b.TRUE), 17),
    # An initial condition that is not a value for each variable.
    (counter(20, b.and_(b.bvult(X, b.bv(3, 5)), b.bvult(Y, X)), b.TRUE), 18),
    (counter(20, b.and_(b.bvult(X, b.bv(3, 5)), b.bvult(Y, X)), b.bvult(X, b.bv(10, 5))), None),
    # The guard ends runs just where the property is violated: the violation counts.
    (counter(20, b.eq(X, b.bv(0, 5)), b.bvult(X, b.bv(20, 5))), 20),
    (counter(20, b.eq(X, b.bv(0, 5)), b.bvult(X, b.bv(19, 5))), None),
])
@pytest.mark.parametrize("reduce", [True, False])
def test_systems(system: TransitionSystem, length: int | None, reduce: bool) -> None:
    """The answer is confirmed by the checker of transition systems, on the system itself."""
    answer = check(system, engine="pdr", reduce=reduce, timeout=60)
    if length is None:
        assert answer.status == "safe"
    else:
        assert isinstance(answer.verdict, Unsafe)
        assert len(answer.verdict.trace) >= length


def test_other_sorts_are_refused() -> None:
    n = b.var("n", INT)
    system = TransitionSystem((n,), b.TRUE, Relation(), {"p": b.eq(n, n + 1)})
    with pytest.raises(UsageError):
        bit_blast(system)
    flag = b.var("f", BOOL)
    assert bit_blast(TransitionSystem((flag,), flag, Relation(), {"p": flag})).model.latches == 1
