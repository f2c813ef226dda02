"""Congruences, and analysis backward and in both directions: answers agree with explicit search, and the
checker accepts every certificate."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.engines.absint import Options, check
from revet.engines.common.context import Context
from revet.events import Event, Explained
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.model.cfa import Cfa
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Safe
from tests.generators import random_cfa, search_cfa
from tests.models import automaton

X, Y = b.var("x", INT), b.var("y", INT)
P = b.var("p", BOOL)
DIRECTIONS = ("forward", "backward", "both")


def verdict_of(cfa: Cfa, **options: object) -> object:
    found = check(cfa, Options(**options), Context(Budget(60)))  # type: ignore[arg-type]
    if isinstance(found, Safe):
        report = check_certificate(cfa, found.certificate)
        assert report.accepted, str(report)
    return found


def threes(step: int) -> Cfa:
    """x goes up in steps; is it a multiple of three afterwards?"""
    rest = b.mod(X, b.integer(3))
    edges = [
        ("a", "l", [Assign(X, b.integer(0))]), ("l", "l", [Assume(X < Y), Assign(X, X + step)]),
        ("l", "e", [Assume(X >= Y), Assume(rest.ne(0))]),
    ]
    return automaton((X, Y), edges, "a", ("e",))


def test_a_multiple_of_three_is_proved_by_the_default() -> None:
    assert isinstance(verdict_of(threes(3)), Safe)
    assert isinstance(verdict_of(threes(6), domain="congruences"), Safe)
    assert not isinstance(verdict_of(threes(3), domain="intervals"), Safe)
    assert not isinstance(verdict_of(threes(2)), Safe)


def test_backwards_needs_no_initial_values() -> None:
    """Whatever x is, y is above 10 where it is looked at."""
    edges = [
        ("a", "b", [Assume(X > 10), Assign(Y, X)]), ("a", "b", [Assume(X <= 10), Assign(Y, b.integer(20))]),
        ("b", "c", [Assign(Y, Y + 1)]), ("c", "e", [Assume(Y <= 10)]),
    ]
    assert isinstance(verdict_of(automaton((X, Y), edges, "a", ("e",)), direction="backward"), Safe)


def test_both_directions_prove_more_than_either() -> None:
    """p tells whether x is large; the error needs x large and p false. Forward, the join forgets that."""
    edges = [
        ("a", "b", [Havoc(X), Assume(X > 5), Assign(P, b.TRUE)]),
        ("a", "b", [Havoc(X), Assume(X <= 5), Assign(P, b.FALSE)]),
        ("b", "e", [Assume(X > 5), Assume(b.not_(P))]),
    ]
    cfa = automaton((X, P), edges, "a", ("e",))
    assert not isinstance(verdict_of(cfa), Safe)
    assert isinstance(verdict_of(cfa, direction="both"), Safe)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("domain", ["product", "congruences", "intervals"])
def test_random_automata(direction: str, domain: str) -> None:
    for seed in range(25):
        cfa = random_cfa(seed)
        if isinstance(verdict_of(cfa, direction=direction, domain=domain), Safe):
            assert search_cfa(cfa).safe, seed


def test_every_round_is_told() -> None:
    seen: list[Event] = []
    check(threes(3), Options(explain=True), Context(Budget(60), seen.append))
    told = [event for event in seen if isinstance(event, Explained)]
    assert told[0].title == "forward, round 1, l again" and "x = 0 mod 3" in told[-1].text
    assert [step.title for step in told[-2:]] == ["forward, before narrowing", "forward, after narrowing"]
    check(threes(3), Options(explain=True, direction="backward"), Context(Budget(60), seen.append))
    last = seen[-1]
    assert isinstance(last, Explained) and last.title.startswith("backward")
