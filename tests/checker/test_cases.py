"""Proofs by cases: the checker's ranges contain every value, and its trees leave no case out."""

from __future__ import annotations

import random

import pytest

from revet.checker.cases import Evaluation, Known, Range, everything
from revet.checker.certificate import check_certificate
from revet.logic import build as b
from revet.logic import softfloat
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, FLOAT32, INT, Float
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Cases

TINY = Float(3, 3)  # 64 patterns: all of them are tried
X, Y = b.var("x", TINY), b.var("y", TINY)
PATTERNS = sorted({softfloat.canonical(bits, TINY) for bits in range(1 << TINY.width)})


def ordinal(bits: int) -> int:
    magnitude = softfloat.magnitude(bits, TINY)
    return -1 - magnitude if bits >> (TINY.width - 1) else magnitude


def members(known: Range) -> list[int]:
    return [
        bits
        for bits in PATTERNS
        if (known.nan if softfloat.is_nan(bits, TINY) else known.low <= ordinal(bits) <= known.high)
    ]


def contains(known: Known, value: object, term: Term) -> bool:
    if isinstance(known, Range):
        assert isinstance(value, int)
        if softfloat.is_nan(value, TINY):
            return known.nan
        return known.low <= ordinal(value) <= known.high
    return known is None or value in known


def random_range(choose: random.Random) -> Range:
    low, high = sorted(ordinal(choose.choice(PATTERNS)) for _ in range(2))
    top = ordinal(softfloat.infinity(TINY))
    return Range(TINY, max(low, -1 - top), min(high, top), choose.random() < 0.3)


def random_term(choose: random.Random, depth: int) -> Term:
    if depth == 0:
        return choose.choice([X, Y, b.fp_bits(choose.choice(PATTERNS), TINY)])
    left, right = (random_term(choose, depth - 1) for _ in range(2))
    binary = [b.fp_add, b.fp_sub, b.fp_mul, b.fp_div]
    pick = choose.randrange(9)
    if pick < 5:
        return choose.choice(binary)(left, left if pick == 4 else right)
    if pick == 5:
        return b.fp_neg(left)
    if pick == 6:
        return b.fp_abs(left)
    condition = random_formula(choose, left, right)
    return b.ite(condition, left, right)


def random_formula(choose: random.Random, left: Term, right: Term) -> Term:
    atom = choose.choice([b.fp_le, b.fp_lt, b.fp_eq, b.eq])(left, right)
    pick = choose.randrange(4)
    if pick == 0:
        return b.not_(atom)
    if pick == 1:
        return b.and_(atom, b.not_(b.fp_is_nan(left)))
    return b.or_(atom, b.fp_eq(left, left)) if pick == 2 else atom


@pytest.mark.parametrize("seed", range(60))
def test_ranges_contain_all_values(seed: int) -> None:
    choose = random.Random(seed)
    term = random_term(choose, 1 + seed % 3)
    for root in (term, random_formula(choose, term, random_term(choose, 1))):
        boxes = {X: random_range(choose), Y: random_range(choose)}
        known = Evaluation(boxes)(root)
        for x in members(boxes[X]):
            for y in members(boxes[Y]):
                value = evaluate(root, {X: x, Y: y})
                assert contains(known, value, root), (root, boxes, x, y, value, known)


# ---------------------------------------------------------------------- trees

F = b.var("f", FLOAT32)
N = b.var("n", INT)
START, MIDDLE, END, ERROR = map(Location, ("start", "middle", "end", "error"))
ONE, TWO, INFINITY = (b.fp_const(number, FLOAT32) for number in (1.0, 2.0, float("inf")))


def program(wrong: Term) -> Cfa:
    """Draws f, squares it if it is between 1 and 2, and fails where ``wrong``."""
    between = b.and_(b.fp_le(ONE, F), b.fp_le(F, TWO))
    edges = (
        Edge(START, MIDDLE, (Havoc(F),)),
        Edge(MIDDLE, END, (Assume(between), Assign(F, b.fp_mul(F, F)), Assign(N, b.integer(1)))),
        Edge(END, ERROR, (Assume(b.and_(wrong, N.eq(1))),)),
    )
    return Cfa((F, N), (START, MIDDLE, END, ERROR), edges, START, (ERROR,))


FOUR = b.fp_const(4.0, FLOAT32)
SAFE = program(b.fp_lt(FOUR, F))
NEVER_NAN = program(b.not_(b.fp_eq(F, F)))
TREE = ((0, INFINITY), (0, TWO), (0, b.fp_const(0.5, FLOAT32)), None, None, None, None)


def test_a_tree_of_cases_is_accepted() -> None:
    for cfa in (SAFE, NEVER_NAN):
        report = check_certificate(cfa, Cases(TREE))
        assert report.accepted and report.queries == 0, report


def test_a_case_that_does_not_exclude_the_error_is_refused() -> None:
    assert not check_certificate(SAFE, Cases((None,))).accepted
    assert not check_certificate(program(b.fp_lt(TWO, F)), Cases(TREE)).accepted
    # the other side of a question is a case, too: here 2 < f, and NaN
    assert not check_certificate(SAFE, Cases(((0, ONE), None, None))).accepted
    # a question about what is drawn later, or never, restricts nothing
    assert not check_certificate(SAFE, Cases(((1, TWO), None, None))).accepted


@pytest.mark.parametrize(
    "tree",
    [(), TREE[:-1], (*TREE, None), ((0, b.integer(3)), None, None), ((0, F), None, None),
     ((0, b.fp_nan(FLOAT32)), None, None)],
    ids=["empty", "breaks off", "goes on", "no float", "no constant", "NaN"],
)
def test_malformed_trees_are_refused(tree: tuple[tuple[int, Term] | None, ...]) -> None:
    report = check_certificate(SAFE, Cases(tree))
    assert report.status == "rejected" and report.condition == "form"


def test_zeros_are_on_the_same_side() -> None:
    zero, minus = b.fp_zero(FLOAT32), b.fp_zero(FLOAT32, negative=True)
    cfa = Cfa(
        (F,),
        (START, MIDDLE, ERROR),
        (Edge(START, MIDDLE, (Havoc(F),)), Edge(MIDDLE, ERROR, (Assume(b.fp_eq(F, zero)),))),
        START,
        (ERROR,),
    )
    for bound in (zero, minus):
        # "f <= 0, then not f <= -1": f is a zero or between; the error must stay open there
        tree = ((0, bound), (0, b.fp_const(-1.0, FLOAT32)), None, None, None)
        assert not check_certificate(cfa, Cases(tree)).accepted
        outside = program_above(bound, zero)
        assert check_certificate(outside, Cases(((0, bound), None, None))).accepted


def program_above(bound: Term, zero: Term) -> Cfa:
    """Fails for a zero that is greater than ``bound``: never."""
    edges = (
        Edge(START, MIDDLE, (Havoc(F),)),
        Edge(MIDDLE, ERROR, (Assume(b.fp_eq(F, zero)), Assume(b.fp_lt(bound, F)))),
    )
    return Cfa((F,), (START, MIDDLE, ERROR), edges, START, (ERROR,))


def test_everything_is_everything() -> None:
    known = everything(TINY)
    assert isinstance(known, Range) and members(known) == PATTERNS
    assert everything(BOOL) == {True, False} and everything(INT) is None
