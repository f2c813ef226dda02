"""Every pass, on random automata: what is reachable at the locations it keeps is what it was, and
a run to an error comes back as a run of the original."""

from __future__ import annotations

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume
from revet.model.system import TransitionSystem
from revet.result import Exhausted, KInductive, LocationInvariants, SystemTrace
from revet.transform import chain
from revet.transform.blocks import large_blocks
from revet.transform.clean import clean
from revet.transform.merge_errors import merge_errors
from revet.transform.slice import slice_cfa, slice_system
from revet.transform.to_system import to_system
from tests.generators import P, X, Y, random_cfa, random_system, search_cfa, search_system
from tests.transform.explore import BACKEND, explore_cfa, explore_system

VARIABLES = (X, Y, P)
PIPELINES = {
    "clean": [clean],
    "slice": [slice_cfa],
    "merge": [merge_errors],
    "blocks": [large_blocks],
    "blocks twice": [large_blocks, large_blocks],
    "all": [clean, slice_cfa, clean, merge_errors, large_blocks],
}
SEEDS = range(25)


@pytest.mark.parametrize("name", PIPELINES)
def test_reachable_values_are_preserved(name):
    for seed in SEEDS:
        cfa = random_cfa(seed)
        found = search_cfa(cfa)
        reduction = chain(cfa, PIPELINES[name])
        model = reduction.model
        reached, trace = explore_cfa(model)
        assert (trace is None) == found.safe, seed
        for location in model.locations:
            if location in cfa.errors or not model.errors:
                continue
            kept = {
                tuple(state[x] for x in model.variables) for at, state in found.states if at is location
            }
            assert kept == set(reached[location]), (seed, location)
        if trace is not None:
            replay(cfa, reduction.trace_back(trace))


@pytest.mark.parametrize("passes", [[to_system], [clean, large_blocks, to_system]], ids=["plain", "blocks"])
def test_location_variable(passes):
    for seed in SEEDS:
        cfa = random_cfa(seed)
        found = search_cfa(cfa)
        reduction = chain(cfa, passes)
        system = reduction.model
        location = system.variables[0]
        start = [state for state in found.states if state[0] is cfa.initial]
        before = chain(cfa, passes[:-1]).model
        number = before.locations.index(cfa.initial)
        starts = [{location: number, **state} for _, state in start if Evaluator(state)(cfa.precondition)]
        _, trace = explore_system(system, starts)
        assert (trace is None) == found.safe, seed
        if trace is not None:
            replay(cfa, reduction.trace_back(trace))


def cube(state, variables):
    return b.and_(*(x.eq(value) for x, value in zip(variables, state, strict=True)))


@pytest.mark.parametrize("name", PIPELINES)
def test_invariants_are_carried_back(name):
    """The strongest invariants of the reduced automaton prove the original safe."""
    checked = 0
    for seed in SEEDS:
        cfa = random_cfa(seed)
        if not search_cfa(cfa).safe:
            continue
        reduction = chain(cfa, PIPELINES[name])
        model = reduction.model
        reached, _ = explore_cfa(model)
        formulas = {
            place: b.or_(*(cube(state, model.variables) for state in states))
            for place, states in reached.items()
            if place not in model.errors
        }
        for k in (1, 2):
            back = reduction.certificate_back(LocationInvariants(formulas, k))
            report = check_certificate(cfa, back, backend=BACKEND)
            assert report.accepted, (seed, str(report))
            checked += 1
    assert checked > 10


def test_invariants_of_the_system_are_carried_back():
    checked = 0
    for seed in SEEDS:
        cfa = random_cfa(seed)
        found = search_cfa(cfa)
        if not found.safe:
            continue
        reduction = chain(cfa, [clean, large_blocks])
        reached, _ = explore_cfa(reduction.model)
        last = to_system(reduction.model)
        location, *others = last.model.variables
        numbered = [
            b.and_(location.eq(reduction.model.locations.index(place)), cube(state, others))
            for place, states in reached.items()
            for state in states
        ]
        back = reduction.certificate_back(last.certificate_back(KInductive(b.or_(*numbered))))
        report = check_certificate(cfa, back, backend=BACKEND)
        assert report.accepted, (seed, str(report))
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("name", [*PIPELINES, "system"])
def test_exhaustion_is_carried_back(name, backward):
    """What is accepted for the reduced model is accepted for the original."""
    passes = PIPELINES.get(name, [clean, large_blocks, to_system])
    accepted = 0
    for seed in SEEDS:
        cfa = random_cfa(seed, locations=4)
        if not search_cfa(cfa).safe:
            continue
        reduction = chain(cfa, passes)
        for depth in range(4):
            certificate = Exhausted(depth, backward)
            if check_certificate(reduction.model, certificate, backend=BACKEND).accepted:
                report = check_certificate(cfa, reduction.certificate_back(certificate), backend=BACKEND)
                assert report.accepted, (seed, depth, str(report))
                accepted += 1
                break
    assert accepted > 2


def test_slicing_a_system():
    x, y, z, w = (b.var(name, INT) for name in "xyzw")
    p, i, j = b.var("p", BOOL), b.var("i", INT), b.var("j", INT)
    step = Relation(b.and_(i >= 0, j.eq(z + i)), {x: x + i, z: j, w: w + 1, p: b.not_(p)}, (i, j))
    init = b.and_(x.eq(0), z.eq(7), b.not_(p), y > w)
    system = TransitionSystem((x, y, z, w, p), init, step, {"low": x < 3})
    reduction = slice_system(system)
    assert reduction.model.variables == (x, y, w)  # y and w are tied by the initial condition
    assert reduction.model.inputs == (i,)
    trace = SystemTrace(({x: 0, y: 1, w: 0}, {x: 5, y: 1, w: 1}), ({i: 5},), "low")
    replay(reduction.model, trace)
    back = reduction.trace_back(trace)
    replay(system, back)
    assert back.states[0][z] == 7 and back.states[1][z] == 12


def test_random_systems_sliced():
    for seed in range(120):
        variables = (*VARIABLES, b.var("q", BOOL))
        system = random_system(seed, variables=variables)
        found = search_system(system)
        reduction = slice_system(system)
        reduced = search_system(reduction.model)
        assert found.depth == reduced.depth, seed
        if reduced.trace is not None:
            replay(system, reduction.trace_back(reduced.trace))


def test_no_blocks_to_an_error():
    """The loop with the error is not reached, which a block's relation shows: its invariant is *false*."""
    start, loop, end = Location("start"), Location("loop"), Location("end")
    edges = (
        Edge(start, loop, (Assign(X, b.integer(1)), Assume(X < 0))),
        Edge(loop, loop, (Assign(X, X + 1),)),
        Edge(loop, end, (Assume(X.eq(5)),)),
    )
    cfa = Cfa((X,), (start, loop, end), edges, start, (end,))
    reduction = large_blocks(cfa)
    back = reduction.certificate_back(Exhausted(1))
    assert check_certificate(cfa, back, backend=BACKEND).accepted
