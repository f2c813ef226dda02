"""Bounded model checking: the seed texts' examples, agreement of the variants, explicit search."""

from __future__ import annotations

from itertools import product

import pytest

from revet.budget import Budget, OutOfBudget
from revet.engines import engine
from revet.engines.bmc import Options, check
from revet.engines.context import Context
from revet.events import BoundReached, Event, FrameOpened
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT
from revet.model.cfa import Cfa
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.model.system import TransitionSystem
from revet.result import CfaTrace, Exhausted, Safe, SystemTrace, Unknown, Unsafe, Verdict
from tests.engines.bmc import examples
from tests.engines.bmc.explicit import layers, random_automaton

VARIANTS = [
    Options(strategy, direction, versioning=versioning)
    for strategy, direction, versioning in product(
        ("global", "depth-first"), ("forward", "backward"), (True, False)
    )
]


def run(cfa: Cfa, options: Options, bound: int | None) -> Verdict:
    variant = Options(options.strategy, options.direction, bound, options.versioning)
    verdict = check(cfa, variant, Context(Budget(60)))
    if isinstance(verdict, Unsafe):
        assert isinstance(verdict.trace, CfaTrace)
        replay(cfa, verdict.trace)
    return verdict


def replay(cfa: Cfa, trace: CfaTrace) -> None:
    assert trace.locations[0] is cfa.initial and trace.locations[-1] in cfa.errors
    assert Evaluator(trace.states[0])(cfa.precondition) is True
    assert len(trace.inputs) == len(trace.edges) == len(trace.states) - 1
    for step, edge in enumerate(trace.edges):
        assert (edge.source, edge.target) == trace.locations[step : step + 2]
        relation = cfa.relation(edge)
        evaluate = Evaluator({**trace.states[step], **trace.inputs[step]})
        assert evaluate(relation.guard) is True
        assert {x: evaluate(relation.after(x)) for x in cfa.variables} == trace.states[step + 1]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
class TestSeeds:
    def test_lock(self, options: Options) -> None:
        """4.1.3 of the notes: forward unknown, backward safe."""
        verdict = run(examples.lock(), options, 20)
        if options.direction == "forward":
            assert isinstance(verdict, Unknown) and verdict.bound == 20
        else:
            assert isinstance(verdict, Safe) and isinstance(verdict.certificate, Exhausted)
            assert verdict.certificate.backward

    def test_graph_a(self, options: Options) -> None:
        verdict = run(examples.graph_a(), options, None)
        assert isinstance(verdict, Unsafe) and len(verdict.trace) == 3

    def test_graph_b(self, options: Options) -> None:
        verdict = run(examples.graph_b(), options, 10)
        assert isinstance(verdict, Unknown) and verdict.bound == 10

    def test_lectures(self, options: Options) -> None:
        verdict = run(examples.lectures(), options, 8)
        assert isinstance(verdict, Unknown) and verdict.bound == 8

    def test_initial_location_is_an_error(self, options: Options) -> None:
        cfa = examples.automaton((examples.x,), "q", "q", [("q", [], "q")])
        verdict = run(cfa, options, None)
        assert isinstance(verdict, Unsafe) and len(verdict.trace) == 0

    def test_error_out_of_reach(self, options: Options) -> None:
        cfa = examples.automaton((examples.x,), "q", "bad", [("q", [], "q")])
        assert isinstance(run(cfa, options, None), Safe)


@pytest.mark.parametrize("seed", range(60))
def test_variants_agree_with_enumeration(seed: int) -> None:
    cfa = random_automaton(seed)
    bound = 5
    runs = layers(cfa, bound + 1)
    shortest = next((n for n, layer in enumerate(runs) if any(q in cfa.errors for q, _ in layer)), None)
    kinds: dict[str, set[type]] = {"forward": set(), "backward": set()}
    for options in VARIANTS:
        verdict = run(cfa, options, bound)
        kinds[options.direction].add(type(verdict))
        if shortest is not None and shortest <= bound:
            assert isinstance(verdict, Unsafe), (options, shortest)
            assert len(verdict.trace) == shortest or options.strategy == "depth-first"
        elif isinstance(verdict, Safe):
            assert isinstance(verdict.certificate, Exhausted)
            assert not any(q in cfa.errors for layer in layers(cfa, 40) for q, _ in layer)
            if options.direction == "forward":
                assert not runs[bound + 1]
                assert not runs[verdict.certificate.depth]
        else:
            assert isinstance(verdict, Unknown) and verdict.bound == bound
            if options.direction == "forward":
                assert runs[bound + 1]
    assert all(len(found) == 1 for found in kinds.values()), "strategies and versioning agree"


