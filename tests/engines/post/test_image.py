"""Weakest preconditions, pre-images and images say what the step does, state by state."""

from __future__ import annotations

from itertools import product

import pytest

from revet.budget import Budget
from revet.engines.post.image import Images
from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import INT
from revet.logic.terms import TRUE, Term
from revet.logic.walk import substitute
from revet.model.relation import Relation
from revet.smt.z3 import Z3

X, Y, D = (b.var(name, INT) for name in "xyd")
VALUES = range(-1, 4)
STEPS = {
    "assignment": Relation(TRUE, {X: X + Y}),
    "guarded": Relation(X < Y, {Y: X}),
    "drawn": Relation(b.and_(D >= 0, D <= 1), {X: X + D}, (D,)),
    "swap": Relation(TRUE, {X: Y, Y: X}),
}
TARGETS = [X <= 1, X.eq(Y), b.and_(X >= 0, Y >= 2)]


def holds(formula: Term, x: int, y: int) -> bool:
    """By evaluation: images have no quantifiers."""
    return bool(evaluate(formula, {X: x, Y: y}))


def successors(step: Relation, x: int, y: int) -> set[tuple[int, int]]:
    found = set()
    for drawn in (0, 1) if step.locals else (0,):
        state = {X: b.integer(x), Y: b.integer(y), D: b.integer(drawn)}
        if substitute(step.guard, state) is TRUE:
            after = (substitute(step.after(v), state).value for v in (X, Y))
            found.add(tuple(after))
    return found


@pytest.mark.parametrize("target", TARGETS, ids=str)
@pytest.mark.parametrize("name", STEPS)
def test_before_and_after(name: str, target: Term) -> None:
    step, images = STEPS[name], Images(Z3(), Budget())
    before, can = images.weakest_precondition(target, step), images.preimage(target, step)
    reached: set[tuple[int, int]] = set()
    for x, y in product(VALUES, VALUES):
        after = [holds(target, *state) for state in successors(step, x, y)]
        assert holds(before, x, y) == all(after)
        assert holds(can, x, y) == any(after)
    for x, y in product(range(-3, 6), range(-3, 6)):
        if holds(target, x, y):
            reached |= successors(step, x, y)
    post = images.image(b.and_(target, X >= -3, X <= 5, Y >= -3, Y <= 5), step)
    for x, y in product(VALUES, VALUES):
        assert holds(post, x, y) == ((x, y) in reached)
