"""VMT-LIB: verdicts by several engines, annotations, errors with their places."""

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError, Unsupported
from revet.frontends.program import ReplayFailed
from revet.frontends.vmt import program_of
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.result.trace import SystemTrace

EXAMPLES = Path(__file__).parents[3] / "examples/vmt"

COUNTER = """(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun by () Int)
(define-fun sv () Int (! x :next x.next))
(define-fun init () Bool (! (= x 0) :init true))
(define-fun trans () Bool (! (and (<= 1 by 2) (= x.next (ite (< sv 5) (+ x by) 0))) :trans true))
(define-fun good () Bool (! (<= x {limit}) :invar-property 0))
(assert true)
"""


def program(text):
    return program_of(text, Path("test.vmt"))


@pytest.mark.parametrize("engine", ["kind", "pdr-ia", "spacer", "bmc", "ic3-qe"])
@pytest.mark.parametrize(("limit", "verdict"), [(6, "safe"), (5, "unsafe")])
def test_verdicts(engine, limit, verdict):
    if engine == "bmc" and verdict == "safe":
        pytest.skip("runs do not end")
    result = check(program(COUNTER.format(limit=limit)), engine=engine)
    assert result.status == verdict, result.reason


def test_next_values_are_solved_for():
    step = program(COUNTER.format(limit=6)).model.step
    x = b.var("x", INT)
    assert step.updates[x].op == "ite"
    assert {one.name for one in step.locals} == {"by!next"}


def test_a_run_that_is_none_is_not_confirmed():
    loaded = program(COUNTER.format(limit=5))
    trace = check(loaded, engine="kind").verdict.trace
    loaded.replay(trace)
    x = b.var("x", INT)
    for number in range(len(trace.states)):
        states = [dict(state) for state in trace.states]
        states[number][x] += 1
        if number == len(states) - 1:
            states[number][x] -= 2
        with pytest.raises(ReplayFailed):
            loaded.replay(SystemTrace(tuple(states), trace.inputs, trace.violated))


def test_the_example():
    assert check(str(EXAMPLES / "handshake.vmt"), engine="pdr-ia").status == "safe"


@pytest.mark.parametrize(("change", "message"), [
    ((":init true", ":init false"), "init true"),
    ((":invar-property 0", ":live-property 0"), "liveness"),
    ((":invar-property 0", ":colour red"), "not known"),
    (("(assert true)", "(assert (= x 1))"), "no meaning"),
    ((":next x.next", ":next (x)"), "joins two"),
    ((":next x.next", ":next x"), "one variable only"),
    (("(= x 0)", "(= x 0.5 y)"), "unknown name y"),
])
def test_refused_with_place(change, message):
    with pytest.raises(InputError, match=message) as caught:
        program(COUNTER.format(limit=6).replace(*change))
    assert caught.value.position is not None


def test_without_a_property():
    with pytest.raises(InputError, match="invar-property"):
        program("(declare-fun x () Int)")
    with pytest.raises(Unsupported, match="arguments"):
        program("(declare-fun f (Int) Int)")
