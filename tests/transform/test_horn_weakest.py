"""Weakest preconditions in the places of formulas that are missing from a model."""

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.frontends.horn.reader import HornScript
from revet.logic import build as b
from revet.model.horn import HornSystem
from revet.result.certificate import HornModel
from revet.transform.horn import complete
from revet.transform.horn_weakest import weakest

LOOP = """
(set-logic HORN)
(declare-fun Start (Int Int) Bool)
(declare-fun Loop (Int Int) Bool)
(declare-fun Low (Int Int) Bool)
(declare-fun High (Int Int) Bool)
(declare-fun End (Int Int) Bool)
(assert (Start 0 0))
(assert (forall ((x Int) (y Int)) (=> (Start x y) (Loop x y))))
(assert (forall ((x Int) (y Int)) (=> (and (Loop x y) (< x 10)) (Low y x))))
(assert (forall ((x Int) (y Int)) (=> (and (Loop x y) (>= x 10)) (High x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (Low y x) {step}) (Loop z z))))
(assert (forall ((x Int)) (=> (High x x) (End x x))))
(assert (forall ((x Int) (y Int)) (=> (and (High x y) (not (= x y))) false)))
(assert (forall ((x Int) (y Int)) (=> (and (End x y) (< x 10)) false)))
"""


def system_of(step: str) -> HornSystem:
    return HornScript(LOOP.format(step=step), "clauses.smt2", "clauses").system


def known_of(system: HornSystem) -> tuple[dict, dict]:
    by_name = {p.name: p for p in system.predicates}
    x, y = system.arguments[by_name["Loop"]]
    return by_name, {by_name["Loop"]: b.eq(x, y)}


def test_what_lies_between_known_formulas_is_written_down() -> None:
    system = system_of("(= z (+ x 1))")
    by_name, known = known_of(system)
    found = weakest(system, known)
    assert set(found) == set(by_name.values()) - set(known)
    x, y = system.arguments[by_name["Start"]]
    assert found[by_name["Start"]] is b.eq(x, y)
    report = check_certificate(system, HornModel({**known, **found}), Budget(10.0))
    assert report.accepted, report


def test_values_that_are_drawn_are_left_to_others() -> None:
    system = system_of("(> z x) (= x (* 2 y))")
    by_name, known = known_of(system)
    formulas = {by_name["Loop"]: b.ge(system.arguments[by_name["Loop"]][0], b.integer(0))}
    assert by_name["Low"] not in weakest(system, formulas)
    assert by_name["Low"] in weakest(system, known)  # there Loop(z, z) holds for every z


def test_a_model_is_completed() -> None:
    system = system_of("(= z (+ x 1))")
    _, known = known_of(system)
    completed = complete(system, known)
    assert completed is not None
    assert check_certificate(system, HornModel(completed), Budget(10.0)).accepted


def test_predicates_used_together_and_recursive_ones_are_left_out() -> None:
    text = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(declare-fun R (Int) Bool)
(assert (forall ((x Int)) (=> (= x 1) (P x))))
(assert (forall ((x Int)) (=> (P x) (Q x))))
(assert (forall ((x Int)) (=> (Q x) (R x))))
(assert (forall ((x Int)) (=> (R x) (R (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (Q x) (< x 0)) false)))
"""
    system = HornScript(text, "clauses.smt2", "clauses").system
    assert weakest(system, {}) == {}
