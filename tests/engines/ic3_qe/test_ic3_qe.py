"""IC3 with theory cubes: tiny systems, the slides' programs, random systems, refusals."""

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import ic3_qe
from revet.engines.common.context import Context
from revet.errors import UsageError
from revet.logic import build as b
from revet.logic.sorts import FLOAT32, INT, Array
from revet.result import Safe, Unknown
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, explicit, random_system, system

METHODS = ["project", "cooper", "eliminate"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_table(case, method: str) -> None:
    verdict = ic3_qe.check(case.system, ic3_qe.Options(generalization=method), Context(Budget(20)))
    assert confirmed(case.system, verdict) == ("safe" if case.safe else "unsafe")


@pytest.mark.parametrize("name", ["x-not-zero", "y-not-negative"])
def test_programs_of_the_slides_within_a_second(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    start = time.process_time()
    verdict = ic3_qe.check(case.system, ic3_qe.Options(), Context(Budget(60)))
    assert time.process_time() - start < 1.0
    assert isinstance(verdict, Safe) and confirmed(case.system, verdict) == "safe"


def test_without_splitting_the_slides_program_diverges() -> None:
    case = next(case for case in CASES if case.name == "x-not-zero")
    with pytest.raises(OutOfBudget):
        ic3_qe.check(case.system, ic3_qe.Options(split_equalities=False), Context(Budget(0.7)))


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_explicit_search(seed: int) -> None:
    model = random_system(seed)
    expected = "safe" if explicit(model) is None else "unsafe"
    for method in METHODS:
        verdict = ic3_qe.check(model, ic3_qe.Options(generalization=method), Context(Budget(20)))
        assert confirmed(model, verdict) == expected


def test_out_of_reach_is_said_at_once() -> None:
    f, a = b.var("f", FLOAT32), b.var("a", Array(INT, INT))
    product = system(X.eq(1), {X: b.mul(X, X)}, X >= 1)
    for model, word in (
        (system(b.TRUE, {f: f}, f.eq(f), variables=(f,)), "floating-point"),
        (system(b.TRUE, {a: b.store(a, b.integer(0), X), X: X}, X.eq(X), variables=(a, X)), "array"),
        (product, "non-linear"),
    ):
        verdict = ic3_qe.check(model, ic3_qe.Options(), Context())
        assert isinstance(verdict, Unknown) and word in verdict.reason


def test_options_name_the_choices() -> None:
    with pytest.raises(UsageError, match="project, cooper, eliminate"):
        ic3_qe.Options(generalization="magic")


def test_a_budget_ends_it() -> None:
    # Parity is beyond bounds and literals of the program: one bound a frame, for ever.
    model = system(X.eq(0), {X: X + 2}, X.ne(1_000_001))
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        ic3_qe.check(model, ic3_qe.Options(), Context(Budget(1.0)))
    assert time.process_time() - start < 2.5
