"""k-induction: tiny systems, random ones against explicit search, options, interruption."""

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import kind
from revet.engines.common.context import Context, Fact
from revet.errors import UsageError
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.result import KInductive, Safe, Unknown, Unsafe
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, Y, explicit, random_system, system

ABSTRACT = kind.Options(abstraction="structural")


@pytest.mark.parametrize("options", [kind.Options(max_k=40), ABSTRACT], ids=["plain", "abstract"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_table(case, options) -> None:
    verdict = kind.check(case.system, options, Context(Budget(20)))
    assert confirmed(case.system, verdict) == ("safe" if case.safe else "unsafe")
    if isinstance(verdict, Unsafe):
        assert len(verdict.trace) == case.depth


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_explicit_search(seed: int) -> None:
    model = random_system(seed)
    depth = explicit(model)
    for options in (kind.Options(), ABSTRACT, kind.Options(invariants=False)):
        verdict = kind.check(model, options, Context(Budget(20)))
        assert confirmed(model, verdict) == ("safe" if depth is None else "unsafe")
        if isinstance(verdict, Unsafe):
            assert len(verdict.trace) == depth


def test_news_strengthen_the_step() -> None:
    model = system(b.and_(X.eq(0), Y.eq(1)), {X: X + 1, Y: X + Y}, Y >= 0)
    arrived = [[], [Fact(X >= 0), Fact(b.var("elsewhere", INT) > 0)], [Fact(Y <= X * X + 1)]]
    context = Context(Budget(20), news=lambda: arrived.pop(0) if arrived else [])
    verdict = kind.check(model, kind.Options(invariants=False), context)
    assert confirmed(model, verdict) == "safe"
    assert context.stats.counts["facts"] >= 1


def test_a_fact_that_is_not_inductive_is_not_used() -> None:
    model = system(X.eq(1), {X: X + 1}, X.ne(0))
    context = Context(Budget(20), news=lambda: [Fact(X.ne(0))])
    verdict = kind.check(model, kind.Options(invariants=False, max_k=4), context)
    assert isinstance(verdict, Unknown) and verdict.bound == 3


def test_certificate_says_when_paths_are_compressed() -> None:
    periodic = next(case for case in CASES if case.name == "swap")
    verdict = kind.check(periodic.system, kind.Options(completeness=False), Context(Budget(20)))
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, KInductive)


def test_options_name_the_choices() -> None:
    with pytest.raises(UsageError, match="lazy, none"):
        kind.Options(compression="eager")
    with pytest.raises(UsageError, match="least"):
        kind.Options(max_k=0)


def test_a_budget_ends_it_inside_a_query() -> None:
    x, y, z = (b.var(n, INT) for n in "abc")
    cubes = b.mul(x, x, x) + b.mul(y, y, y) + b.mul(z, z, z)
    model = system(x > y, {x: x + y, y: y + z, z: z + x}, cubes.ne(114), guard=cubes.ne(42))
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        verdict = kind.check(model, kind.Options(), Context(Budget(1.0)))
        if isinstance(verdict, Unknown):  # the solver gave up by itself
            raise OutOfBudget
    assert time.process_time() - start < 2.5


def test_runs_do_not_depend_on_the_clock() -> None:
    """The generator's slices are counted in queries: two runs ask the same questions."""
    for case in CASES:
        runs = []
        for _ in range(2):
            context = Context(Budget(60))
            kind.check(case.system, kind.Options(max_k=12), context)
            runs.append((context.stats.counts["queries"], context.stats.counts["facts"]))
        assert runs[0] == runs[1], case.name
