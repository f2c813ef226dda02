"""The certificate checker on the founding documents' examples, and each way to be refused."""

from __future__ import annotations

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.model.system import TransitionSystem
from revet.result import Exhausted, KInductive, LocationInvariants
from tests.models import MODELS, X, Y, Z, automaton, invariants

BY_NAME = {tiny.name: tiny for tiny in MODELS}


@pytest.mark.parametrize("tiny", [t for t in MODELS if t.certificate], ids=lambda t: t.name)
def test_known_certificates_are_accepted(tiny):
    report = check_certificate(tiny.model, tiny.certificate)
    assert report.accepted, report


def refused(model, certificate, condition, *texts):
    report = check_certificate(model, certificate)
    assert report.status == "rejected"
    assert report.condition == condition, str(report)
    for text in texts:
        assert text in str(report)
    return report


def test_each_condition_is_named():
    program = BY_NAME["notes, program"].model
    weak = invariants(program, l2=b.TRUE, l3=b.and_(Y >= Z, X >= Y))
    refused(program, weak, "consecution", "l2 -> l3")
    unproved = invariants(program, l2=Y >= Z, l3=Y >= Z)
    report = refused(program, unproved, "consecution", "l3 -> l5")
    assert report.counterexample[Y] >= report.counterexample[Z] > report.counterexample[X]
    refused(program, invariants(program, l1=X > 0, l2=Y >= Z), "initiation", "at l1")
    refused(program, invariants(program, l2=Y >= Z, l5=b.TRUE), "safety", "error location l5")
    system = BY_NAME["Tegzes, example 7"].model
    refused(system, KInductive(X < 1), "consecution")
    refused(system, KInductive(b.or_(X.eq(1), X.eq(2))), "initiation")
    refused(system, KInductive(b.or_(X < 2, X.eq(3))), "safety", "not-d")


def test_formulas_must_cut_every_cycle():
    program = BY_NAME["notes, program"].model
    refused(program, invariants(program, l3=X >= Z), "form", "cycle through l2")


def test_malformed_certificates():
    program, system = BY_NAME["notes, program"].model, BY_NAME["swap"].model
    other = BY_NAME["Werner, graph B"].model
    w = b.var("w", INT)
    refused(program, invariants(program, l2=w > 0), "form", "mentions w")
    refused(program, LocationInvariants({other.location("l1"): b.TRUE}), "form", "not a location")
    refused(program, invariants(program, 0, l2=Y >= Z), "form", "k is 0")
    refused(program, KInductive(b.TRUE), "form")
    refused(system, KInductive(X + 1), "form", "not a formula")
    refused(system, KInductive(w > 0), "form", "mentions w")
    refused(system, KInductive(b.TRUE, 0), "form")
    refused(system, invariants(program), "form")
    refused(system, Exhausted(-1), "form")
    refused(program, Exhausted(2, backward=True, simple_path=True), "form")


def test_k_matters():
    swap = BY_NAME["swap"].model
    formula = b.or_(X.eq(0), X.eq(1))
    refused(swap, KInductive(formula, 1), "consecution")
    assert check_certificate(swap, KInductive(formula, 3)).accepted


def test_k_induction_on_an_automaton():
    # y's value is forgotten after each step but the last: x = 0 or 1 is not inductive, y too is
    cfa = automaton(
        (X, Y),
        [
            ("a", "h", [Assign(X, b.integer(0)), Assign(Y, b.integer(1))]),
            ("h", "m", []), ("m", "h", [Assign(X, b.ite(X.eq(0), Y, X)), Assign(Y, b.integer(1))]),
            ("h", "e", [Assume(b.and_(X.ne(0), X.ne(1)))]),
        ],
        "a", ("e",),
    )
    formula = b.or_(X.eq(0), X.eq(1))
    refused(cfa, invariants(cfa, h=formula), "consecution", "h -> m -> h")
    refused(cfa, invariants(cfa, 3, h=X.eq(0)), "initiation", "a -> h -> h")
    assert check_certificate(cfa, invariants(cfa, 3, h=formula)).accepted
    assert check_certificate(cfa, invariants(cfa, h=b.and_(formula, Y.eq(1)))).accepted


