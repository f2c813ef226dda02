"""Floating point: C's float and double as IEEE 754 binary32 and binary64, rounding to nearest.

``long double`` is the x87's format: 15 bits of exponent and a significand of 64, whose first bit is written
out in memory and determined by the others. Arithmetic in a wider intermediate format (x87 for float and
double, as gcc has it on i386) is not modelled: expressions are evaluated in their type, and for i386 the
answer says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.checks import Check
from revet.frontends.c.lower.arithmetic import NeedsBitVectors
from revet.frontends.c.lower.rounding import rounded
from revet.frontends.c.types import CType, Floating, Int
from revet.logic import build as b
from revet.logic import floats as fp
from revet.logic.sorts import EXTENDED, FLOAT32, FLOAT64, FloatSort
from revet.logic.terms import TRUE, Op, Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.context import Context


_SORTS = {32: FLOAT32, 64: FLOAT64, 80: EXTENDED}


def sort_of(type: Floating) -> FloatSort:
    return _SORTS[type.bits]


def zero(type: Floating) -> Term:
    return fp.fp_zero(sort_of(type))


def number(type: Floating, value: int) -> Term:
    return fp.fp_const(value, sort_of(type))


def constant(node: ast.FloatConst) -> Term:
    """The literal, rounded once (not through double)."""
    assert isinstance(node.type, Floating)
    return fp.fp_const(node.exact, sort_of(node.type))


def non_zero(value: Term) -> Term:
    return b.not_(fp.fp_is_zero(value))


def negate(value: Term) -> Term:
    return fp.fp_neg(value)


_NO_EXCESS = "float and double have the precision of their type (gcc for i386 needs -mfpmath=sse for that)"


def binary(context: Context, op: str, left: Term, right: Term) -> Term:
    if context.model.pointer_size == 4 and left.sort is not EXTENDED:
        context.assumptions.setdefault(_NO_EXCESS)
    operators = {"+": fp.fp_add, "-": fp.fp_sub, "*": fp.fp_mul, "/": fp.fp_div}
    return rounded(context, lambda mode: operators[op](left, right, mode))


def compare(op: str, left: Term, right: Term) -> Term:
    match op:
        case "==":
            return fp.fp_eq(left, right)
        case "!=":
            return b.not_(fp.fp_eq(left, right))
        case "<":
            return fp.fp_lt(left, right)
        case "<=":
            return fp.fp_le(left, right)
        case ">":
            return fp.fp_lt(right, left)
    return fp.fp_le(right, left)


def convert(context: Context, value: Term, source: CType, target: CType, at: Position) -> Term:
    if isinstance(source, Floating) and isinstance(target, Floating):
        if source.bits <= target.bits:
            return fp.fp_to_fp(sort_of(target), value)
        return rounded(context, lambda mode: fp.fp_to_fp(sort_of(target), value, mode))
    if isinstance(target, Floating) and isinstance(source, Int):
        return _from_integer(context, value, source, target)
    if isinstance(source, Floating) and isinstance(target, Int):
        return _to_integer(context, value, target, at)
    raise context.unsupported(at, f"a conversion from {source} to {target} is not modelled")


def _from_integer(context: Context, value: Term, source: Int, target: Floating) -> Term:
    sort = sort_of(target)
    if value.op == Op.CONST:
        number = value.payload
        return rounded(context, lambda mode: fp.fp_const(source.wrap(number), sort, mode))
    if context.arithmetic.name != "bv":
        raise NeedsBitVectors("integer to float")
    read = fp.fp_from_sbv if source.signed else fp.fp_from_ubv
    if source.bits <= sort.significand:
        return read(sort, value)
    return rounded(context, lambda mode: read(sort, value, mode))


def _to_integer(context: Context, value: Term, target: Int, at: Position) -> Term:
    """Truncation; a value that does not fit becomes any integer (C17 F.4: unspecified)."""
    if target.boolean:
        return context.arithmetic.from_truth(target, non_zero(value))
    if context.arithmetic.name != "bv":
        raise NeedsBitVectors("float to integer")
    sort = value.sort
    # least - 1 < value < greatest + 1, with bounds that the format can represent exactly or
    # rounds outwards; comparing the truncated value with the range is exact.
    truncated = fp.fp_round(value, "RTZ")
    low = fp.fp_const(target.least, sort, "RTP")
    high = fp.fp_const(target.greatest, sort, "RTN")
    fits = b.and_(fp.fp_le(low, truncated), fp.fp_le(truncated, high))
    converted = fp.fp_to_sbv(target.bits, value) if target.signed else fp.fp_to_ubv(target.bits, value)
    if fits is TRUE:
        return converted
    context.require_if_checked(fits, Check.CONVERSION, at)
    other = context.temporary((value, target), "unspecified", target)
    context.flow.havoc(other)
    return b.ite(fits, converted, other)
