"""Bounded model checking: the seeds' examples, agreement of the variants, explicit search."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import engine
from revet.engines.bmc import Options, check
from revet.engines.bmc.relevance import relevant_locations
from revet.engines.common.context import Context
from revet.events import BoundReached, Event, FrameOpened
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.model.cfa import Cfa, Location
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.model.system import TransitionSystem
from revet.result import Exhausted, Safe, Unknown, Unsafe, Verdict
from revet.transform.reduction import unchanged
from revet.transform.to_system import to_system
from tests.generators import random_cfa, random_system, search_cfa, search_system, steps, valuations
from tests.models import MODELS, Tiny, X, automaton

VARIANTS = [
    Options(strategy, direction, versioning=versioning)
    for strategy, direction, versioning in product(
        ("global", "depth-first"), ("forward", "backward"), (True, False)
    )
]
REDUCTIONS = {
    "as it is": unchanged,
    "cleaned": lambda cfa: prepare(cfa, engine("bmc"), Preparation(large_blocks=False)),
    "large blocks": lambda cfa: prepare(cfa, engine("bmc"), Preparation()),
    "blocks only": lambda cfa: prepare(cfa, engine("bmc"), Preparation(reduce=False)),
    "system": to_system,
}


def answer(
    model: Cfa | TransitionSystem, options: Options, bound: int | None, reduction: str = "as it is"
) -> Verdict:
    """The verdict, carried back; its evidence has passed the checker."""
    variant = Options(options.strategy, options.direction, bound, options.versioning)
    reduced = REDUCTIONS[reduction](model)
    verdict = reduced.verdict_back(check(reduced.model, variant, Context(Budget(60))))
    match verdict:
        case Safe(certificate):
            assert isinstance(certificate, Exhausted)
            assert check_certificate(model, certificate).accepted
        case Unsafe(trace):
            replay(model, trace)
    return verdict


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("tiny", MODELS, ids=lambda tiny: tiny.name)
def test_tiny_models(tiny: Tiny, options: Options) -> None:
    verdict = answer(tiny.model, options, 12)
    if not tiny.safe:
        assert isinstance(verdict, Unsafe)
        assert len(verdict.trace) == tiny.depth or options.strategy == "depth-first"
    elif "lock" in tiny.name:  # 4.1.3 of the notes: forward unknown, backward safe
        assert isinstance(verdict, Safe if options.direction == "backward" else Unknown)
    elif isinstance(verdict, Unknown):
        assert verdict.bound == 12 and "no violation within 12 steps" in verdict.reason
    else:
        assert isinstance(verdict, Safe)


Configuration = tuple[Location, tuple[object, ...]]


def layers(cfa: Cfa, count: int) -> list[set[Configuration]]:
    """Configurations after exactly 0 … ``count`` steps, through relevant locations, errors last."""
    relevant = relevant_locations(cfa)
    starts = [s for s in valuations(cfa.variables) if Evaluator(s)(cfa.precondition)]
    found = [{(cfa.initial, tuple(s.values())) for s in starts if cfa.initial in relevant}]
    for _ in range(count):
        found.append(
            {
                (edge.target, tuple(after[x] for x in cfa.variables))
                for location, state in found[-1]
                if location not in cfa.errors
                for edge in cfa.outgoing[location]
                if edge.target in relevant
                for after, _ in steps(edge, dict(zip(cfa.variables, state, strict=True)))
            }
        )
    return found


@pytest.mark.parametrize("seed", range(50))
def test_variants_agree_with_enumeration(seed: int) -> None:
    """Not only the verdicts: exhaustion is found exactly where runs end."""
    cfa, bound = random_cfa(seed), 5
    runs, search = layers(cfa, bound + 1), search_cfa(cfa)
    kinds: dict[str, set[type]] = {"forward": set(), "backward": set()}
    for options in VARIANTS:
        verdict = answer(cfa, options, bound)
        kinds[options.direction].add(type(verdict))
        if search.depth is not None and search.depth <= bound:
            assert isinstance(verdict, Unsafe)
            assert len(verdict.trace) == search.depth or options.strategy == "depth-first"
        elif isinstance(verdict, Safe):
            assert search.safe and isinstance(verdict.certificate, Exhausted)
            if options.direction == "forward":
                assert not runs[bound + 1] and not runs[verdict.certificate.depth]
        else:
            assert isinstance(verdict, Unknown) and verdict.bound == bound
            assert options.direction == "backward" or runs[bound + 1]
    assert all(len(found) == 1 for found in kinds.values()), "strategies and versioning agree"


@pytest.mark.parametrize("seed", range(100, 130))
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_reductions(seed: int, reduction: str) -> None:
    """The same answer with and without passes, and as a transition system."""
    cfa = random_cfa(seed)
    search = search_cfa(cfa)
    for options in VARIANTS[::2]:
        verdict = answer(cfa, options, 9, reduction)
        if search.depth is None:
            assert isinstance(verdict, Safe | Unknown)
        else:
            assert isinstance(verdict, Unsafe if search.depth <= 9 else Unsafe | Unknown)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_systems(seed: int, direction: str) -> None:
    system = random_system(seed)
    search = search_system(system)
    verdict = answer(system, Options(direction=direction), 10)  # type: ignore[arg-type]
    if search.depth is not None and search.depth <= 10:
        assert isinstance(verdict, Unsafe) and len(verdict.trace) == search.depth
    else:
        assert isinstance(verdict, Safe | Unknown)


def counter(limit: int, wrong: int) -> Cfa:
    """for (x = 0; x < limit; x++) assert (x != wrong)"""
    return automaton(
        (X,),
        [
            ("start", "head", [Assign(X, b.integer(0))]),
            ("head", "bad", [Assume(limit > X), Assume(X.eq(wrong))]),
            ("head", "head", [Assume(limit > X), Assume(X.ne(wrong)), Assign(X, X + 1)]),
        ],
        "start",
        ("bad",),
    )


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_without_a_bound(options: Options) -> None:
    verdict = answer(counter(30, 20), options, None)
    assert isinstance(verdict, Unsafe) and len(verdict.trace) == 22
    if options.direction == "forward":
        assert isinstance(answer(counter(20, 30), options, None), Safe)


@pytest.mark.parametrize("reduction", ["as it is", "large blocks"])
def test_constants_fold_without_queries(reduction: str) -> None:
    context = Context(Budget(60))
    model = REDUCTIONS[reduction](counter(2000, 3000)).model
    assert isinstance(check(model, Options(), context), Safe)
    assert context.stats.counts["queries"] == 0


@pytest.mark.parametrize("options", [Options(), Options("depth-first")], ids=str)
def test_long_path(options: Options) -> None:
    """3,000 statements, not one of them constant: versions are x + c, not a chain of equations."""
    ends = [f"l{n}" for n in range(3001)]
    path = [(s, t, [Assign(X, X + 1)]) for s, t in pairwise(ends)]
    cfa = automaton((X,), [*path, (ends[-1], "bad", [Assume(X.eq(7))])], "l0", ("bad",))
    verdict = answer(cfa, options, 3001)
    assert isinstance(verdict, Unsafe) and verdict.trace.states[0] == {X: 7 - 3000}


def test_system_exhausted() -> None:
    """Every step adds one and steps end at 10."""
    system = TransitionSystem((X,), X.eq(0), Relation(X < 10, {X: X + 1}), {"small": X <= 10})
    verdict = answer(system, Options(), None)
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, Exhausted)
    assert verdict.certificate.depth == 11


def test_events_and_budget() -> None:
    endless = next(tiny.model for tiny in MODELS if tiny.name == "Werner, graph B")
    events: list[Event] = []
    verdict = check(endless, Options(bound=3), Context(observe=events.append))
    assert isinstance(verdict, Unknown)
    assert [e.level for e in events if isinstance(e, FrameOpened)] == [0, 1, 2, 3]
    assert [e.depth for e in events if isinstance(e, BoundReached)] == [0, 1, 2, 3]
    for options in VARIANTS:
        with pytest.raises(OutOfBudget):
            check(endless, options, Context(Budget(0.2)))


def test_nonlinear_unknown_is_no_answer() -> None:
    """A query that z3 gives up on prunes nothing and proves nothing."""
    y, z = b.var("y", X.sort), b.var("z", X.sort)
    fermat = b.and_(X > 0, y > 0, z > 0, (X * X * X + y * y * y).eq(z * z * z))
    cfa = automaton((X, y, z), [("a", "bad", [Assume(fermat)])], "a", ("bad",))
    for options in VARIANTS:
        try:
            verdict = check(cfa, options, Context(Budget(1)))
        except OutOfBudget:
            continue
        assert isinstance(verdict, Unknown)


def test_registered() -> None:
    assert engine("bmc").load().check is check
