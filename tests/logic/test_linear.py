"""Linear literals have one normal form and keep their meaning; implicants are implicants."""

from hypothesis import HealthCheck, given, settings

from revet.logic import build as b
from revet.logic.evaluate import Evaluator, evaluate
from revet.logic.implicant import implicant
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.walk import subterms
from tests.logic.table import ROWS, trees, valuations

relaxed = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
NUMERIC = tuple(row for row in ROWS if {*row.args, row.sort} <= {BOOL, INT, REAL})
x, y = b.var("x", INT), b.var("y", INT)
r = b.var("r", REAL)


def test_equal_constraints_become_one_term():
    forms = [x < 3, x <= 2, b.not_(x >= 3), 2 * x <= 5, x + y <= y + 2, -x >= -2, 4 * x < 12]
    assert {normalize_literal(form) for form in forms} == {x <= 2}
    assert normalize_literal(-x <= -3) is (b.integer(3) <= x)
    assert normalize_literal(b.eq(2 * x, 2 * y + 1)) is b.FALSE
    halved = normalize_literal(b.eq(x - 2 * y, b.integer(1)))
    assert normalize_literal(b.not_(b.eq(2 * x, 4 * y + 2))) is b.not_(halved)
    assert normalize_literal(2 * r < 5) is normalize_literal(4 * r - 10 < 0)
    assert normalize_literal(r < 3) is not normalize_literal(r <= 3)
    assert normalize_literal(x - x <= y - y) is b.TRUE
    p = b.var("p", BOOL)
    assert normalize_literal(p) is p and normalize_literal(b.not_(p)) is b.not_(p)
    assert linear_form(2 * (x + 3 * y) - x + 1) == ({x: 1, y: 6}, 1)


@relaxed
@given(trees(BOOL, 3, NUMERIC), valuations())
def test_normal_forms_keep_the_value(tree, valuation):
    for node in subterms(tree.term()):
        if node.sort is BOOL:
            normal = normalize_literal(node)
            assert evaluate(normal, valuation) == evaluate(node, valuation)
            assert normalize_literal(normal) is normal


@relaxed
@given(trees(BOOL, 4), valuations(), valuations())
def test_implicants_hold_and_imply(tree, valuation, other):
    formula = tree.term()
    if evaluate(formula, valuation) is not True:
        formula = b.not_(formula)
    cube = implicant(formula, Evaluator(valuation))
    assert all(evaluate(literal, valuation) is True for literal in cube)
    if all(evaluate(literal, other) for literal in cube):
        assert evaluate(formula, other) is True
