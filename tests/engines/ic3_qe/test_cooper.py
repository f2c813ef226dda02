"""Cooper's method: the slides' examples, and random formulas against enumeration and z3."""

import random

import pytest

from revet.engines.ic3_qe.cooper import eliminate, project
from revet.engines.ic3_qe.linear import NotLinear, normal_literal
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, INT
from revet.logic.walk import free_vars
from revet.smt import Status, default_backend

x, y, t = (b.var(n, INT) for n in "xyt")
p = b.var("p", BOOL)


def equivalent(left, right) -> bool:
    return default_backend().solver().check([b.xor(left, right)]) is Status.UNSAT


def test_between_two_numbers_is_a_third() -> None:
    assert equivalent(eliminate(t, b.and_(x < t, t < y)), y - x > 1)


def test_coefficients_are_made_equal() -> None:
    found = eliminate(t, b.and_(x >= 2 * t, x <= 3 * t))
    # The slides stop at x >= 2; x = 0 with t = 0 is a solution too, which 0 <= 2x + i … covers.
    assert equivalent(found, b.or_(x >= 2, x.eq(0)))


def test_divisibility_appears() -> None:
    assert equivalent(eliminate(t, x.eq(2 * t)), b.eq(b.mod(x, b.integer(2)), b.integer(0)))


def test_divisibility_and_scaling_do_not_mix() -> None:
    formula = b.and_(b.eq(b.mod(t, b.integer(2)), b.integer(0)), x.eq(2 * t))
    assert equivalent(eliminate(t, formula), b.eq(b.mod(x, b.integer(4)), b.integer(0)))


def test_outside_of_presburger() -> None:
    with pytest.raises(NotLinear):
        eliminate(t, b.mul(t, x) < y)


def random_literal(rng: random.Random):
    left = sum((rng.randint(-2, 2) * v for v in (x, y, t)), b.integer(rng.randint(-4, 4)))
    kind = rng.randrange(6)
    if kind == 0:
        return b.eq(b.mod(left, b.integer(rng.randint(2, 4))), b.integer(rng.randint(0, 1)))
    return [b.le, b.lt, b.eq, lambda u, v: b.not_(b.eq(u, v)), b.ge][kind - 1](left, b.integer(0))


@pytest.mark.parametrize("seed", range(40))
def test_random_formulas_keep_their_meaning(seed: int) -> None:
    rng = random.Random(seed)
    make = [b.and_, b.or_, lambda u, v: b.and_(b.not_(u), v), b.iff]
    formula = rng.choice(make)(rng.choice(make)(random_literal(rng), random_literal(rng)), p)
    found = eliminate(t, formula)
    assert t not in free_vars(found)
    for _ in range(30):
        values = {x: rng.randint(-6, 6), y: rng.randint(-6, 6), p: rng.random() < 0.5}
        some = any(evaluate(formula, {**values, t: n}) for n in range(-40, 41))
        assert evaluate(found, values) is some


@pytest.mark.parametrize("seed", range(60))
def test_projection_holds_in_the_model_and_implies_the_quantified_cube(seed: int) -> None:
    rng = random.Random(seed)
    cube = [random_literal(rng) for _ in range(4)]
    solver = default_backend().solver()
    if solver.check(cube) is not Status.SAT:
        return
    model = solver.model().valuation([x, y, t])
    found = project([t, y], cube, model)
    for literal in found:
        assert not free_vars(literal) & {t, y}
        assert evaluate(literal, model) is True
    # Any values that satisfy the projection can be completed.
    assert solver.check(found) is Status.SAT
    other = solver.model().valuation([x])
    assert solver.check([*cube, x.eq(other[x])]) is Status.SAT


def test_normal_literals() -> None:
    assert normal_literal(2 * x < 7) is (x <= 3)
    assert normal_literal(b.lt(y, 3 + x)) is normal_literal(b.le(y - x, b.integer(2)))
    assert normal_literal(b.eq(2 * x, b.integer(7))) is b.FALSE
