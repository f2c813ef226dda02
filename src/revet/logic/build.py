"""All smart constructors in one place: ``from revet.logic import build as b``.

Also the operators that dispatch on the sort of their arguments, which is what the overloaded
Python operators and the small front ends need. On bit-vectors these are the *unsigned* ones.
"""

from __future__ import annotations

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
from revet.logic.sorts import BitVecSort
from revet.logic.terms import FALSE, TRUE, Term


def plus(left: Term, right: Term) -> Term:
    return bvadd(left, right) if isinstance(left.sort, BitVecSort) else add(left, right)


def minus(left: Term, right: Term) -> Term:
    return bvsub(left, right) if isinstance(left.sort, BitVecSort) else sub(left, right)


def times(left: Term, right: Term) -> Term:
    return bvmul(left, right) if isinstance(left.sort, BitVecSort) else mul(left, right)


def negate(term: Term) -> Term:
    return bvneg(term) if isinstance(term.sort, BitVecSort) else neg(term)


def at_most(left: Term, right: Term) -> Term:
    return bvule(left, right) if isinstance(left.sort, BitVecSort) else le(left, right)


def less(left: Term, right: Term) -> Term:
    return bvult(left, right) if isinstance(left.sort, BitVecSort) else lt(left, right)


__all__ = [
    "FALSE", "TRUE", "abs_", "add", "and_", "apply", "array_sort", "at_most", "bit", "bool_to_bv",
    "boolean", "bv", "bv2nat", "bv_to_bool", "bvadd", "bvand", "bvashr", "bvlshr", "bvmul",
    "bvneg", "bvnot", "bvor", "bvsdiv", "bvshl", "bvsle", "bvslt", "bvsmod", "bvsrem", "bvsub",
    "bvudiv", "bvule", "bvult", "bvurem", "bvxor", "concat", "conjunction", "const",
    "const_array", "disjunction", "distinct", "div", "eq", "exists", "extract", "forall", "ge",
    "gt", "iff", "implies", "int2bv", "integer", "ite", "le", "less", "lift", "lt", "max_",
    "min_", "minus", "mod", "mul", "neg", "negate", "not_", "or_", "plus", "rdiv", "real",
    "select", "sign_extend", "store", "sub", "sum_", "tdiv", "times", "to_int", "to_real", "trem",
    "var", "width_of", "xor", "zero_extend",
]
