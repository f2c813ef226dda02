"""The analysis on automata: values at locations, verdicts, certificates, size."""

from __future__ import annotations

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.engines import engine
from revet.engines.absint import Options, analyse, check
from revet.engines.absint.intervals import Interval
from revet.engines.common.context import Context
from revet.events import Event, InvariantFound, Note
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BitVec
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.order import weak_topological_order
from revet.model.statements import Assign, Assume, Statement
from revet.result import LocationInvariants, Safe, Unknown
from tests.generators import random_cfa, search_cfa
from tests.models import MODELS
from tests.models import X as x
from tests.models import Y as y
from tests.models import Z as z
from tests.models import automaton as build_automaton


def automaton(
    variables: tuple[Term, ...], initial: str, error: str, edges: list[tuple[str, list[Statement], str]]
) -> Cfa:
    turned = [(source, target, statements) for source, statements, target in edges]
    return build_automaton(variables, turned, initial, (error,))


def graph_a() -> Cfa:
    return next(tiny.model for tiny in MODELS if tiny.name == "Werner, graph A")  # type: ignore[return-value]


def counting() -> Cfa:
    """x = 0; while (x < 100) x++; assert x == 100"""
    return automaton(
        (x, y),
        "start",
        "bad",
        [
            ("start", [Assign(x, b.integer(0))], "head"),
            ("head", [Assume(x < 100)], "body"),
            ("body", [Assign(x, x + 1)], "head"),
            ("head", [Assume(x >= 100)], "end"),
            ("end", [Assume(x.ne(100))], "bad"),
        ],
    )


def joined_constants() -> Cfa:
    """Two branches with x + y = 3: constants cannot tell, and neither can intervals."""
    return automaton(
        (x, y, z),
        "1",
        "bad",
        [
            ("1", [Assign(x, b.integer(1))], "2"),
            ("1", [Assign(x, b.integer(2))], "3"),
            ("2", [Assign(y, b.integer(2))], "4"),
            ("3", [Assign(y, b.integer(1))], "4"),
            ("4", [Assign(z, x + y)], "5"),
            ("5", [Assume(z > 4)], "bad"),
        ],
    )


def nonzero() -> Cfa:
    """x grows from above zero or falls from below it: only the sign *not zero* excludes 0."""
    return automaton(
        (x,),
        "0",
        "bad",
        [
            ("0", [Assume(x > 0)], "up"),
            ("0", [Assume(x < 0)], "down"),
            ("up", [Assign(x, x + 1)], "up"),
            ("up", [], "end"),
            ("down", [Assign(x, x - 1)], "down"),
            ("down", [], "end"),
            ("end", [Assume(x.eq(0))], "bad"),
        ],
    )


VERDICTS = [
    (counting, {"intervals", "product"}),
    (joined_constants, {"intervals", "product"}),
    (nonzero, {"signs", "product"}),
    (graph_a, set()),
]


@pytest.mark.parametrize("domain", ["constants", "signs", "intervals", "product"])
@pytest.mark.parametrize("make, provers", VERDICTS, ids=lambda v: getattr(v, "__name__", ""))
def test_verdicts(make: object, provers: set[str], domain: str) -> None:
    cfa = make()  # type: ignore[operator]
    verdict = check(cfa, Options(domain=domain), Context())  # type: ignore[arg-type]
    if domain in provers:
        assert isinstance(verdict, Safe) and isinstance(verdict.certificate, LocationInvariants)
        assert check_certificate(cfa, verdict.certificate).accepted
    else:
        assert isinstance(verdict, Unknown) and "do not exclude" in verdict.reason


def test_values() -> None:
    cfa = counting()
    analysis = analyse(cfa, "intervals")
    head, body, end = (cfa.location(name) for name in ("head", "body", "end"))
    assert analysis.value(head, x) == Interval(0, 100)
    assert analysis.value(body, x) == Interval(0, 99)
    assert analysis.value(end, x) == Interval(100, 100)
    assert analysis.formula(end) is x.eq(100)
    assert analysis.formula(cfa.initial) is TRUE
    assert "end    x = 100" in analysis.report() and "bad    not reachable" in analysis.report()


def test_widening_and_narrowing() -> None:
    cfa = counting()
    head = cfa.location("head")
    wide = analyse(cfa, "intervals", thresholds=False, narrowing=0)
    assert wide.value(head, x) == Interval(0, float("inf"))
    assert analyse(cfa, "intervals", thresholds=False).value(head, x) == Interval(0, 100)


def test_constants() -> None:
    analysis = analyse(joined_constants(), "constants")
    cfa = analysis.cfa
    assert analysis.value(cfa.location("2"), x) == 1
    assert analysis.show(cfa.location("4")) == "nothing known"