def counter(limit: int, wrong: int) -> Cfa:
    """for (x = 0; x < limit; x++) assert (x != wrong)"""
    x = examples.x
    return examples.automaton(
        (x,),
        "start",
        "bad",
        [
            ("start", [Assign(x, b.integer(0))], "head"),
            ("head", [Assume(x < limit), Assume(x.eq(wrong))], "bad"),
            ("head", [Assume(x < limit), Assume(x.ne(wrong)), Assign(x, x + 1)], "head"),
        ],
    )


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_without_a_bound(options: Options) -> None:
    verdict = run(counter(30, 20), options, None)
    assert isinstance(verdict, Unsafe) and len(verdict.trace) == 22
    if options.direction == "forward":
        assert isinstance(run(counter(20, 30), options, None), Safe)


def test_constants_fold_without_queries() -> None:
    context = Context(Budget(60))
    verdict = check(counter(2000, 3000), Options(), context)
    assert isinstance(verdict, Safe)
    assert context.stats.counts["queries"] == 0


def test_events_and_budget() -> None:
    events: list[Event] = []
    verdict = check(examples.graph_b(), Options(bound=3), Context(observe=events.append))
    assert isinstance(verdict, Unknown)
    assert [e.level for e in events if isinstance(e, FrameOpened)] == [0, 1, 2, 3]
    assert [e.depth for e in events if isinstance(e, BoundReached)] == [0, 1, 2, 3]
    for options in VARIANTS:
        with pytest.raises(OutOfBudget):
            check(examples.graph_b(), options, Context(Budget(0.2)))


def ramp(limit: int, *, reset: bool) -> TransitionSystem:
    """x counts up from 0 by 0 or 1 (an input); it stops at 10 unless it is reset."""
    x, i = b.var("x", INT), b.var("i", INT)
    guard = b.and_(i >= 0, i <= 1, b.TRUE if reset else x < 10)
    step = Relation(guard, {x: b.ite(x < 10, x + i, b.integer(0))}, (i,))
    return TransitionSystem((x,), x.eq(0), step, {"small": x <= limit, "positive": x >= 0})


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_system(direction: str) -> None:
    options = Options(direction=direction, bound=12)  # type: ignore[arg-type]
    system = ramp(5, reset=True)
    verdict = check(system, options, Context(Budget(60)))
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, SystemTrace)
    trace = verdict.trace
    assert len(trace) == 6 and trace.violated == "small"
    assert trace.states[0] == {system.variables[0]: 0}
    for before, inputs, after in zip(trace.states, trace.inputs, trace.states[1:], strict=False):
        evaluate = Evaluator({**before, **inputs})
        assert evaluate(system.step.guard) is True
        assert {x: evaluate(system.step.after(x)) for x in system.variables} == after
    verdict = check(ramp(20, reset=True), options, Context(Budget(60)))
    if direction == "forward":
        assert isinstance(verdict, Unknown) and verdict.bound == 12
    else:
        assert isinstance(verdict, Safe)


def test_system_exhausted() -> None:
    """Every step adds one and steps end at 10."""
    x = b.var("x", INT)
    step = Relation(x < 10, {x: x + 1})
    system = TransitionSystem((x,), x.eq(0), step, {"small": x <= 10})
    verdict = check(system, Options(), Context(Budget(60)))
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, Exhausted)
    assert verdict.certificate.depth == 11


def test_registered() -> None:
    assert engine("bmc").load().check is check
