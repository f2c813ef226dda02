"""One table of operators (sorts × operators) and generators of terms made from it.

A ``Tree`` is a formula before any simplification: a row of the table with its arguments, or a
variable. ``tree.term()`` builds it through the smart constructors, ``tree.value(…)`` applies the
reference semantics directly; tests compare the two, and both with solvers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import strategies as st

from revet.logic import build as b
from revet.logic import softfloat
from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, INT, REAL, Array, BitVec, BitVecSort, Float, FloatSort, Sort
from revet.logic.terms import Op, Term
from revet.logic.values import ArrayValue, Value
from revet.logic.walk import build_node

BV4, BV8, BV1 = BitVec(4), BitVec(8), BitVec(1)
FP, FP_WIDE, FP_ODD = Float(3, 4), Float(4, 6), Float(2, 5)
INTS, BYTES, FLAGS = Array(INT, INT), Array(BV1, BV4), Array(BOOL, INT)


@dataclass(frozen=True)
class Row:
    op: str
    args: tuple[Sort, ...]
    sort: Sort
    payload: Any = None

    def __str__(self) -> str:
        return f"{self.op}-{self.payload or ''}-{'-'.join(s.name for s in self.args)}".replace(" ", "_")

    def build(self, *args: Term) -> Term:
        return build_node(self.op, args, self.payload, self.sort)

    def value(self, *values: Value) -> Value:
        return apply_operator(self.op, self.payload, self.sort, self.args, values)


def _rows() -> list[Row]:
    rows = [
        Row(Op.NOT, (BOOL,), BOOL), Row(Op.AND, (BOOL, BOOL, BOOL), BOOL), Row(Op.OR, (BOOL, BOOL), BOOL),
        Row(Op.TO_REAL, (INT,), REAL), Row(Op.TO_INT, (REAL,), INT), Row(Op.RDIV, (REAL, REAL), REAL),
        Row(Op.DIV, (INT, INT), INT), Row(Op.MOD, (INT, INT), INT),
        Row(Op.ZERO_EXTEND, (BV4,), BV8, 4), Row(Op.SIGN_EXTEND, (BV4,), BV8, 4),
        Row(Op.EXTRACT, (BV8,), BV4, (5, 2)), Row(Op.EXTRACT, (BV8,), BV1, (0, 0)),
        Row(Op.CONCAT, (BV4, BV4), BV8), Row(Op.BV2NAT, (BV4,), INT), Row(Op.INT2BV, (INT,), BV4, 4),
    ]
    for sort in (BOOL, INT, REAL, BV4, FP, INTS, BYTES, FLAGS):
        rows += [Row(Op.EQ, (sort, sort), BOOL), Row(Op.ITE, (BOOL, sort, sort), sort)]
    for sort in (INT, REAL):
        rows += [Row(Op.ADD, (sort, sort, sort), sort), Row(Op.MUL, (sort, sort), sort)]
        rows += [Row(Op.LE, (sort, sort), BOOL), Row(Op.LT, (sort, sort), BOOL)]
    arithmetic = (
        Op.BVADD, Op.BVSUB, Op.BVMUL, Op.BVUDIV, Op.BVUREM, Op.BVSDIV, Op.BVSREM, Op.BVSMOD, Op.BVAND,
        Op.BVOR, Op.BVXOR, Op.BVSHL, Op.BVLSHR, Op.BVASHR,
    )
    for sort in (BV1, BV4, BV8):
        rows += [Row(op, (sort, sort), sort) for op in arithmetic]
        rows += [Row(op, (sort, sort), BOOL) for op in (Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE)]
        rows += [Row(op, (sort,), sort) for op in (Op.BVNEG, Op.BVNOT)]
    for sort in (INTS, BYTES, FLAGS):
        rows.append(Row(Op.SELECT, (sort, sort.index), sort.element))
        rows.append(Row(Op.STORE, (sort, sort.index, sort.element), sort))
        rows.append(Row(Op.CONST_ARRAY, (sort.element,), sort))
    return rows + _float_rows()


def _float_rows() -> list[Row]:
    rows = []
    for sort in (FP, FP_ODD):
        rows += [Row(op, (sort,), sort) for op in (Op.FP_NEG, Op.FP_ABS)]
        rows += [Row(op, (sort, sort), BOOL) for op in (Op.FP_LE, Op.FP_LT, Op.FP_EQ)]
        rows += [Row(op, (sort,), BOOL) for op in (
            Op.FP_IS_NAN, Op.FP_IS_INF, Op.FP_IS_ZERO, Op.FP_IS_NEGATIVE, Op.FP_IS_NORMAL, Op.FP_IS_SUBNORMAL,
        )]
        rows += [Row(Op.FP_REM, (sort, sort), sort), Row(Op.FP_TO_REAL, (sort,), REAL)]
        rows.append(Row(Op.FP_FROM_BITS, (BitVec(sort.width),), sort))
        for mode in softfloat.MODES:
            rows += [Row(op, (sort, sort), sort, mode) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)]
            rows.append(Row(Op.FP_FMA, (sort, sort, sort), sort, mode))
            rows += [Row(op, (sort,), sort, mode) for op in (Op.FP_SQRT, Op.FP_ROUND)]
            rows += [Row(op, (sort,), BV4, (mode, 4)) for op in (Op.FP_TO_SBV, Op.FP_TO_UBV)]
            rows += [Row(op, (BV8,), sort, mode) for op in (Op.FP_FROM_SBV, Op.FP_FROM_UBV)]
            rows += [Row(Op.FP_FROM_FP, (FP_WIDE,), sort, mode), Row(Op.FP_FROM_REAL, (REAL,), sort, mode)]
            rows.append(Row(Op.FP_TO_UBV, (sort,), BV8, (mode, 8)))
    return rows


ROWS = _rows()


def values(sort: Sort) -> st.SearchStrategy[Value]:
    if sort is BOOL:
        return st.booleans()
    if sort is INT:
        return st.integers(-9, 9) | st.sampled_from([0, 1, -1, 10**20, -(10**20)])
    if sort is REAL:
        return st.fractions(-8, 8, max_denominator=6) | st.just(Fraction(0))
    if isinstance(sort, BitVecSort):
        top = (1 << sort.width) - 1
        return st.integers(0, top) | st.sampled_from([0, 1 % (top + 1), top, top // 2, top // 2 + 1])
    if isinstance(sort, FloatSort):
        return st.integers(0, (1 << sort.width) - 1).map(lambda bits: softfloat.canonical(bits, sort))
    entries = st.dictionaries(values(sort.index), values(sort.element), max_size=2)
    return st.builds(ArrayValue, values(sort.element), entries)


def variable(sort: Sort, number: int) -> Term:
    return b.var(f"v{number} {sort.name}".replace(" ", "_").replace("(", "").replace(")", ""), sort)


@dataclass(frozen=True)
class Tree:
    row: Row | None
    children: tuple[Tree, ...] = ()
    leaf: Term | None = None

    def term(self) -> Term:
        if self.row is None:
            return self.leaf
        return self.row.build(*(child.term() for child in self.children))

    def value(self, valuation: dict[Term, Value]) -> Value:
        if self.row is None:
            return valuation[self.leaf] if self.leaf.is_var else self.leaf.value
        return self.row.value(*(child.value(valuation) for child in self.children))


def _leaf(sort: Sort) -> st.SearchStrategy[Tree]:
    variables = st.integers(0, 2).map(lambda number: Tree(None, leaf=variable(sort, number)))
    constants = values(sort).map(lambda value: Tree(None, leaf=b.const(value, sort)))
    return variables | constants


@st.composite
def trees(draw: Any, sort: Sort, depth: int = 3, rows: tuple[Row, ...] = tuple(ROWS)) -> Tree:
    candidates = [row for row in rows if row.sort is sort]
    if depth == 0 or not candidates or draw(st.integers(0, 4)) == 0:
        return draw(_leaf(sort))
    row = draw(st.sampled_from(candidates))
    return Tree(row, tuple(draw(trees(arg, depth - 1, rows)) for arg in row.args))


SORTS = (BOOL, INT, REAL, BV1, BV4, BitVec(7), BV8, FP, FP_ODD, FP_WIDE, INTS, BYTES, FLAGS)
VARIABLES = tuple(variable(sort, number) for sort in SORTS for number in range(3))


def some_value(sort: Sort, random: Random) -> Value:
    """Like :func:`values`, at the cost of a few random numbers."""
    if sort is BOOL:
        return random.random() < 0.5
    if sort is INT:
        return random.choice([0, 1, -1, 2, -3, 7, 10**20, -(10**20), random.randint(-9, 9)])
    if sort is REAL:
        return Fraction(random.randint(-9, 9), random.randint(1, 6))
    if isinstance(sort, BitVecSort):
        top = (1 << sort.width) - 1
        return random.choice([0, 1, top, top // 2, top // 2 + 1, random.randint(0, top)])
    if isinstance(sort, FloatSort):
        return softfloat.canonical(random.getrandbits(sort.width), sort)
    entries = {some_value(sort.index, random): some_value(sort.element, random) for _ in range(2)}
    return ArrayValue(some_value(sort.element, random), entries)


def valuation_of(seed: int) -> dict[Term, Value]:
    random = Random(seed)
    return {v: some_value(v.sort, random) for v in VARIABLES}


def valuations() -> st.SearchStrategy[dict[Term, Value]]:
    return st.integers(0, 1 << 32).map(valuation_of)


any_tree = st.sampled_from(SORTS).flatmap(trees)
