"""Which values Boolean terms can have."""

from __future__ import annotations

import pytest

from revet.logic.arith import ge, gt, lt
from revet.logic.build import and_, forall, iff, integer, not_, or_, var
from revet.logic.sorts import BOOL, INT
from revet.smt import default_backend
from revet.transform.boolean_values import TooHard, boolean_values, candidate_values

A, B = var("a", BOOL), var("b", BOOL)
X = var("x", INT)
ZERO = integer(0)


def test_all_values_and_no_others() -> None:
    solver = default_backend().solver()
    found = set(boolean_values(solver, or_(A, B), [A, B]))
    assert found == {(True, True), (True, False), (False, True)}
    assert list(boolean_values(solver, and_(A, not_(A)), [A])) == []


def test_a_search_that_is_given_up_leaves_nothing_behind() -> None:
    solver = default_backend().solver()
    search = boolean_values(solver, A, [A, B])
    next(search)
    search.close()
    assert set(boolean_values(solver, not_(A), [A])) == {(False,)}


def test_candidates_leave_out_nothing() -> None:
    """What is said about numbers is not looked at, unless that gives too many values."""
    solver = default_backend().solver()
    constraint = and_(iff(A, gt(X, ZERO)), iff(B, lt(X, ZERO)))
    can_be = set(boolean_values(solver, constraint, [A, B]))
    assert can_be == {(True, False), (False, True), (False, False)}
    assert can_be < set(candidate_values(solver, constraint, [A, B], most=4, limit=9))
    assert set(candidate_values(solver, constraint, [A, B], most=3, limit=3)) == can_be
    with pytest.raises(TooHard):
        candidate_values(solver, constraint, [A, B], most=0, limit=2)


def test_atoms_under_quantifiers_are_no_variables() -> None:
    solver = default_backend().solver()
    positive = ge(X, ZERO)
    constraint = and_(not_(forall([X], positive)), not_(forall([X], not_(positive))))
    assert candidate_values(solver, and_(constraint, A), [A], most=8, limit=9) == [(True,)]
