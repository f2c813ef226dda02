"""Interpolation-based model checking: tiny systems, random ones, refusals, budget."""

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import imc
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.sorts import FLOAT32
from revet.result import Unknown
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, explicit, random_system, system

# Its interpolants enumerate y, x + y, 2x + y, … in one, and miss the parity in the other: the
# engine is known to diverge there.
CONVERGING = [case for case in CASES if case.name not in ("y-not-negative", "periodic")]


@pytest.mark.parametrize("case", CONVERGING, ids=lambda case: case.name)
def test_table(case) -> None:
    verdict = imc.check(case.system, imc.Options(), Context(Budget(20)))
    assert confirmed(case.system, verdict) == ("safe" if case.safe else "unsafe")


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_explicit_search(seed: int) -> None:
    model = random_system(seed)
    verdict = imc.check(model, imc.Options(), Context(Budget(20)))
    assert confirmed(model, verdict) == ("safe" if explicit(model) is None else "unsafe")


def test_floats_are_refused_at_once() -> None:
    f = b.var("f", FLOAT32)
    verdict = imc.check(system(b.TRUE, {f: f}, f.eq(f), variables=(f,)), imc.Options(), Context())
    assert isinstance(verdict, Unknown) and "floating-point" in verdict.reason


def test_a_budget_ends_it() -> None:
    model = system(X.eq(0), {X: X + 2}, X.ne(1_000_001))
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        imc.check(model, imc.Options(), Context(Budget(1.0)))
    assert time.process_time() - start < 2.5
