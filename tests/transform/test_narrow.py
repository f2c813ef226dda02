"""Data that is only moved around, as few bits."""

from __future__ import annotations

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.driver.run import solve
from revet.engines.bmc import Options
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.events import BoundReached, Event
from revet.logic import build as b
from revet.logic.sorts import BOOL, BitVec
from revet.model.circuit import ANY, Circuit
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.portfolio.configuration import choose
from revet.portfolio.features import features_of
from revet.result import CircuitTrace, KInductive, Unknown, Unsafe
from revet.transform.narrow import narrow_inputs, tie_words
from revet.transform.reduction import Spurious

WIDTH = 16
BUS, PUSH, POP = b.var("bus", BitVec(2 * WIDTH + 4)), b.var("push", BOOL), b.var("pop", BOOL)
FIRST, SECOND, SEEN = (b.var(name, BitVec(WIDTH)) for name in ("first", "second", "seen"))
COUNT, WATCH = b.var("count", BitVec(2)), b.var("watch", BOOL)
ANYTHING, DRAWN = b.var("anything", BitVec(WIDTH)), b.var("anything.next", BitVec(WIDTH))
HOW = Preparation(bits=True, narrow=True)


def buffer(*, full: bool) -> TransitionSystem:
    """Two places. What was put into an empty buffer comes out next, unless one may push into a ``full`` one.

    The bus has two words, one of which a field of four bits chooses when it is 9; registers start with
    anything, and what is shown of an empty buffer is anything, too."""
    kind = b.extract(2 * WIDTH + 3, 2 * WIDTH, BUS)
    word = b.ite(kind.eq(b.bv(9, 4)), b.extract(WIDTH - 1, 0, BUS), b.extract(2 * WIDTH - 1, WIDTH, BUS))
    some, none = b.bv(1, 2), b.bv(0, 2)
    empty = COUNT.eq(none)
    puts = b.and_(PUSH, b.not_(POP), b.TRUE if full else COUNT.ne(b.bv(2, 2)))
    takes = b.and_(POP, b.not_(PUSH), b.not_(empty))
    more = b.ite(COUNT.eq(b.bv(2, 2)), COUNT, COUNT + some)
    updates = {
        FIRST: b.ite(takes, SECOND, b.ite(b.and_(puts, COUNT.ne(some)), word, FIRST)),
        SECOND: b.ite(b.and_(puts, COUNT.eq(some)), word, SECOND),
        COUNT: b.ite(puts, more, b.ite(takes, COUNT - some, COUNT)),
        SEEN: b.ite(b.and_(puts, empty), word, SEEN),
        WATCH: b.and_(b.or_(WATCH, b.and_(puts, empty)), b.not_(takes)),
        ANYTHING: DRAWN,
    }
    shown = b.ite(empty, ANYTHING, FIRST)
    return TransitionSystem(
        (FIRST, SECOND, SEEN, COUNT, WATCH, ANYTHING),
        b.and_(COUNT.eq(none), b.not_(WATCH)),
        Relation(b.TRUE, updates, (BUS, PUSH, POP, DRAWN)),
        {"in order": b.implies(WATCH, shown.eq(SEEN))},
    )


def test_a_buffer_that_is_overwritten_is_found_with_narrow_data() -> None:
    system = buffer(full=True)
    answer = solve(as_program(system), "bmc", Options(), Context(Budget(60)), HOW)
    assert isinstance(answer.verdict, Unsafe) and answer.checked is not None and answer.checked.accepted
    replay(system, answer.verdict.trace)


def test_words_become_bits_and_small_fields_stay() -> None:
    system = buffer(full=True)
    small = narrow_inputs(system).model
    assert {x.sort.width for x in small.inputs if x.name.startswith("bus!")} == {1, 4}
    assert ANYTHING not in small.variables and DRAWN not in small.inputs
    circuit = prepare(system, engine("bmc"), HOW).model
    wide = prepare(system, engine("bmc"), Preparation(bits=True)).model
    assert circuit.latches <= 6 < wide.latches


def test_a_buffer_that_is_right_is_not_called_safe_and_bounds_nothing() -> None:
    events: list[Event] = []
    context = Context(Budget(60), events.append)
    answer = solve(as_program(buffer(full=False)), "bmc", Options(bound=5), context, HOW)
    assert isinstance(answer.verdict, Unknown) and answer.verdict.bound is None
    assert not any(isinstance(event, BoundReached) for event in events)


def test_proofs_are_refused() -> None:
    with pytest.raises(Spurious):
        narrow_inputs(buffer(full=False)).certificate_back(KInductive(b.TRUE, 1))


def test_only_for_what_is_mostly_data() -> None:
    assert "bmc-narrow" in [one.name for one in choose(features_of(buffer(full=True)))]
    x, d = b.var("x", BitVec(WIDTH)), b.var("d", BitVec(WIDTH))
    total = TransitionSystem(
        (x,), x.eq(b.bv(0, WIDTH)), Relation(b.TRUE, {x: x + d}, (d,)), {"p": x.ne(b.bv(9, WIDTH))}
    )
    assert "bmc-narrow" not in [one.name for one in choose(features_of(total))]
    assert narrow_inputs(total).model is total


def test_bits_that_change_alike_are_one_and_get_their_values_back() -> None:
    """Two bits of w take the input; one of them starts with 1, one with anything, like two of v that stay."""
    circuit = Circuit(
        1, [2, 2, 2, 10, 12], [1, ANY, ANY, ANY, ANY], [4, 14], [10, 12], {"bad": 14}, [], "tied",
        {2: "w[0]", 3: "w[1]", 4: "w[2]", 5: "v[0]", 6: "v[1]"},
    )
    reduction = tie_words(circuit)
    small = reduction.model
    assert small.latches < circuit.latches
    trace = CircuitTrace((1,) * small.latches, ((1,) * small.inputs,), "bad")
    back = reduction.trace_back(trace)
    assert back.initial[3] == back.initial[4] == 1
    with pytest.raises(Spurious):
        reduction.certificate_back(KInductive(b.TRUE, 1))
