"""bmc by way of a state in which two copies of a design differ; what a design leaves open as zero."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.driver.run import solve
from revet.engines.bmc import Options, check
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.events import BoundReached, Event
from revet.logic import build as b
from revet.logic.sorts import BitVec
from revet.model.names import UNDEFINED
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.portfolio.configuration import choose
from revet.portfolio.features import features_of
from revet.result import KInductive, Unknown, Unsafe
from revet.transform.quiet import quiet
from revet.transform.reduction import Spurious
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

WIDTH = 6
D = b.var("d", BitVec(WIDTH))
START = b.var("ref.r", BitVec(WIDTH))
JUNK, JUNKS = b.var("junk", BitVec(WIDTH)), b.var(f"junk{UNDEFINED}", BitVec(WIDTH))


def miter(change: bool) -> TransitionSystem:
    """Two sums of the inputs, of which the second one skips a 9 if ``change``, shown two steps later. Each
    has a register without an initial value, and there is a value that nobody defines."""
    updates, variables = {JUNK: JUNKS}, [JUNK]
    init = b.TRUE
    for copy in ("ref", "uut"):
        names = ("sum", "late", "out", "r")
        total, late, seen, start = (b.var(f"{copy}.{name}", BitVec(WIDTH)) for name in names)
        given = b.ite(D.eq(b.bv(9, WIDTH)), b.bv(0, WIDTH), D) if change and copy == "uut" else D
        updates |= {total: total + given, late: total, seen: late, start: start}
        variables += [total, late, seen, start]
        init = b.and_(init, *(x.eq(b.bv(0, WIDTH)) for x in (total, late, seen)))
    same = b.var("ref.out", BitVec(WIDTH)).eq(b.var("uut.out", BitVec(WIDTH)))
    return TransitionSystem(tuple(variables), init, Relation(b.TRUE, updates, (D, JUNKS)), {"same": same})


def test_the_run_of_a_changed_copy_is_found_and_confirmed() -> None:
    how = Preparation(bits=True, quiet=True)
    answer = solve(as_program(miter(change=True)), "bmc", Options(twins=True), Context(Budget(60)), how)
    assert isinstance(answer.verdict, Unsafe) and len(answer.verdict.trace) == 3


def test_equal_copies_are_not_called_safe_and_bound_nothing() -> None:
    events: list[Event] = []
    context = Context(Budget(60), events.append)
    options = Options(twins=True, bound=6)
    how = Preparation(bits=True, quiet=True, reduce=False)
    answer = solve(as_program(miter(change=False)), "bmc", options, context, how)
    assert isinstance(answer.verdict, Unknown) and answer.verdict.bound is None
    assert not any(isinstance(event, BoundReached) for event in events)


def test_what_plain_bmc_knows_of_zeros_bounds_nothing() -> None:
    events: list[Event] = []
    context, how = Context(Budget(60), events.append), Preparation(bits=True, quiet=True)
    answer = solve(as_program(miter(change=False)), "bmc", Options(bound=4), context, how)
    assert isinstance(answer.verdict, Unknown) and answer.verdict.bound is None
    assert not any(isinstance(event, BoundReached) for event in events)


def test_zeros_are_given_back_and_prove_nothing() -> None:
    system = miter(change=True)
    reduction = quiet(system)
    assert JUNK not in reduction.model.variables and JUNKS not in reduction.model.inputs
    with pytest.raises(Spurious):
        reduction.certificate_back(KInductive(b.TRUE, 1, False))
    circuit = prepare(system, engine("bmc"), Preparation(bits=True, quiet=True, reduce=False))
    found = check(circuit.model, Options(), Context())
    assert isinstance(found, Unsafe)
    trace = circuit.trace_back(found.trace)
    replay(system, trace)
    assert all(state[JUNK] == 0 for state in trace.states) and trace.states[0][START] == 0


def test_invariants_that_zeros_contradict_keep_their_variables() -> None:
    system = replace(miter(change=True), invariants=(b.not_(START.eq(b.bv(0, WIDTH))),))
    how = Preparation(bits=True, quiet=True)
    answer = solve(as_program(system), "bmc", Options(twins=True), Context(Budget(60)), how)
    assert isinstance(answer.verdict, Unsafe)


def test_only_models_of_two_copies_are_searched_so() -> None:
    assert "bmc-twins" in [one.name for one in choose(features_of(miter(change=True)))]
    plain = replace(miter(change=True), properties={})
    alone = [x for x in plain.variables if not x.name.startswith("uut.")]
    updates = {x: after for x, after in plain.step.updates.items() if x in alone}
    system = TransitionSystem(tuple(alone), b.TRUE, Relation(b.TRUE, updates, (D, JUNKS)), {"p": b.TRUE})
    assert "bmc-twins" not in [one.name for one in choose(features_of(system))]
    circuit = prepare(system, engine("bmc"), Preparation(bits=True, reduce=False)).model
    assert isinstance(check(circuit, Options(twins=True), Context()), Unknown)


def test_random_circuits_with_names_against_explicit_search() -> None:
    """Any latches may be named as twins, equal or not: runs that are found are runs."""
    random = Random(3)
    found = 0
    for _ in range(150):
        circuit = random_circuit(random, 4, inputs=3, gates=14)
        names = dict(enumerate(("a.x", "b.x", "a.y", "b.y"), circuit.first_latch))
        constraints = [random.randrange(2, 2 * circuit.size)] if random.random() < 0.5 else []
        circuit = replace(circuit, names=names, constraints=constraints)
        expected = shortest_violation(circuit)
        verdict = check(circuit, Options(twins=True, bound=6), Context(Budget(60)))
        if isinstance(verdict, Unsafe):
            assert expected is not None
            replay(circuit, verdict.trace)
            found += 1
        else:
            assert isinstance(verdict, Unknown) and verdict.bound is None
    assert found > 20, found
