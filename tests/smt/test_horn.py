"""Horn systems through Spacer: both answers, read back, and the budget inside a query."""

import time

import pytest

from revet.budget import Budget, OutOfBudget
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Op, Term
from revet.logic.walk import substitute
from revet.smt import Status
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable, Horn, HornAnswer, Refuted

X, Y = b.var("x", INT), b.var("y", INT)
FLAG = b.var("flag", BOOL)


def counter(bad: Term, budget: Budget | None = None) -> tuple[Horn, HornAnswer]:
    """x = 0, 1, 2, …; y = 1, 1, 2, 4, 7, 11, …; flag alternates."""
    horn = Horn(Z3(), {"spacer.global": True})
    inv = horn.predicate("inv", [X, FLAG, Y])
    error = horn.predicate("error", [])
    horn.rule([X.eq(0), Y.eq(1), FLAG], inv(X, FLAG, Y))
    horn.rule([inv(X, FLAG, Y)], inv(X + 1, b.not_(FLAG), X + Y))
    horn.rule([inv(X, FLAG, Y), bad], error())
    return horn, horn.query(error(), budget)


def test_model_is_inductive_and_named_by_the_arguments() -> None:
    horn, answer = counter(Y < 0)
    assert isinstance(answer, Refuted)
    inv = next(p for p in horn.predicates.values() if p.symbol.name == "inv")
    formula = answer.model[inv]
    solver = Z3().solver()
    step = substitute(formula, {X: X + 1, Y: X + Y, FLAG: b.not_(FLAG)})
    for claim in (
        b.implies(b.and_(X.eq(0), Y.eq(1), FLAG), formula),
        b.implies(formula, step),
        b.implies(formula, Y >= 0),
    ):
        assert solver.check([b.not_(claim)]) is Status.UNSAT


def test_derivation_lists_the_run_backwards() -> None:
    horn, answer = counter(Y.eq(11))
    assert isinstance(answer, Derivable)
    inv = next(p for p in horn.predicates.values() if p.symbol.name == "inv")
    states = [fact for fact in answer.facts if fact.op == Op.APPLY and fact.payload == inv.symbol]
    values = [(fact.args[0].value, fact.args[2].value) for fact in states]
    assert values == [(5, 11), (4, 7), (3, 4), (2, 2), (1, 1), (0, 1)]


def test_budget_reaches_into_the_query() -> None:
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        # Non-linear and true: Spacer does not end by itself.
        counter(b.and_(b.mul(X, X).eq(2 * Y + 7), X > 3), Budget(1.0))
    assert time.process_time() - start < 2.5
