"""Smart constructors for IEEE 754 floats (SMT-LIB's operators).

Two equalities: ``eq`` is identity of values (NaN equals itself, +0 differs from -0), ``fp_eq``
is IEEE's ``==``. Rounding modes are the names in :data:`revet.logic.softfloat.MODES`; where an
operator takes one it defaults to "RNE", the mode of hardware and of C.
"""

from __future__ import annotations

import math
from fractions import Fraction

from revet.errors import SortError
from revet.logic import softfloat
from revet.logic.core import const, fold, ite, not_, or_, require, require_same
from revet.logic.sorts import BOOL, FLOAT64, REAL, BitVec, BitVecSort, FloatSort, Sort
from revet.logic.terms import Op, Term


def float_sort(term: Term) -> FloatSort:
    if not isinstance(term.sort, FloatSort):
        raise SortError(f"expected a float, got {term!r} of sort {term.sort}")
    return term.sort


def _require_float(sort: Sort) -> FloatSort:
    if not isinstance(sort, FloatSort):
        raise SortError(f"expected a floating-point sort, got {sort}")
    return sort


def _require_mode(mode: str) -> str:
    if mode not in softfloat.MODES:
        raise SortError(f"no rounding mode {mode!r}: use one of {', '.join(softfloat.MODES)}")
    return mode


def fp_const(value: float | int | Fraction, sort: Sort, mode: str = "RNE") -> Term:
    """The float nearest to a Python number; Python's own -0.0, inf and nan are themselves."""
    target = _require_float(sort)
    _require_mode(mode)
    if not isinstance(value, float):
        return const(softfloat.round_rational(Fraction(value), mode, target), target)
    if math.isnan(value):
        return fp_nan(target)
    negative = math.copysign(1.0, value) < 0
    if math.isinf(value):
        return fp_inf(target, negative)
    return const(softfloat.round_rational(Fraction(value), mode, target, negative), target)


def fp_bits(bits: int, sort: Sort) -> Term:
    """The float with this bit pattern; all NaNs are one."""
    target = _require_float(sort)
    if not 0 <= bits < 1 << target.width:
        raise SortError(f"{bits} is not a pattern of {target.width} bits")
    return const(softfloat.canonical(bits, target), target)


def fp_nan(sort: Sort) -> Term:
    target = _require_float(sort)
    return const(softfloat.nan(target), target)


def fp_inf(sort: Sort, negative: bool = False) -> Term:
    target = _require_float(sort)
    return const(softfloat.infinity(target, negative), target)


def fp_zero(sort: Sort, negative: bool = False) -> Term:
    target = _require_float(sort)
    return const(softfloat.round_rational(Fraction(0), "RNE", target, negative), target)


def _binary(op: str, left: Term, right: Term, mode: str | None) -> Term:
    float_sort(left)
    return fold(op, (left, right), require_same(op, left, right), mode)


def fp_add(left: Term, right: Term, mode: str = "RNE") -> Term:
    return _binary(Op.FP_ADD, left, right, _require_mode(mode))


def fp_sub(left: Term, right: Term, mode: str = "RNE") -> Term:
    return _binary(Op.FP_SUB, left, right, _require_mode(mode))


def _is_one(term: Term) -> bool:
    return term.is_const and term is fp_const(1, term.sort)


def fp_mul(left: Term, right: Term, mode: str = "RNE") -> Term:
    """Factors of one and zero are taken out: solvers build the whole circuit of a multiplication."""
    product = _binary(Op.FP_MUL, left, right, _require_mode(mode))
    if product.op != Op.FP_MUL:
        return product
    factor, other = (left, right) if left.is_const else (right, left)
    if _is_one(factor):
        return other
    if factor is fp_zero(factor.sort):
        finite = ite(fp_is_negative(other), fp_zero(factor.sort, negative=True), factor)
        return ite(or_(fp_is_nan(other), fp_is_inf(other)), fp_nan(factor.sort), finite)
    return product


def fp_div(left: Term, right: Term, mode: str = "RNE") -> Term:
    quotient = _binary(Op.FP_DIV, left, right, _require_mode(mode))
    return left if _is_one(right) else quotient


def fp_fma(left: Term, right: Term, added: Term, mode: str = "RNE") -> Term:
    """``left * right + added``, rounded once."""
    float_sort(left)
    require_same(Op.FP_FMA, left, right)
    sort = require_same(Op.FP_FMA, left, added)
    return fold(Op.FP_FMA, (left, right, added), sort, _require_mode(mode))


def fp_rem(left: Term, right: Term) -> Term:
    """IEEE remainder: the quotient is rounded to nearest (not C's ``fmod``)."""
    return _binary(Op.FP_REM, left, right, None)


def fp_sqrt(term: Term, mode: str = "RNE") -> Term:
    return fold(Op.FP_SQRT, (term,), float_sort(term), _require_mode(mode))


def fp_round(term: Term, mode: str = "RNE") -> Term:
    """To an integral value; "RTZ" is C's ``trunc``, "RTN" ``floor``, "RTP" ``ceil``, "RNA" ``round``."""
    return fold(Op.FP_ROUND, (term,), float_sort(term), _require_mode(mode))


