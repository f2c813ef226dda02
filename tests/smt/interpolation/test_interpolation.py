"""Interpolants of every method are validated here once more, by the definition."""

import random

import pytest

from revet.budget import Budget
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.relation import Relation
from revet.smt import Status, default_backend
from revet.smt.interpolation import InterpolationService, Path, canonical, predicates
from revet.smt.interpolation.divergence import Divergence

METHODS = ["wp", "horn", "sp"]
X, Y, N = (b.var(name, INT) for name in "xyn")


def unsat(*formulas: Term) -> bool:
    return default_backend().solver().check(formulas) is Status.UNSAT


def check_sequence(formulas: list[Term], found: list[Term]) -> None:
    assert len(found) == len(formulas) - 1
    before = b.TRUE
    for position, after in enumerate([*found, b.FALSE]):
        assert unsat(before, formulas[position], b.not_(after))
        front = frozenset().union(*(free_vars(f) for f in formulas[: position + 1]))
        back = frozenset().union(*(free_vars(f) for f in formulas[position + 1 :]))
        assert free_vars(after) <= front & back
        before = after


@pytest.mark.parametrize("method", METHODS)
def test_sequence(method: str) -> None:
    x = [b.var(f"x{i}", INT) for i in range(4)]
    y = [b.var(f"y{i}", INT) for i in range(4)]
    formulas = [b.and_(x[0].eq(0), y[0].eq(0))]
    formulas += [b.and_(x[i + 1].eq(x[i] + 1), y[i + 1].eq(y[i] + 1)) for i in range(3)]
    formulas += [x[3] > y[3]]
    service = InterpolationService([method])
    found = service.sequence(formulas, Budget(10))
    assert found is not None and service.used[method] == 1
    check_sequence(formulas, found)


@pytest.mark.parametrize("method", METHODS)
def test_path_with_inputs_and_branches(method: str) -> None:
    draw, go = b.var("draw", INT), b.var("go", BOOL)
    step = Relation(b.and_(draw >= 1, X < N), {X: b.ite(go, X + draw, X), Y: Y + draw}, (draw, go))
    start = b.and_(X.eq(0), Y.eq(0))
    path = Path((X, Y, N), start, (step, step, step), X > Y, (b.TRUE, b.TRUE, Y <= 10, b.TRUE))
    service = InterpolationService([method])
    found = service.path(path, Budget(10))
    assert found is not None and len(found) == 4
    # Cut by cut on the path itself.
    assert unsat(path.start, b.not_(found[0]))
    for number, relation in enumerate(path.steps):
        bad = b.and_(path.conditions[number + 1], b.not_(found[number + 1]))
        assert unsat(found[number], path.conditions[number], relation.pre(bad))
    assert unsat(found[-1], path.end)
    for formula in found:
        assert free_vars(formula) <= {X, Y, N}


@pytest.mark.parametrize("method", METHODS)
def test_a_feasible_path_has_no_interpolant(method: str) -> None:
    step = Relation(b.TRUE, {X: X + 1})
    path = Path((X,), X.eq(0), (step,), X.eq(1), (b.TRUE, b.TRUE))
    assert InterpolationService([method]).path(path, Budget(10)) is None


def test_fallback_to_the_next_method(monkeypatch) -> None:
    from revet.smt.interpolation import service as module

    wrong = {**module.METHODS, "wp": lambda chain, backend, budget: [b.TRUE] * (len(chain.parts) - 1)}
    monkeypatch.setattr(module, "METHODS", wrong)
    service = InterpolationService(["wp", "sp"])
    formulas = [X.eq(0), X.eq(1)]
    found = service.sequence(formulas, Budget(10))
    assert found is not None
    check_sequence(formulas, found)
    assert service.used == {"wp failed": 1, "sp": 1}


@pytest.mark.parametrize("seed", range(30))
def test_random_sequences(seed: int) -> None:
    rng = random.Random(seed)
    variables = [b.var(f"v{i}", INT) for i in range(5)]

    def atom(near: int) -> Term:
        chosen = [variables[min(4, near + rng.randint(0, 1))] for _ in range(2)]
        left = chosen[0] * rng.randint(1, 2) + rng.randint(-2, 2)
        return rng.choice([left <= chosen[1], left.eq(chosen[1]), left < chosen[1] * 2, chosen[0] >= 1])

    formulas = [b.and_(atom(i), b.or_(atom(i), atom(i)), atom(i)) for i in range(4)]
    contradictory = unsat(*formulas)
    for method in METHODS:
        found = InterpolationService([method]).sequence(formulas, Budget(10))
        if not contradictory:
            assert found is None
        elif method == "horn" or found is not None:
            assert found is not None
            check_sequence(formulas, found)


def test_canonical_atoms() -> None:
    assert canonical(X < 4) == canonical(X <= 3) == (X <= 3, True)
    assert canonical(X >= 4) == canonical(b.not_(X <= 3)) == (X <= 3, False)
    assert canonical(2 * X + 4 * Y <= 7) == (X + 2 * Y <= 3, True)
    assert canonical(Y < X) == canonical(b.not_(X <= Y))
    assert canonical((2 * X).eq(3))[0] is b.FALSE
    r = b.var("r", REAL)
    assert canonical(r < 2)[0] is not canonical(r <= 2)[0]
    assert canonical(b.not_(r < 2)) == canonical(r >= 2)


@pytest.mark.parametrize("seed", range(50))
def test_canonical_atoms_mean_the_same(seed: int) -> None:
    rng = random.Random(seed)
    sort = rng.choice([INT, REAL])
    x, y = b.var("x", sort), b.var("y", sort)

    def side() -> Term:
        return x * rng.randint(-3, 3) + y * rng.randint(-3, 3) + rng.randint(-5, 5)

    left, right = side(), side()
    atom = rng.choice([left <= right, left < right, left.eq(right), b.not_(left.eq(right))])
    form, positive = canonical(atom)
    for vx in range(-4, 5):
        for vy in range(-4, 5):
            values = {x: b.const(vx, sort).value, y: b.const(vy, sort).value}
            assert evaluate(atom, values) is (evaluate(form, values) is positive)


def test_predicates_take_conditions_apart() -> None:
    p = b.var("p", BOOL)
    found = predicates([b.ite(p, X + 1, Y) <= 3, X.eq(Y)])
    assert set(found) == {p, X <= 2, Y <= 3, X - Y <= 0, X - Y <= -1}
    assert predicates([X.eq(Y)], splits=lambda equation: False) == [(X - Y).eq(0)]


def test_the_divergence_guard() -> None:
    guard = Divergence(limit=3)
    assert not any(guard.seen([79 + i >= X]) for i in range(3))
    assert not guard.seen([X + Y <= 5])
    assert guard.seen([X <= 82])
    assert not guard.seen([X <= 83])
