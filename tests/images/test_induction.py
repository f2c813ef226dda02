"""Laurent's slides (2014): relative induction and lemma tightening, with their numbers."""

from __future__ import annotations

import pytest

from revet.errors import UsageError
from revet.images.induction import relative_induction, tightened
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.relation import Relation
from revet.model.system import TransitionSystem

X, Y = b.var("x", INT), b.var("y", INT)
SUMS = TransitionSystem((X, Y), b.and_(X.eq(0), Y.eq(1)), Relation(b.TRUE, {X: X + 1, Y: X + Y}), {})
COUNT = TransitionSystem((X, Y), b.and_(X.eq(0), Y.eq(0)), Relation(b.TRUE, {X: X + 1}), {})


def test_inductive_relative_to_a_lemma() -> None:
    alone = relative_induction("y >= 1", SUMS)
    assert alone.initial and not alone and alone.counterexample is not None
    assert alone.counterexample["x"] + alone.counterexample["y"] < 1 <= alone.counterexample["y"]  # type: ignore
    cti = relative_induction("y >= 1", SUMS, frame="x = -2 and y = 1")
    assert cti.counterexample == {"x": -2, "y": 1}  # the slides' own
    assert relative_induction("x >= 0", SUMS)
    assert relative_induction("y >= 1", SUMS, frame="x >= 0")


def test_lemma_tightening() -> None:
    assert tightened("x < 0 and y = 1", COUNT, frame="y = 1") == ["x < 0"]
    with pytest.raises(UsageError, match="initial state"):
        tightened("x <= 0", COUNT)
    with pytest.raises(UsageError, match="reached from the frame"):
        tightened("x = 3 and y = 0", COUNT)
