"""pdr-ia: tiny systems, random ones against explicit search with all options, options, interruption."""

import time
from itertools import product

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import pdr_ia
from revet.engines.common.context import Context
from revet.errors import UsageError
from revet.events import FrameOpened, LemmaLearnt, ObligationOpened, PredicateFound
from revet.logic import build as b
from revet.logic.sorts import BOOL, FLOAT32, INT, Array
from revet.result import Safe, Unknown
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, Y, explicit, random_system, system

METHODS = ["auto", "wp", "horn", "sp"]
STRATEGIES = ["this-path", "all-paths"]


def run(model, options=None, seconds=20.0) -> str:
    return confirmed(model, pdr_ia.check(model, options or pdr_ia.Options(), Context(Budget(seconds))))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("method", METHODS)
def test_table(case, strategy, method) -> None:
    options = pdr_ia.Options(refinement=strategy, interpolation=method)
    assert run(case.system, options) == ("safe" if case.safe else "unsafe")


VARIANTS = [
    pdr_ia.Options(),
    pdr_ia.Options(refinement="all-paths"),
    pdr_ia.Options(interpolation="wp", lifting="none", seeds="property"),
    pdr_ia.Options(interpolation="sp", ctg=3),
    pdr_ia.Options(refinement="all-paths", dropping=False, push=False),
    pdr_ia.Options(split=False, attempts=3, seeds="diverging"),
]


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_explicit_search(seed: int) -> None:
    model = random_system(seed)
    expected = "safe" if explicit(model) is None else "unsafe"
    for options in VARIANTS:
        assert run(model, options) == expected, options


ALL_OPTIONS = [
    pdr_ia.Options(
        refinement=strategy, interpolation=method, lifting=lifting, dropping=dropping, ctg=ctg, push=push,
        split=split, seeds=seeds,
    )
    for strategy, method, lifting, dropping, ctg, push, split, seeds in product(
        STRATEGIES, METHODS, ["components", "none"], [True, False], [0, 2], [True, False], [True, False],
        ["property", "program", "diverging"],
    )
]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60, 2060))
def test_agrees_with_explicit_search_long(seed: int) -> None:
    model = random_system(seed)
    expected = "safe" if explicit(model) is None else "unsafe"
    for number in range(4):
        options = ALL_OPTIONS[(seed * 31 + number * 67) % len(ALL_OPTIONS)]
        assert run(model, options) == expected, options


def test_events_and_statistics() -> None:
    case = next(case for case in CASES if case.name == "periodic")
    events: list[object] = []
    context = Context(Budget(20), observe=events.append)
    assert isinstance(pdr_ia.check(case.system, pdr_ia.Options(seeds="property"), context), Safe)
    kinds = {type(event) for event in events}
    assert kinds >= {FrameOpened, LemmaLearnt, ObligationOpened, PredicateFound}
    counts = context.stats.counts
    assert counts["queries"] > 10 and counts["predicates"] >= 3 and counts["refinements"] >= 1
    assert counts["frames"] == sum(isinstance(event, FrameOpened) for event in events)
    assert "refinement" in context.stats.seconds and "solver" in context.stats.seconds


def test_deterministic() -> None:
    def log() -> list[str]:
        events: list[object] = []
        pdr_ia.check(CASES[3].system, pdr_ia.Options(), Context(Budget(20), observe=events.append))
        return [repr(event) for event in events]

    assert log() == log()


@pytest.mark.parametrize(
    "bad, allowed",
    [
        ({"refinement": "no-path"}, "this-path, all-paths"),
        ({"interpolation": "craig"}, "auto, wp, horn, sp"),
        ({"seeds": "none"}, "property, program, diverging"),
        ({"lifting": "some"}, "components, none"),
        ({"ctg": -1}, "least"),
        ({"push": "yes"}, "true, false"),
    ],
)
def test_options_name_the_choices(bad, allowed) -> None:
    with pytest.raises(UsageError, match=allowed):
        pdr_ia.Options(**bad)


def test_out_of_reach_is_said_at_once() -> None:
    f = b.var("f", FLOAT32)
    verdict = pdr_ia.check(system(b.TRUE, {f: f}, b.TRUE), pdr_ia.Options(), Context())
    assert isinstance(verdict, Unknown) and "floating-point" in verdict.reason
    q = b.var("q", INT)
    verdict = pdr_ia.check(system(b.forall([q], q <= X + q), {X: X}, b.TRUE), pdr_ia.Options(), Context())
    assert isinstance(verdict, Unknown) and "quantifier" in verdict.reason


def test_arrays() -> None:
    a = b.var("a", Array(INT, INT))
    init = b.and_(X.eq(0), b.select(a, b.integer(0)).eq(7))
    model = system(init, {X: X + 1, a: b.store(a, X + 1, X)}, b.select(a, b.integer(0)).eq(7))
    assert run(model) == "safe"
    model = system(init, {X: X + 1, a: b.store(a, X - 2, X)}, b.select(a, b.integer(0)).eq(7))
    assert run(model) == "unsafe"


def test_relational_invariants() -> None:
    n, i, s = (b.var(name, INT) for name in ("n", "i", "s"))
    # i counts up to n, s = 2*i all along; at the end s = 2*n.
    init = b.and_(i.eq(0), s.eq(0), n >= 0)
    model = system(init, {i: i + 1, s: s + 2, n: n}, b.implies(i >= n, s.eq(2 * n)), guard=i < n)
    assert run(model) == "safe"
    go = b.var("go", BOOL)
    model = system(
        b.and_(X.eq(0), Y.eq(0)), {X: b.ite(go, X + 1, X), Y: b.ite(go, Y + 1, Y)}, X <= Y, inputs=(go,)
    )
    assert run(model) == "safe"


def test_divergence_is_met_with_sampled_equations() -> None:
    """Interpolants of single runs count x and y down for ever; the sum of differences is kept."""
    i, j = b.var("i", INT), b.var("j", INT)
    model = system(
        b.and_(i.eq(X), j.eq(Y)), {X: X - 1, Y: Y - 1, i: i, j: j},
        b.implies(b.and_(X.eq(0), Y.ne(0)), i.ne(j)), guard=X.ne(0),
    )
    events: list[object] = []
    context = Context(Budget(20), observe=events.append)
    verdict = pdr_ia.check(model, pdr_ia.Options(), context)
    assert confirmed(model, verdict) == "safe"


def test_deep_counterexamples_are_found_by_looking_ahead() -> None:
    model = system(X.eq(0), {X: X + 1}, X.ne(60))
    assert run(model) == "unsafe"


def test_a_budget_ends_it_inside_a_query() -> None:
    x, y, z = (b.var(n, INT) for n in "abc")
    cubes = b.mul(x, x, x) + b.mul(y, y, y) + b.mul(z, z, z)
    model = system(x > y, {x: x + y, y: y + z, z: z + x}, cubes.ne(114), guard=cubes.ne(42))
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        verdict = pdr_ia.check(model, pdr_ia.Options(), Context(Budget(1.0)))
        if isinstance(verdict, Unknown):  # the solver gave up by itself
            raise OutOfBudget
    assert time.process_time() - start < 3