def test_simple_path():
    # x goes round 0, 1, 2; from 10 it goes round 10, 11, 12 and then out: unreachable
    cycle = b.ite(X.eq(2), b.integer(0), b.ite(X.eq(12), b.integer(10), X + 1))
    cfa = automaton(
        (X, Z),
        [
            ("a", "h", [Assign(X, b.integer(0))]),
            ("h", "h", [Assume(X <= 12), Assume(X >= 0), Assume(b.or_(X <= 2, X >= 10)), Assign(X, cycle),
                        Assign(Z, Z + 1)]),
            ("h", "e", [Assume(X.eq(13))]),
        ],
        "a", ("e",),
    )
    formula = X.ne(13)
    assert check_certificate(cfa, invariants(cfa, 2, h=formula)).accepted
    # 20 <-> 21 -> 13 from nowhere: only simple paths rule out staying there for k steps
    hop = b.ite(X.eq(2), b.integer(0), b.ite(X.eq(20), b.integer(21), X + 1))
    loop = automaton(
        (X, Y, Z),
        [
            ("a", "h", [Assign(X, b.integer(0))]),
            ("h", "h", [Assume(X <= 2), Assign(X, hop), Assign(Z, Z + 1)]),
            ("h", "h", [Assume(X.eq(20)), Assign(X, b.integer(21))]),
            ("h", "h", [Assume(X.eq(21)), Assign(X, b.integer(20)), Assign(Z, Z + 1)]),
            ("h", "h", [Assume(X.eq(21)), Assign(X, b.integer(13))]),
            ("h", "e", [Assume(X.eq(13))]),
        ],
        "a", ("e",),
    )
    for k in (2, 3, 4):
        refused(loop, invariants(loop, k, h=formula), "consecution")
    proof = LocationInvariants({loop.location("h"): formula}, 3, simple_path=True)
    # z counts on but decides nothing, so states that differ only in z count as equal
    assert check_certificate(loop, proof).accepted


def test_exhaustion():
    lock = BY_NAME["Penelle, lock"].model
    refused(lock, Exhausted(12), "exhaustion")
    refused(lock, Exhausted(2, backward=True), "exhaustion")
    graph_a = BY_NAME["Werner, graph A"].model
    refused(graph_a, Exhausted(4), "safety", "l0 -> l1 -> l2 -> le")
    refused(graph_a, Exhausted(3), "exhaustion")
    safe = automaton(
        (X,),
        [
            ("a", "b", [Assign(X, b.integer(2))]), ("b", "c", [Assume(X > 1)]), ("c", "e", [Assume(X > 2)]),
            ("c", "c2", []), ("c2", "c2", []),
        ],
        "a", ("e",),
    )
    assert check_certificate(safe, Exhausted(3)).accepted
    refused(safe, Exhausted(2), "exhaustion")
    assert check_certificate(safe, Exhausted(1, cuts=frozenset())).accepted
    assert check_certificate(safe, Exhausted(3, backward=True)).accepted
    refused(lock, Exhausted(3, cuts=frozenset()), "form", "cycle")
    assert check_certificate(lock, Exhausted(2, True, cuts=frozenset([lock.location("2")]))).accepted
    refused(lock, Exhausted(1, True, cuts=frozenset([lock.location("2")])), "exhaustion")
    count = BY_NAME["count to 5"].model
    refused(count, Exhausted(6), "safety")
    refused(count, Exhausted(5), "exhaustion")


def test_simple_path_looks_only_at_what_matters():
    """z counts the steps, through an input, and decides nothing: without it states repeat."""
    i = b.var("i", INT)
    hop = b.ite(X.eq(0), b.integer(0), b.ite(X.eq(2), b.integer(3), b.integer(2)))
    out = b.or_(X.eq(0), X.eq(2), X.eq(3))
    for init in (X.eq(0), b.and_(X.eq(0), Z.eq(0))):
        step = Relation(b.and_(out, i.eq(Z + 1)), {X: hop, Z: i}, (i,))
        system = TransitionSystem((X, Z), init, step, {"p": X.ne(5)})
        assert check_certificate(system, Exhausted(2, simple_path=True)).accepted
        refused(system, Exhausted(2), "exhaustion")
    # an input that is used elsewhere ties z to what matters
    step = Relation(b.and_(out, i.eq(Z + 1), i < 100), {X: hop, Z: i}, (i,))
    system = TransitionSystem((X, Z), b.and_(X.eq(0), Z.eq(0)), step, {"p": X.ne(5)})
    refused(system, Exhausted(2, simple_path=True), "exhaustion")


def test_a_claim_of_any_depth_keeps_to_the_time() -> None:
    x = b.var("x", INT)
    system = TransitionSystem((x,), x.eq(0), Relation(updates={x: x + 1}), {"p": x >= 0})
    with pytest.raises(OutOfBudget):
        check_certificate(system, KInductive(x >= 0, 10**9), budget=Budget(0.5))
    with pytest.raises(OutOfBudget):
        check_certificate(system, KInductive(b.TRUE, 10**9), budget=Budget(0.5))