def fp_neg(term: Term) -> Term:
    float_sort(term)
    return term.args[0] if term.op == Op.FP_NEG else fold(Op.FP_NEG, (term,), term.sort)


def fp_abs(term: Term) -> Term:
    float_sort(term)
    if term.op in (Op.FP_NEG, Op.FP_ABS):
        term = term.args[0]
    return fold(Op.FP_ABS, (term,), term.sort)


def _compare(op: str, left: Term, right: Term) -> Term:
    float_sort(left)
    require_same(op, left, right)
    return fold(op, (left, right), BOOL)


def fp_le(left: Term, right: Term) -> Term:
    return _compare(Op.FP_LE, left, right)


def fp_lt(left: Term, right: Term) -> Term:
    return _compare(Op.FP_LT, left, right)


def fp_ge(left: Term, right: Term) -> Term:
    return fp_le(right, left)


def fp_gt(left: Term, right: Term) -> Term:
    return fp_lt(right, left)


def fp_eq(left: Term, right: Term) -> Term:
    """IEEE ``==``: NaN is different from itself, the zeros are equal."""
    if left is right:
        return not_(fp_is_nan(left))
    if left.id > right.id:
        left, right = right, left
    return _compare(Op.FP_EQ, left, right)


def fp_unordered(left: Term, right: Term) -> Term:
    """Is one of them NaN?"""
    require_same("unordered", left, right)
    return or_(fp_is_nan(left), fp_is_nan(right))


def _classify(op: str, term: Term) -> Term:
    float_sort(term)
    return fold(op, (term,), BOOL)


def fp_is_nan(term: Term) -> Term:
    return _classify(Op.FP_IS_NAN, term)


def fp_is_inf(term: Term) -> Term:
    return _classify(Op.FP_IS_INF, term)


def fp_is_zero(term: Term) -> Term:
    return _classify(Op.FP_IS_ZERO, term)


def fp_is_negative(term: Term) -> Term:
    """The sign bit is set and it is not NaN."""
    return _classify(Op.FP_IS_NEGATIVE, term)


def fp_is_normal(term: Term) -> Term:
    return _classify(Op.FP_IS_NORMAL, term)


def fp_is_subnormal(term: Term) -> Term:
    return _classify(Op.FP_IS_SUBNORMAL, term)


def fp_to_fp(sort: Sort, term: Term, mode: str = "RNE") -> Term:
    """A float in another format."""
    target = _require_float(sort)
    source = float_sort(term)
    _require_mode(mode)
    if source is target:
        return term
    return fold(Op.FP_FROM_FP, (term,), target, mode)


def fp_from_real(sort: Sort, term: Term, mode: str = "RNE") -> Term:
    require(Op.FP_FROM_REAL, term, REAL)
    return fold(Op.FP_FROM_REAL, (term,), _require_float(sort), _require_mode(mode))


def _require_bits(term: Term) -> int:
    if not isinstance(term.sort, BitVecSort):
        raise SortError(f"expected a bit-vector, got {term!r} of sort {term.sort}")
    return term.sort.width


def fp_from_sbv(sort: Sort, term: Term, mode: str = "RNE") -> Term:
    """The two's complement reading of a bit-vector, rounded."""
    _require_bits(term)
    return fold(Op.FP_FROM_SBV, (term,), _require_float(sort), _require_mode(mode))


def fp_from_ubv(sort: Sort, term: Term, mode: str = "RNE") -> Term:
    """The unsigned reading of a bit-vector, rounded."""
    _require_bits(term)
    return fold(Op.FP_FROM_UBV, (term,), _require_float(sort), _require_mode(mode))


def fp_from_bits(sort: Sort, term: Term) -> Term:
    """A bit-vector read as an IEEE pattern."""
    target = _require_float(sort)
    if _require_bits(term) != target.width:
        raise SortError(f"{target} has {target.width} bits, got {term!r} of sort {term.sort}")
    return fold(Op.FP_FROM_BITS, (term,), target)


def fp_to_sbv(width: int, term: Term, mode: str = "RTZ") -> Term:
    """The integer nearest to it, as two's complement (C's cast with "RTZ"); 0 if out of range."""
    float_sort(term)
    return fold(Op.FP_TO_SBV, (term,), BitVec(width), (_require_mode(mode), width))


def fp_to_ubv(width: int, term: Term, mode: str = "RTZ") -> Term:
    """The integer nearest to it, unsigned; 0 if out of range."""
    float_sort(term)
    return fold(Op.FP_TO_UBV, (term,), BitVec(width), (_require_mode(mode), width))


def fp_to_real(term: Term) -> Term:
    """Its number; 0 for NaN and the infinities."""
    float_sort(term)
    return fold(Op.FP_TO_REAL, (term,), REAL)


def double(value: float) -> Term:
    """A Float64 constant, the same as Python's."""
    return fp_const(value, FLOAT64)
