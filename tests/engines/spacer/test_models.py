"""Formulas that z3 made up for inlined predicates do not spoil a model."""

import pytest

from revet.checker.certificate import check_certificate
from revet.engines.common.context import Context
from revet.engines.spacer.models import accepted_model
from revet.logic import build as b
from revet.logic.core import exists
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FALSE, TRUE, FunctionSymbol, Term
from revet.model.horn import HornClause, HornSystem

X, Y = b.var("x", INT), b.var("y", INT)
START, HEAD, BODY, END = (FunctionSymbol(name, [INT], BOOL) for name in ("start", "head", "body", "end"))
LOOP = HornSystem(
    (START, HEAD, BODY, END),
    (
        HornClause((), X.eq(0), b.apply(START, X)),
        HornClause((b.apply(START, X),), TRUE, b.apply(HEAD, X)),
        HornClause((b.apply(HEAD, X),), X < 10, b.apply(BODY, X)),
        HornClause((b.apply(BODY, X),), Y.eq(X + 1), b.apply(HEAD, Y)),
        HornClause((b.apply(HEAD, X),), X >= 10, b.apply(END, X)),
        HornClause((b.apply(END, X),), b.not_(X.eq(10)), None),
    ),
)


def about(predicate: FunctionSymbol) -> Term:
    return LOOP.arguments[predicate][0]


RIGHT = {
    START: about(START).eq(0), HEAD: about(HEAD) <= 10, BODY: about(BODY) <= 9, END: about(END).eq(10),
}
SOME = exists([Y], b.and_(Y <= 9, about(BODY).eq(Y)))


@pytest.mark.parametrize(
    "made_up",
    [
        {}, {BODY: TRUE}, {BODY: FALSE}, {START: TRUE}, {END: TRUE}, {BODY: SOME}, {START: TRUE, END: FALSE},
        {START: TRUE, BODY: TRUE, END: TRUE}, {BODY: None}, {START: None, BODY: TRUE, END: None},
    ],
    ids=str,
)
def test_what_is_of_no_use_is_replaced(made_up: dict[FunctionSymbol, Term | None]) -> None:
    given = {p: formula for p, formula in {**RIGHT, **made_up}.items() if formula is not None}
    model = accepted_model(LOOP, given, Context())
    assert model is not None
    assert check_certificate(LOOP, model).accepted


def test_where_the_loop_itself_is_not_known_there_is_no_model() -> None:
    assert accepted_model(LOOP, {HEAD: TRUE, BODY: TRUE, START: TRUE, END: TRUE}, Context()) is None
    assert accepted_model(LOOP, {START: TRUE, END: TRUE}, Context()) is None
