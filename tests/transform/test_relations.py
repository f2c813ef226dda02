"""Systems written as relations: next values are solved for, inputs leave the state, program counters become
control flow. Verdicts stay what explicit search says, and evidence is checked on the system as it was."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.frontends.vmt import program_of
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT, REAL
from revet.model.system import TransitionSystem
from revet.portfolio.configuration import choose
from revet.portfolio.features import features_of
from revet.result import Safe, Unknown, Unsafe
from revet.transform import chain, control
from revet.transform.control import control_flow
from revet.transform.next_values import next_values
from revet.transform.reduction import NoControl
from revet.transform.slice import slice_system
from revet.transform.solve import chosen, solved
from revet.transform.step_inputs import step_inputs
from tests.generators import random_system, search_system
from tests.transform.explore import explore_cfa

X, Y, Z = (b.var(name, INT) for name in "xyz")
P, Q = (b.var(name, BOOL) for name in "pq")

PROGRAM = """
; 00: x = 0, y = 0;  01: while (*) {{ x++; 10: y = y + 2 }}  11: assert(y == 2 * x)
(declare-fun a () Bool) (declare-fun a.next () Bool)
(declare-fun c () Bool) (declare-fun c.next () Bool)
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun y () Int) (declare-fun y.next () Int)
(declare-fun any () Bool)
(define-fun .a () Bool (! a :next a.next)) (define-fun .c () Bool (! c :next c.next))
(define-fun .x () Int (! x :next x.next)) (define-fun .y () Int (! y :next y.next))
(define-fun .init () Bool (! (and (not a) (not c)) :init true))
(define-fun .same () Bool (and (= x x.next) (= y y.next)))
(define-fun .trans () Bool (! (or
  (and (not a) (not c) (not a.next) c.next (= x.next 0) (= y.next 0))
  (and (not a) c any a.next (not c.next) (= (- x x.next) (- 1)) (= y y.next))
  (and (not a) c (not any) a.next c.next .same)
  (and a (not c) (not a.next) c.next (= x x.next) (or (= (+ y {step}) y.next) (and any (not any))))
  (and a c a.next c.next .same)) :trans true))
(define-fun .good () Bool (! (or (not a) (not c) (= y (* 2 x))) :invar-property 0))
"""

MACHINE = """
; x = 0; s = 10;  loop: 10: x += 2, then = 30, s = 20;  20: s = then;  30: x += {step}, then = 40, s = 20;
; 40: either s = 50 or s = 40;  50: assert(x == 4)
(declare-fun a () Bool) (declare-fun a.next () Bool)
(declare-fun s () Int) (declare-fun s.next () Int)
(declare-fun then () Int) (declare-fun then.next () Int)
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun any () Bool)
(define-fun .a () Bool (! a :next a.next)) (define-fun .s () Int (! s :next s.next))
(define-fun .then () Int (! then :next then.next)) (define-fun .x () Int (! x :next x.next))
(define-fun .init () Bool (! (not a) :init true))
(define-fun .trans () Bool (! (or
  (and (not a) a.next (= s.next 10) (= x.next 0))
  (and a a.next (= s 10) (= s.next 20) (= then.next 30) (= x.next (+ x 2)))
  (and a a.next (= s 20) (= s.next then) (= then.next then) (= x.next x))
  (and a a.next (= s 30) (= s.next 20) (= then.next 40) (= x.next (+ x {step})))
  (and a a.next (= s 40) (= s.next (ite any 50 40)) (= then.next then) (= x.next x))
  (and a a.next (= s 50) (= s.next 50) (= then.next then) (= x.next x))) :trans true))
