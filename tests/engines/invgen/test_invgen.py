"""Invariant generation: what it finds is inductive, and it finds what it should."""

import random

import pytest

from revet.budget import Budget
from revet.engines import invgen
from revet.engines.common.context import Context
from revet.events import InvariantFound
from revet.invariants.affine import equations
from revet.invariants.generator import Generator
from revet.invariants.houdini import SystemHoudini
from revet.logic import build as b
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Safe
from revet.smt import Status, default_backend
from tests.engines.evidence import confirmed
from tests.engines.systems import CASES, X, Y, Z, explicit, random_system, system


def rounds(model: TransitionSystem) -> list:
    generator = Generator(model, default_backend(), Budget(20))
    while not generator.exhausted:
        generator.advance()
    return list(generator.found)


def assert_inductive(model: TransitionSystem, facts: list) -> None:
    u, solver, all_ = Unroller(model), default_backend().solver(), b.conjunction(facts)
    assert solver.check([u.init(), b.not_(u.at(all_, 0))]) is Status.UNSAT
    step = [u.at(model.invariant, 0), u.at(all_, 0), u.step(0), b.not_(u.at(all_, 1))]
    assert solver.check(step) is Status.UNSAT


@pytest.mark.parametrize("seed", range(30))
def test_what_is_found_is_inductive(seed: int) -> None:
    model = random_system(seed)
    assert_inductive(model, rounds(model))
    verdict = invgen.check(model, invgen.Options(), Context(Budget(20)))
    if isinstance(verdict, Safe):
        assert explicit(model) is None and confirmed(model, verdict) == "safe"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_table(case) -> None:
    facts = rounds(case.system)
    assert_inductive(case.system, facts)


def test_shapes() -> None:
    start = b.and_(X.eq(0), Y.eq(5), Z.eq(0))
    model = system(start, {X: X + 1, Y: Y + 2, Z: X}, Y >= X, guard=X < 9)
    facts = rounds(model)
    solver = default_backend().solver()
    for expected in (Y.eq(2 * X + 5), X >= 0, X <= 9, Z <= X):
        assert solver.check([*facts, b.not_(expected)]) is Status.UNSAT, expected


def test_engine_tells_what_it_finds() -> None:
    events = []
    model = system(b.and_(X.eq(0), Y.eq(1)), {X: X + 1, Y: X + Y}, Y >= 0)
    verdict = invgen.check(model, invgen.Options(), Context(Budget(20), observe=events.append))
    assert isinstance(verdict, Safe) and confirmed(model, verdict) == "safe"
    assert any(isinstance(event, InvariantFound) and event.invariant is (X >= 0) for event in events)


def test_houdini_keeps_the_largest_subset() -> None:
    model = system(X.eq(0), {X: X + 1}, X >= 0)
    houdini = SystemHoudini(model, default_backend(), Budget(10))
    assert houdini.inductive([X >= 0, X <= 5, X.ne(7), X >= -3, X >= 1]) == [X >= 0, X >= -3]


def test_affine_hull_of_points() -> None:
    rng = random.Random(1)
    points = [[n, 2 * n - 3, rng.randint(0, 99)] for n in range(20)]
    assert equations(points) == [[2, -1, 0, -3]] or equations(points) == [[-2, 1, 0, 3]]
    assert equations([[1, 1], [2, 2], [3, 3]]) in ([[1, -1, 0]], [[-1, 1, 0]])
    assert equations([]) == []
