"""All smart constructors in one place: ``from revet.logic import build as b``.

Also the operators that dispatch on the sort of their arguments, which is what the overloaded
Python operators and the small front ends need. On bit-vectors these are the *unsigned* ones, on
floats the ones that round to nearest.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.logic.arith import (
    abs_,
    add,
    div,
    ge,
    gt,
    le,
    lt,
    max_,
    min_,
    mod,
    mul,
    neg,
    rdiv,
    sub,
    sum_,
    tdiv,
    to_int,
    to_real,
    trem,
)
from revet.logic.arrays import array_sort, const_array, select, store
from revet.logic.bits import (
    bit,
    bool_to_bv,
    bv,
    bv2nat,
    bv_to_bool,
    bvadd,
    bvand,
    bvashr,
    bvlshr,
    bvmul,
    bvneg,
    bvnot,
    bvor,
    bvsdiv,
    bvshl,
    bvsle,
    bvslt,
    bvsmod,
    bvsrem,
    bvsub,
    bvudiv,
    bvule,
    bvult,
    bvurem,
    bvxor,
    concat,
    extract,
    int2bv,
    sign_extend,
    width_of,
    zero_extend,
)
from revet.logic.core import (
    and_,
    apply,
    boolean,
    conjunction,
    const,
    disjunction,
    distinct,
    eq,
    exists,
    forall,
    iff,
    implies,
    integer,
    ite,
    lift,
    not_,
    or_,
    real,
    var,
    xor,
)
from revet.logic.floats import (
    double,
    float_sort,
    fp_abs,
    fp_add,
    fp_bits,
    fp_const,
    fp_div,
    fp_eq,
    fp_fma,
    fp_from_bits,
    fp_from_real,
    fp_from_sbv,
    fp_from_ubv,
    fp_ge,
    fp_gt,
    fp_inf,
    fp_is_inf,
    fp_is_nan,
    fp_is_negative,
    fp_is_normal,
    fp_is_subnormal,
    fp_is_zero,
    fp_le,
    fp_lt,
    fp_mul,
    fp_nan,
    fp_neg,
    fp_rem,
    fp_round,
    fp_sqrt,
    fp_sub,
    fp_to_fp,
    fp_to_real,
    fp_to_sbv,
    fp_to_ubv,
    fp_unordered,
    fp_zero,
)
from revet.logic.sorts import BitVecSort, FloatSort, Sort
from revet.logic.terms import FALSE, TRUE, Term

_Binary = Callable[[Term, Term], Term]


def _choose(sort: Sort, number: _Binary, bits: _Binary, float_: _Binary) -> _Binary:
    if isinstance(sort, BitVecSort):
        return bits
    return float_ if isinstance(sort, FloatSort) else number


def plus(left: Term, right: Term) -> Term:
    return _choose(left.sort, add, bvadd, fp_add)(left, right)


def minus(left: Term, right: Term) -> Term:
    return _choose(left.sort, sub, bvsub, fp_sub)(left, right)


def times(left: Term, right: Term) -> Term:
    return _choose(left.sort, mul, bvmul, fp_mul)(left, right)


def negate(term: Term) -> Term:
    if isinstance(term.sort, FloatSort):
        return fp_neg(term)
    return bvneg(term) if isinstance(term.sort, BitVecSort) else neg(term)


def at_most(left: Term, right: Term) -> Term:
    return _choose(left.sort, le, bvule, fp_le)(left, right)


def less(left: Term, right: Term) -> Term:
    return _choose(left.sort, lt, bvult, fp_lt)(left, right)


__all__ = [
    "FALSE", "TRUE", "abs_", "add", "and_", "apply", "array_sort", "at_most", "bit", "bool_to_bv",
    "boolean", "bv", "bv2nat", "bv_to_bool", "bvadd", "bvand", "bvashr", "bvlshr", "bvmul", "bvneg",
    "bvnot", "bvor", "bvsdiv", "bvshl", "bvsle", "bvslt", "bvsmod", "bvsrem", "bvsub", "bvudiv",
    "bvule", "bvult", "bvurem", "bvxor", "concat", "conjunction", "const", "const_array",
    "disjunction", "distinct", "div", "double", "eq", "exists", "extract", "float_sort", "forall",
    "fp_abs", "fp_add", "fp_bits", "fp_const", "fp_div", "fp_eq", "fp_fma", "fp_from_bits", "fp_from_real",
    "fp_from_sbv", "fp_from_ubv", "fp_ge", "fp_gt", "fp_inf", "fp_is_inf", "fp_is_nan",
    "fp_is_negative", "fp_is_normal", "fp_is_subnormal", "fp_is_zero", "fp_le", "fp_lt", "fp_mul",
    "fp_nan", "fp_neg", "fp_rem", "fp_round", "fp_sqrt", "fp_sub", "fp_to_fp", "fp_to_real",
    "fp_to_sbv", "fp_to_ubv", "fp_unordered", "fp_zero", "ge", "gt", "iff", "implies", "int2bv",
    "integer", "ite", "le", "less", "lift", "lt", "max_", "min_", "minus", "mod", "mul", "neg",
    "negate", "not_", "or_", "plus", "rdiv", "real", "select", "sign_extend", "store", "sub",
    "sum_", "tdiv", "times", "to_int", "to_real", "trem", "var", "width_of", "xor", "zero_extend",
]
