"""Spacer on both kinds of model; every verdict with its evidence."""

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import spacer
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.sorts import FLOAT32, INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Safe, Unknown, Unsafe
from revet.smt import Status, default_backend
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, Y, explicit, random_system, system


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_systems(case) -> None:
    verdict = spacer.check(case.system, spacer.Options(), Context(Budget(20)))
    assert confirmed(case.system, verdict) == ("safe" if case.safe else "unsafe")


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_explicit_search(seed: int) -> None:
    model = random_system(seed)
    verdict = spacer.check(model, spacer.Options(), Context(Budget(20)))
    assert confirmed(model, verdict) == ("safe" if explicit(model) is None else "unsafe")


def loop(bound: int, wrong: int) -> Cfa:
    """x, y = 0, any; while x < bound: x, y = x + 1, y + 2 …; error if x == wrong after it.

    ``y`` is dead, so the encoding does not carry it and the run must find it again.
    """
    x, y = X, Y
    start, head, end, error = (Location(n) for n in ("start", "head", "end", "error"))
    return Cfa(
        (x, y),
        (start, head, end, error),
        (
            Edge(start, head, (Assign(x, b.integer(0)), Havoc(y), Assume(y > 3))),
            Edge(head, head, (Assume(x < bound), Assign(x, x + 1), Assign(y, y + 2))),
            Edge(head, end, (Assume(x >= bound),)),
            Edge(end, error, (Assume(x.eq(wrong)),)),
        ),
        start,
        (error,),
    )


def test_cfa_safe() -> None:
    cfa = loop(5, 6)
    verdict = spacer.check(cfa, spacer.Options(), Context(Budget(20)))
    assert isinstance(verdict, Safe)
    formulas = verdict.certificate.formulas
    solver = default_backend().solver()
    for edge in cfa.edges:
        relation = cfa.relation(edge)
        before = formulas.get(edge.source, b.FALSE)
        after = formulas.get(edge.target, b.FALSE)
        kept = b.implies(relation.guard, relation.pre(after))
        assert solver.check([before, relation.guard, b.not_(kept)]) is Status.UNSAT
    assert formulas[cfa.initial] is b.TRUE


def test_cfa_unsafe() -> None:
    cfa = loop(5, 5)
    verdict = spacer.check(cfa, spacer.Options(), Context(Budget(20)))
    assert isinstance(verdict, Unsafe)
    trace = verdict.trace
    assert [location.name for location in trace.locations] == ["start", *["head"] * 6, "end", "error"]
    assert [state[X] for state in trace.states[1:]] == [0, 1, 2, 3, 4, 5, 5, 5]
    values = [state[Y] for state in trace.states[1:7]]
    assert values == [values[0] + 2 * i for i in range(6)] and values[0] > 3


def test_cfa_whose_derivation_has_no_states() -> None:
    """z3 leaves facts out that hold for all values; the run is then found by unrolling."""
    start, head, error = (Location(n) for n in ("start", "head", "error"))
    edges = (Edge(start, head), Edge(head, error, (Assume(b.TRUE),)), Edge(head, head, (Havoc(X),)))
    verdict = spacer.check(
        Cfa((X,), (start, head, error), edges, start, (error,)), spacer.Options(), Context(Budget(20))
    )
    assert isinstance(verdict, Unsafe)
    assert [location.name for location in verdict.trace.locations] == ["start", "head", "error"]


def test_floats_are_refused_at_once() -> None:
    f = b.var("f", FLOAT32)
    verdict = spacer.check(system(b.TRUE, {f: f}, f.eq(f), variables=(f,)), spacer.Options(), Context())
    assert isinstance(verdict, Unknown) and "floating-point" in verdict.reason


def test_a_budget_ends_it_inside_a_query() -> None:
    a, c = b.var("a", INT), b.var("c", INT)
    model = system(b.and_(a.eq(0), c.eq(0)), {a: a + 1, c: c + b.mul(a, a)}, (6 * c).ne(b.mul(a, a, a) + 17))
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        spacer.check(model, spacer.Options(), Context(Budget(1.0)))
    assert time.process_time() - start < 2.5
