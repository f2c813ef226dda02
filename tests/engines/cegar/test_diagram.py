"""Sets of states as decision diagrams: the formula says exactly what the rows say."""

from __future__ import annotations

import random
from itertools import product

from revet.engines.cegar.diagram import any_of, order
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.walk import conjuncts, subterms

X, Y, Z, P = b.var("x", INT), b.var("y", INT), b.var("z", INT), b.var("p", BOOL)
VARIABLES = (X, Y, Z, P)
EVERYTHING = list(product(range(3), range(3), range(3), (False, True)))


def test_the_formula_holds_in_the_rows_and_nowhere_else():
    for seed in range(150):
        rng = random.Random(seed)
        rows = rng.sample(EVERYTHING, rng.choice([1, 2, 5, 20, 50]))
        formula = any_of(VARIABLES, rows)
        wanted = set(rows)
        for row in EVERYTHING:
            assert Evaluator(dict(zip(VARIABLES, row, strict=True)))(formula) is (row in wanted), seed


def test_no_variables_and_no_restriction():
    assert any_of((), [()]) is b.TRUE


def test_what_is_common_stands_outside():
    formula = any_of(VARIABLES, [(1, 0, 2, True), (1, 1, 2, True)])
    assert {X.eq(1), Z.eq(2), P} <= set(conjuncts(formula))


def test_a_product_is_small():
    variables = [b.var(f"v{n}", INT) for n in range(12)]
    rows = list(product((0, 1), repeat=12))
    formula = any_of(variables, rows)
    assert len(subterms(formula)) < 60  # 4096 rows


def test_a_variable_comes_next_to_what_determines_it():
    rng = random.Random(1)
    names = [b.var(f"{stem}{n}", INT) for stem in "ab" for n in range(6)]
    rows = [(*bits, *(2 * bit for bit in bits)) for bits in (rng.choices((0, 1), k=6) for _ in range(300))]
    found = [x.name for x in order(names, rows)]
    for n in range(6):
        assert abs(found.index(f"a{n}") - found.index(f"b{n}")) == 1