def test_infinite_descent() -> None:
    """Narrowing ends although every round downwards would still improve the interval."""
    cfa = automaton(
        (x,),
        "0",
        "r",
        [
            ("0", [Assign(x, b.integer(0))], "1"),
            ("0", [Assign(x, b.integer(1))], "1"),
            ("1", [Assume(x.eq(3))], "r"),
            ("r", [Assign(x, x + 1)], "r"),
        ],
    )
    assert isinstance(check(cfa, Options(narrowing=50), Context(Budget(30))), Safe | Unknown)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("domain", ["constants", "signs", "intervals", "product"])
def test_random_automata(seed: int, domain: str) -> None:
    """States contain everything reachable; where they exclude the errors the checker agrees."""
    cfa = random_cfa(seed)
    analysis = analyse(cfa, domain)  # type: ignore[arg-type]
    for location, state in search_cfa(cfa).states:
        assert Evaluator(state)(analysis.formula(location)) is True
    verdict = check(cfa, Options(domain=domain), Context())  # type: ignore[arg-type]
    if isinstance(verdict, Safe):
        assert check_certificate(cfa, verdict.certificate).accepted


@pytest.mark.parametrize("seed", range(40))
def test_states_are_inductive(seed: int) -> None:
    """Also where they prove nothing: the same automaton without its errors."""
    cfa = random_cfa(seed)
    cfa = Cfa(cfa.variables, cfa.locations, cfa.edges, cfa.initial, (), cfa.precondition)
    analysis = analyse(cfa)
    formulas = {at: analysis.formula(at) for at in cfa.locations}
    # the checker looks only at what leads to an error: make every location lead to one
    bad = Location("bad")
    ways = tuple(Edge(at, bad, (Assume(b.not_(formulas[at])),)) for at in cfa.locations)
    guarded = Cfa(
        cfa.variables, (*cfa.locations, bad), (*cfa.edges, *ways), cfa.initial, (bad,), cfa.precondition
    )
    assert check_certificate(guarded, LocationInvariants(formulas)).accepted


def test_other_sorts_are_unknown() -> None:
    v = b.var("v", BitVec(8))
    cfa = automaton(
        (v, x),
        "0",
        "bad",
        [
            ("0", [Assign(v, b.bv(1, 8)), Assign(x, b.bv2nat(v))], "1"),
            ("1", [Assume(v.eq(b.bv(2, 8)))], "bad"),
        ],
    )
    assert isinstance(check(cfa, Options(), Context()), Unknown)
    assert analyse(cfa, "intervals").value(cfa.location("1"), x) == Interval(0, float("inf"))


def test_events_and_budget() -> None:
    events: list[Event] = []
    check(counting(), Options(), Context(observe=events.append))
    assert any(isinstance(e, Note) and "end    x = 100" in e.text for e in events)
    assert any(isinstance(e, InvariantFound) and e.location == "end" for e in events)
    with pytest.raises(OutOfBudget):
        check(counting(), Options(), Context(Budget(0)))


def test_order_of_nested_loops() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "a"), ("d", "e")]
    cfa = automaton((x,), "a", "e", [(s, [], t) for s, t in edges])
    order = weak_topological_order(cfa)
    assert [at.name for at in order.locations] == ["a", "b", "c", "d", "e"]
    assert order.last == {0: 3, 1: 2} and order.ends == {2: [1], 3: [0]}


def test_large_automaton() -> None:
    """6,000 locations in 1,500 loops over 20 variables: seconds."""
    variables = tuple(b.var(f"v{n}", x.sort) for n in range(20))
    locations = [Location(f"l{n}") for n in range(6001)]
    edges = []
    for n in range(0, 6000, 4):
        v, limit = variables[n // 4 % 20], n % 97 + 3
        a, body, back, end = locations[n : n + 4]
        edges += [
            Edge(a, body, (Assign(v, b.integer(0)),)),
            Edge(body, back, (Assume(v < limit),)),
            Edge(back, body, (Assign(v, v + 1),)),
            Edge(body, end, (Assume(v >= limit),)),
            Edge(end, locations[n + 4], (Assume(v.eq(limit)),)),
        ]
    cfa = Cfa(variables, tuple(locations), tuple(edges), locations[0], (locations[-1],))
    start = time.perf_counter()
    analysis = analyse(cfa)
    assert time.perf_counter() - start < 20
    limit = 5996 % 97 + 3
    assert analysis.value(locations[-2], variables[1499 % 20]).interval == Interval(limit, limit)


def test_registered() -> None:
    assert engine("absint").load().check is check
    assert not engine("absint").blocks