(define-fun .good () Bool (! (or (not a) (not (= s 50)) (= x 4)) :invar-property 0))
"""
BEGUN = MACHINE.replace("(! (not a) :init", "(! (and a (= s 10) (= x 0)) :init")  # the state is known at once


def program(step: int, text: str = PROGRAM) -> TransitionSystem:
    return program_of(text.format(step=step), Path("program.vmt")).model


def relational(system: TransitionSystem) -> TransitionSystem:
    """The same system with its step as one formula over the variables and their next values."""
    return TransitionSystem.from_relation(
        system.variables, system.init, system.step.formula(system.variables), system.properties,
        inputs=system.inputs, invariants=system.invariants,
    )


# ---------------------------------------------------------------------- definitions among conditions


def test_what_has_quantifiers_defines_nothing() -> None:
    """It could not be evaluated; but what is defined is put into it."""
    every = b.forall([Z], b.or_(Z < X, Y < Z))
    rest, found = solved([P.eq(every), X.eq(Y + 1)], {P, X})
    assert found == {X: Y + 1}
    assert rest == [P.eq(b.forall([Z], b.or_(Z < Y + 1, Y < Z)))]
    assert chosen([b.or_(P, every)], {P}) == ([b.or_(P, every)], {})


def test_linear_equations_and_facts() -> None:
    rest, found = solved([(X - Y).eq(b.integer(-1)), P, b.or_(b.not_(P), Z.eq(Y + X))], {Y, Z})
    assert found == {Y: X + 1, Z: X + X + 1}
    assert rest == [P]


def test_equations_of_reals_are_divided() -> None:
    x, y = b.var("u", REAL), b.var("v", REAL)
    rest, found = solved([(x - b.real(3) * y).eq(b.real(1))], {y})
    assert not rest
    assert evaluate(found[y], {x: Fraction(2)}) == Fraction(1, 3)
    assert solved([(X - 3 * Y).eq(b.integer(1))], {Y})[1] == {}  # of integers they are not


def test_cases_of_a_value() -> None:
    low, high = X < 3, X >= 3
    conditions = [b.or_(low, P, Y.eq(X)), b.or_(high, P, Y.eq(X + 1)), b.or_(b.not_(P), Y.eq(b.integer(0)))]
    rest, found = solved(conditions, {Y})
    assert not rest
    assert found == {Y: b.ite(P, b.integer(0), b.ite(low, X + 1, X))}


def test_a_value_that_is_not_defined_in_all_cases_is_drawn() -> None:
    conditions = [b.or_(P, Y.eq(X)), b.or_(Q, Y.eq(X + 1)), Z.eq(Z * Y)]
    rest, found = solved(conditions, {Y, Z})
    assert not found
    assert set(rest) == set(conditions)


def test_a_value_is_chosen_where_only_one_condition_asks() -> None:
    rest, found = chosen([b.or_(P, Y.eq(X)), X > 0], {Y})
    assert rest == [X > 0]
    assert found == {Y: X}
    assert chosen([b.or_(P, Y.eq(X)), Y > 0], {Y})[1] == {}


# ---------------------------------------------------------------------- the passes


PASSES = {
    "next values": [next_values],
    "inputs": [step_inputs],
    "slice": [next_values, slice_system],
    "all": [next_values, step_inputs, slice_system],
}


@pytest.mark.parametrize("name", PASSES)
def test_random_relations(name: str) -> None:
    for seed in range(25):
        system = relational(random_system(seed))
        found = search_system(random_system(seed))
        reduction = chain(system, PASSES[name])
        reduced = search_system(reduction.model)
        assert reduced.safe == found.safe, seed
        if reduced.trace is not None:
            replay(system, reduction.trace_back(reduced.trace))


def test_random_relations_with_control_flow() -> None:
    for seed in range(25):
        system = relational(random_system(seed))
        reduction = chain(system, [next_values, control_flow])
        _, trace = explore_cfa(reduction.model)
        assert (trace is None) == search_system(random_system(seed)).safe, seed
        if trace is not None:
            replay(system, reduction.trace_back(trace))


def test_definitions_that_every_state_repeats_go() -> None:
    holds = Y.eq(X + 1)
    after = b.var("x'", INT)
    trans = b.and_(holds, after.eq(X + 1), b.var("y'", INT).eq(after + 1))
    system = TransitionSystem.from_relation((X, Y), b.and_(X.eq(b.integer(0)), holds), trans, {"p": X >= 0})
    model = chain(system, PASSES["all"]).model
    assert model.step.guard is b.TRUE
    assert model.variables == (X,)
    assert not model.inputs


# ---------------------------------------------------------------------- control flow


def test_the_program_is_an_automaton_again() -> None:
    cfa = chain(program(2), [next_values, step_inputs, control_flow]).model
    assert {x.name for x in cfa.variables} == {"x", "y"}
    assert len(cfa.locations) == 4 + 2  # and the start and the error
    assert all(cfa.relation(edge).guard is b.TRUE or not cfa.relation(edge).updates for edge in cfa.edges)


@pytest.mark.parametrize("engine", ["pdr-cfa", "pdr-ia", "spacer", "cegar", "kind", "absint", "bmc"])
@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("step", [2, 3])
@pytest.mark.parametrize("text", [PROGRAM, MACHINE, BEGUN], ids=["counter", "machine", "begun"])
def test_engines_on_the_control_flow(text: str, engine: str, blocks: bool, step: int) -> None:
    system = program(step, text)
    module = import_module(REGISTRY[engine].module)
    reduction = prepare(system, REGISTRY[engine], Preparation(control=True, large_blocks=blocks))
    limits = {"bound": 8} if engine == "bmc" else {}
    found = reduction.verdict_back(
        module.check(reduction.model, module.Options(**limits), Context(Budget(60)))
    )
    if isinstance(found, Safe):
        assert step == 2
        report = check_certificate(system, found.certificate)
        assert report.accepted, str(report)
    elif isinstance(found, Unsafe):
        assert step == 3
        replay(system, found.trace)
    else:
        assert isinstance(found, Unknown)
        assert engine in ("absint", "bmc", "kind"), found.reason


def test_states_are_places() -> None:
    cfa = chain(program(2, MACHINE), [next_values, step_inputs, control_flow]).model
    names = {str(place) for place in cfa.locations}
    assert "at 1, s = 10" in names  # nobody has set the state to go on with
    assert "at 1, s = 20, then = 30" in names
    assert not any("s = 20, then = 50" in name for name in names)
    begun = chain(program(2, BEGUN), [next_values, step_inputs, control_flow]).model
    assert {str(edge.target) for edge in begun.outgoing[begun.initial]} == {"at 1, s = 10"}
    assert "pdr-ia-states" in {each.name for each in choose(features_of(program(2, MACHINE)))}


def test_too_many_states_are_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "_MOST_LOCATIONS", 3)
    cfa = chain(program(2, MACHINE), [next_values, step_inputs, control_flow]).model
    assert {str(place) for place in cfa.locations} >= {"at 0", "at 1"}
    assert len(cfa.locations) == 4


def test_the_portfolio_uses_it() -> None:
    names = {each.name for each in choose(features_of(program(2)))}
    assert {"pdr-ia-control", "pdr-cfa-control", "spacer-control"} <= names


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("control", [False, True])
def test_one_engine_at_most_keeps_a_core(arrays: bool, control: bool) -> None:
    """Two of them would leave nothing to the others on a machine with two cores."""
    hardware = replace(
        features_of(program(2)), integers=False, bit_vectors=True, made_of_bits=True,
        arrays=arrays, bits_and_arrays=True, control=control,
    )
    chosen = choose(hardware)
    assert [each.stays for each in chosen].count(True) == 1
    assert ("bmc-control" in {each.name for each in chosen}) == (control and not arrays)


def test_a_system_without_a_program_counter() -> None:
    step = b.var("x'", INT).eq(X + 1)
    system = TransitionSystem.from_relation((X,), X.eq(b.integer(0)), step, {"p": X >= 0})
    with pytest.raises(NoControl):
        control_flow(system)
    assert not any(each.preparation.control for each in choose(features_of(system)))
