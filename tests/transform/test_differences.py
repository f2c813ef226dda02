"""Differences as variables: same runs, and evidence that goes back."""

from __future__ import annotations

from dataclasses import replace

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.engines.cegar import Options, check
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Safe, Unsafe
from revet.transform.differences import differences
from tests.generators import random_cfa, search_cfa

TOKEN, COPY, TURN = b.var("token", INT), b.var("copy", INT), b.var("turn", INT)


def ring(expected: int) -> Cfa:
    """A token is drawn and copied, three tasks add one each, then ``token = copy + expected`` is asked,
    again and again."""
    start, draw, work, ask, error = map(Location, ("start", "draw", "work", "ask", "error"))
    edges = (
        Edge(start, draw, (Assign(TURN, b.integer(0)),)),
        Edge(draw, work, (Havoc(TOKEN), Assign(COPY, TOKEN), Assign(TURN, b.integer(0)))),
        Edge(work, work, (Assume(TURN < 3), Assign(TOKEN, TOKEN + 1), Assign(TURN, TURN + 1))),
        Edge(work, ask, (Assume(TURN >= 3),)),
        Edge(ask, error, (Assume(b.not_(TOKEN.eq(COPY + expected))),)),
        Edge(ask, draw, (Assume(TOKEN.eq(COPY + expected)),)),
    )
    return Cfa((TOKEN, COPY, TURN), (start, draw, work, ask, error), edges, start, (error,), b.TRUE, "ring")


def test_values_alone_prove_a_ring():
    cfa = ring(3)
    verdict = check(cfa, Options(domain="explicit"), Context())
    assert isinstance(verdict, Safe)
    assert check_certificate(cfa, verdict.certificate).accepted


def test_a_violation_goes_back():
    cfa = ring(2)
    verdict = check(cfa, Options(domain="explicit"), Context())
    assert isinstance(verdict, Unsafe)
    replay(cfa, verdict.trace)
    assert set(verdict.trace.states[0]) == {TOKEN, COPY, TURN}


def test_automata_without_such_tests_stay_as_they_are():
    cfa = ring(3)
    plain = replace(cfa, edges=cfa.edges[:4])
    assert differences(plain).model is plain


def test_same_answers_on_random_automata():
    watched = 0
    for seed in range(400):
        cfa = random_cfa(seed, locations=5)
        reduction = differences(cfa)
        if reduction.model is cfa:
            continue
        watched += 1
        verdict = reduction.verdict_back(check(reduction.model, Options(), Context()))
        if isinstance(verdict, Safe):
            assert search_cfa(cfa).safe
            assert check_certificate(cfa, verdict.certificate).accepted
        elif isinstance(verdict, Unsafe):
            replay(cfa, verdict.trace)
    assert watched >= 10


def test_variables_with_known_values_are_not_paired():
    start, middle, error = map(Location, ("start", "middle", "error"))
    edges = (
        Edge(start, middle, (Assign(TOKEN, b.integer(1)), Assign(COPY, b.integer(1)))),
        Edge(middle, error, (Assume(b.not_(TOKEN.eq(COPY))),)),
    )
    cfa = Cfa((TOKEN, COPY), (start, middle, error), edges, start, (error,), b.TRUE, "known")
    assert differences(cfa).model is cfa
