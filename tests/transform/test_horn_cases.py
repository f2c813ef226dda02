"""Booleans become control flow: verdicts stay what they were, and evidence is carried back."""

from random import Random

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import spacer
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.errors import Unsupported
from revet.frontends.horn.reader import HornScript
from revet.model.horn_automaton import solved
from revet.result import Safe, Unsafe, Verdict
from revet.transform.horn_cases import split_cases
from tests.horn_clauses import random_script

COUNTER = """
(set-logic HORN)
(declare-fun P (Bool Bool Int) Bool)
(declare-fun P!01 (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P false false x))))
(assert (forall ((b Bool) (x Int) (y Int)) (=> (and (P b b x) (not b) (< x 3) (= y (+ x 1))) (P b b y))))
(assert (forall ((x Int)) (=> (and (P false false x) (>= x 3)) (P true false x))))
(assert (forall ((b Bool) (x Int)) (=> (and (P true b x) (P!01 x)) (P b true x))))
(assert (forall ((c Bool) (b Bool) (x Int)) (=> (and (P c b x) (or c b) (not (= x {bad}))) false)))
"""


def system_of(text: str):
    return HornScript(text, "clauses.smt2", "clauses").system


def verdict(system, **options: bool) -> Verdict:
    return spacer.check(system, spacer.Options(**options), Context(Budget(5.0)))


def require_evidence(system, found: Verdict) -> None:
    if isinstance(found, Safe):
        report = check_certificate(system, found.certificate)
        assert report.accepted, report
    elif isinstance(found, Unsafe):
        replay(system, found.trace)


def test_a_predicate_for_each_value_that_is_reached() -> None:
    made = split_cases(system_of(COUNTER.format(bad=3))).model
    assert sorted(p.name for p in made.predicates) == ["P!00", "P!10"]
    assert all(len(p.domain) == 1 for p in made.predicates)
    assert len(made.clauses) == 4  # what needs P!01, which nothing derives, is gone


@pytest.mark.parametrize(("bad", "expected"), [(3, Safe), (4, Unsafe)])
def test_evidence_is_about_the_clauses_that_were_given(bad: int, expected: type) -> None:
    system = system_of(COUNTER.format(bad=bad))
    found = verdict(system, cases=True)
    assert isinstance(found, expected)
    require_evidence(system, found)


def test_branches_become_definitions() -> None:
    text = """(set-logic HORN)
(declare-fun P (Bool Int Int) Bool)
(assert (forall ((x Int) (y Int)) (P false x y)))
(assert (forall ((b Bool) (x Int) (y Int) (u Int) (v Int))
  (=> (and (P false x y) (= b (= x y)) (or (= x y) (and (= u x) (= v (+ y 1))))
           (or (not (= x y)) (and (= u y) (= v x))))
      (P b u v))))
"""
    made = split_cases(system_of(text)).model
    steps = [clause for clause in made.clauses if clause.body and clause.head is not None]
    assert len(steps) == 2
    assert all(solved(made, clause).locals == () for clause in steps)


def test_nothing_to_split() -> None:
    with pytest.raises(Unsupported, match="Boolean arguments"):
        split_cases(system_of("(declare-fun P (Int) Bool)(assert (forall ((x Int)) (P x)))"))


def test_too_much_to_split() -> None:
    bits = " ".join(["Bool"] * 12)
    names = [f"b{i}" for i in range(12)]
    bound = " ".join(f"({name} Bool)" for name in names)
    text = f"(declare-fun P ({bits} Int) Bool)(assert (forall ({bound} (x Int)) (P {' '.join(names)} x)))"
    with pytest.raises(Unsupported, match="too many"):
        split_cases(system_of(text))


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("seed", range(15))
def test_random_clauses_keep_their_verdict(seed: int, linear: bool) -> None:
    system = system_of(random_script(Random(seed), "Int", linear=linear))
    try:
        plain, split = verdict(system), verdict(system, cases=True, preprocess=True)
    except OutOfBudget:
        pytest.skip("too hard")
    require_evidence(system, plain)
    require_evidence(system, split)
    assert {type(plain), type(split)} != {Safe, Unsafe}


@pytest.mark.parametrize(("bad", "expected"), [(3, Safe), (4, Unsafe)])
@pytest.mark.parametrize("name", ["pdr-cfa", "kind"])
def test_engines_for_automata_see_locations(name: str, bad: int, expected: type) -> None:
    linear = COUNTER.format(bad=bad).replace("(and (P true b x) (P!01 x))", "(and (P true b x) (not b))")
    system, info = system_of(linear), engine(name)
    reduction = prepare(system, info, Preparation(cases=True))
    found = info.load().check(reduction.model, info.load().Options(), Context(Budget(5.0)))
    back = reduction.verdict_back(found)
    assert isinstance(found, expected)
    assert name == "kind" or isinstance(back, expected)  # a proof with k > 1 is no model
    require_evidence(system, back)


@pytest.mark.parametrize("seed", range(15))
def test_random_clauses_keep_their_verdict_as_automata(seed: int) -> None:
    system, info = system_of(random_script(Random(seed), "Int", linear=True)), engine("pdr-cfa")
    try:
        reduction = prepare(system, info, Preparation(cases=True))
        found = info.load().check(reduction.model, info.load().Options(), Context(Budget(5.0)))
        plain = verdict(system)
    except (OutOfBudget, Unsupported):
        pytest.skip("too hard, or nothing to split")
    back = reduction.verdict_back(found)
    require_evidence(system, back)
    assert {type(plain), type(back)} != {Safe, Unsafe}
