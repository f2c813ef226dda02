"""Loops unwound round by round: against enumeration, and on runs that differ in their length."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import engine
from revet.engines.bmc import Options, check
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, ArraySort
from revet.logic.terms import Term
from revet.model.cfa import Cfa
from revet.model.statements import Assign, Assume, Havoc, Statement
from revet.result import Exhausted, Safe, Unknown, Unsafe, Verdict
from revet.transform.reduction import unchanged
from tests.generators import random_cfa, search_cfa
from tests.models import MODELS, Tiny, automaton

REDUCTIONS = {
    "as it is": unchanged,
    "cleaned": lambda cfa: prepare(cfa, engine("bmc"), Preparation(large_blocks=False)),
    "large blocks": lambda cfa: prepare(cfa, engine("bmc"), Preparation()),
}


def answer(cfa: Cfa, bound: int | None = None, reduction: str = "as it is") -> Verdict:
    """The verdict, carried back; its evidence has passed the checker."""
    reduced = REDUCTIONS[reduction](cfa)
    options = Options("rounds", bound=bound)
    verdict = reduced.verdict_back(check(reduced.model, options, Context(Budget(60))))
    match verdict:
        case Safe(certificate):
            assert check_certificate(cfa, certificate).accepted
        case Unsafe(trace):
            replay(cfa, trace)
    return verdict


AUTOMATA = [tiny for tiny in MODELS if isinstance(tiny.model, Cfa)]


@pytest.mark.parametrize("tiny", AUTOMATA, ids=lambda tiny: tiny.name)
def test_tiny_models(tiny: Tiny) -> None:
    verdict = answer(tiny.model, 12)
    assert isinstance(verdict, (Safe, Unknown) if tiny.safe else Unsafe)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_agreement_with_enumeration(reduction: str) -> None:
    kinds = []
    for seed in range(40):
        cfa, bound = random_cfa(seed), 5
        search = search_cfa(cfa)
        verdict = answer(cfa, bound, reduction)
        kinds.append(type(verdict))
        if search.depth is None:
            assert isinstance(verdict, Safe | Unknown), seed
        else:
            assert isinstance(verdict, Unsafe if search.depth <= bound else Unsafe | Unknown), seed
    assert kinds.count(Safe) > 4 and kinds.count(Unsafe) > 4


X, N, S = (b.var(name, INT) for name in "xns")
C = b.var("c", BOOL)
A = b.var("a", ArraySort(INT, INT))


def branches(turns: int, most: int) -> Cfa:
    """``while (x < turns) { if (any) { n++; a[x] = n; s += 2 } else s++; x++ }``: an error if s is more than
    ``most`` or if a[0], where it was written, is not 1. One branch has more steps than the other."""
    zero = b.integer(0)
    return automaton(
        (X, N, S, C, A),
        [
            ("start", "first", [Assign(X, zero), Assign(N, zero), Assign(S, zero)]),
            ("first", "head", [Assign(A, b.store(A, zero, zero))]),
            ("head", "body", [Assume(turns > X), Havoc(C)]),
            ("body", "more", [Assume(C), Assign(N, N + 1)]),
            ("more", "yet more", [Assign(A, b.store(A, X, N))]),
            ("yet more", "next", [Assign(S, S + 2)]),
            ("body", "next", [Assume(b.not_(C)), Assign(S, S + 1)]),
            ("next", "head", [Assign(X, X + 1)]),
            ("head", "end", [Assume(turns <= X)]),
            ("end", "bad", [Assume(most < S)]),
            ("end", "bad", [Assume(b.select(A, zero) > 1)]),
        ],
        "start",
        ("bad",),
    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_branches_of_different_length_stay_in_step(reduction: str) -> None:
    verdict = answer(branches(12, 24), reduction=reduction)
    assert isinstance(verdict, Safe)
    assert isinstance(verdict.certificate, Exhausted) and verdict.certificate.by_rounds
    verdict = answer(branches(12, 23), reduction=reduction)
    assert isinstance(verdict, Unsafe)


def test_guards_that_overlap_are_a_choice() -> None:
    """Both edges can be taken from a state, and what they assign differs: no run may get lost."""
    edges = [
        ("start", "next", [Assign(X, b.integer(1))]),
        ("start", "next", [Assign(X, b.integer(2))]),
        ("next", "bad", [Assume(X.eq(1))]),
    ]
    assert isinstance(answer(automaton((X,), edges, "start", ("bad",))), Unsafe)
    edges[-1] = ("next", "bad", [Assume(X.eq(3))])
    assert isinstance(answer(automaton((X,), edges, "start", ("bad",))), Safe)


def test_a_loop_that_is_entered_in_the_middle() -> None:
    """Two locations lead to each other, and both are entered from outside."""
    edges = [
        ("start", "left", [Havoc(C), Assume(C), Assign(X, b.integer(0))]),
        ("start", "right", [Havoc(C), Assume(b.not_(C)), Assign(X, b.integer(1))]),
        ("left", "right", [Assume(X < 6), Assign(X, X + 1)]),
        ("right", "left", [Assume(X < 6), Assign(X, X + 1)]),
        ("left", "bad", [Assume(X > 6)]),
        ("right", "bad", [Assume(X > 6)]),
    ]
    assert isinstance(answer(automaton((X, C), edges, "start", ("bad",))), Safe)
    edges[-1] = ("right", "bad", [Assume(X.eq(5))])
    assert isinstance(answer(automaton((X, C), edges, "start", ("bad",))), Unsafe)


def written_anywhere(bad: list[Statement]) -> Cfa:
    """``while (x < 3) { if (any) n++; a[n] = x; s = a[n / 2]; x++ }``: where it writes depends on the run."""
    zero = b.integer(0)
    return automaton(
        (X, N, S, C, A),
        [
            ("start", "head", [Assign(X, zero), Assign(N, zero), Assign(S, zero)]),
            ("head", "body", [Assume(X < 3), Havoc(C)]),
            ("body", "write", [Assume(C), Assign(N, N + 1)]),
            ("body", "write", [Assume(b.not_(C))]),
            ("write", "read", [Assign(A, b.store(A, N, X))]),
            ("read", "head", [Assign(S, b.select(A, b.div(N, b.integer(2)))), Assign(X, X + 1)]),
            ("head", "end", [Assume(X >= 3)]),
            ("end", "bad", bad),
        ],
        "start",
        ("bad",),
    )


@pytest.mark.parametrize(
    ("bad", "safe"),
    [
        (b.select(A, N).ne(2), True),
        (b.and_(b.select(A, N - 1).eq(2), N.eq(2)), True),
        (b.select(A, b.integer(0)).eq(2), False),
        (b.and_(b.select(A, b.integer(1)).eq(0), b.select(A, b.integer(3)).ne(2), N.eq(3)), True),
        (b.and_(S.eq(0), N.eq(3)), False),
        (b.and_(S.ne(0), N.eq(3)), True),
        (b.and_(S.eq(2), N.eq(1)), False),
    ],
    ids=str,
)
def test_elements_at_indices_with_few_values(bad: Term, safe: bool) -> None:
    verdict = answer(written_anywhere([Assume(bad)]))
    assert isinstance(verdict, Safe if safe else Unsafe)


def test_the_same_is_asked_again() -> None:
    """A branch whose condition is known from an earlier one, in and behind a loop."""
    edges = [
        ("start", "head", [Havoc(C), Assign(X, b.integer(0)), Assign(S, b.integer(0))]),
        ("head", "one", [Assume(X < 3)]),
        ("one", "two", [Assume(C), Assign(S, S + 1)]),
        ("one", "three", [Assume(b.not_(C))]),
        ("two", "three", [Assume(C)]),
        ("two", "bad", [Assume(b.not_(C))]),
        ("three", "head", [Assume(C), Assign(X, X + 1)]),
        ("three", "head", [Assume(b.not_(C)), Assign(X, X + 2)]),
        ("head", "end", [Assume(X >= 3)]),
        ("end", "bad", [Assume(b.and_(C, S.ne(3)))]),
        ("end", "bad", [Assume(b.and_(b.not_(C), X.ne(4)))]),
    ]
    assert isinstance(answer(automaton((X, S, C), edges, "start", ("bad",))), Safe)
    edges[-1] = ("end", "bad", [Assume(b.and_(b.not_(C), X.eq(4)))])
    assert isinstance(answer(automaton((X, S, C), edges, "start", ("bad",))), Unsafe)


def test_a_bound_is_one_of_rounds() -> None:
    assert isinstance(answer(branches(12, 24), bound=5), Unknown)
    assert isinstance(answer(branches(12, 24), bound=13), Safe)
