"""The meaning of every operator on values: the reference semantics.

Constant folding, evaluation and, through tests, every solver translation agree with this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor, prod
from typing import Any

from revet.logic.sorts import BitVecSort, FloatSort, Sort
from revet.logic.terms import Op
from revet.logic.values import ArrayValue, Value, same


def euclidean_div(a: int, b: int) -> int:
    """SMT-LIB ``div``: the remainder is never negative. By zero: 0."""
    if b == 0:
        return 0
    return a // b if b > 0 else -(a // -b)


def euclidean_mod(a: int, b: int) -> int:
    """SMT-LIB ``mod``: in ``range(abs(b))``. By zero: ``a``."""
    return a if b == 0 else a % abs(b)


def truncated_div(a: int, b: int) -> int:
    """C's ``/`` on integers: rounds towards zero. ``b`` must not be 0."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def truncated_rem(a: int, b: int) -> int:
    """C's ``%``: the sign is that of ``a``. ``b`` must not be 0."""
    return a - b * truncated_div(a, b)


def to_signed(value: int, width: int) -> int:
    """The two's complement reading of a bit pattern."""
    return value - (1 << width) if value >> (width - 1) else value


def _bvsdiv(a: int, b: int, width: int) -> int:
    sa, sb = to_signed(a, width), to_signed(b, width)
    if sb == 0:  # SMT-LIB: bvsdiv by zero is -1 or 1, by the sign of a
        return 1 if sa < 0 else (1 << width) - 1
    return truncated_div(sa, sb) & ((1 << width) - 1)


def _bvsrem(a: int, b: int, width: int) -> int:
    sa, sb = to_signed(a, width), to_signed(b, width)
    return a if sb == 0 else truncated_rem(sa, sb) & ((1 << width) - 1)


def _bvsmod(a: int, b: int, width: int) -> int:
    sa, sb = to_signed(a, width), to_signed(b, width)
    return a if sb == 0 else (sa % sb) & ((1 << width) - 1)


def _bvashr(a: int, b: int, width: int) -> int:
    return (to_signed(a, width) >> min(b, width)) & ((1 << width) - 1)


# Operators on two bit-vectors of one width, as functions of the unsigned readings and the width.
_BITVECTOR: dict[str, Callable[[int, int, int], Value]] = {
    Op.BVADD: lambda a, b, w: (a + b) & ((1 << w) - 1),
    Op.BVSUB: lambda a, b, w: (a - b) & ((1 << w) - 1),
    Op.BVMUL: lambda a, b, w: (a * b) & ((1 << w) - 1),
    Op.BVUDIV: lambda a, b, w: a // b if b else (1 << w) - 1,
    Op.BVUREM: lambda a, b, w: a % b if b else a,
    Op.BVSDIV: _bvsdiv,
    Op.BVSREM: _bvsrem,
    Op.BVSMOD: _bvsmod,
    Op.BVAND: lambda a, b, w: a & b,
    Op.BVOR: lambda a, b, w: a | b,
    Op.BVXOR: lambda a, b, w: a ^ b,
    Op.BVSHL: lambda a, b, w: (a << b) & ((1 << w) - 1) if b < w else 0,
    Op.BVLSHR: lambda a, b, w: a >> b if b < w else 0,
    Op.BVASHR: _bvashr,
    Op.BVULT: lambda a, b, w: a < b,
    Op.BVULE: lambda a, b, w: a <= b,
    Op.BVSLT: lambda a, b, w: to_signed(a, w) < to_signed(b, w),
    Op.BVSLE: lambda a, b, w: to_signed(a, w) <= to_signed(b, w),
}

# The remaining operators, as functions of (values, payload).
_GENERAL: dict[str, Callable[[Sequence[Any], Any], Value]] = {
    Op.NOT: lambda v, p: not v[0],
    Op.AND: lambda v, p: all(v),
    Op.OR: lambda v, p: any(v),
    Op.ITE: lambda v, p: v[1] if v[0] else v[2],
    Op.ADD: lambda v, p: sum(v[1:], v[0]),
    Op.MUL: lambda v, p: prod(v[1:], start=v[0]),
    Op.DIV: lambda v, p: euclidean_div(v[0], v[1]),
    Op.MOD: lambda v, p: euclidean_mod(v[0], v[1]),
    Op.RDIV: lambda v, p: v[0] / v[1] if v[1] else Fraction(0),
    Op.LE: lambda v, p: bool(v[0] <= v[1]),
    Op.LT: lambda v, p: bool(v[0] < v[1]),
    Op.TO_REAL: lambda v, p: Fraction(v[0]),
    Op.TO_INT: lambda v, p: floor(v[0]),
    Op.EXTRACT: lambda v, p: (v[0] >> p[1]) & ((1 << (p[0] - p[1] + 1)) - 1),
    Op.ZERO_EXTEND: lambda v, p: v[0],
    Op.BV2NAT: lambda v, p: v[0],
    Op.INT2BV: lambda v, p: v[0] % (1 << p),
    Op.SELECT: lambda v, p: v[0].select(v[1]),
    Op.STORE: lambda v, p: v[0].store(v[1], v[2]),
    Op.CONST_ARRAY: lambda v, p: ArrayValue(v[0]),
}


def apply_operator(
    op: str, payload: Any, sort: Sort, arg_sorts: Sequence[Sort], values: Sequence[Any]
) -> Value:
    """The value of ``op`` on ``values``; ``sort`` is the result's sort."""
    general = _GENERAL.get(op)
    if general is not None:
        return general(values, payload)
    first = arg_sorts[0]
    if op == Op.EQ:
        return same(values[0], values[1], first)
    if isinstance(first, BitVecSort):
        width = first.width
        binary = _BITVECTOR.get(op)
        if binary is not None:
            return binary(values[0], values[1], width)
        if op == Op.BVNEG:
            return int(-values[0] & ((1 << width) - 1))
        if op == Op.BVNOT:
            return int(values[0] ^ ((1 << width) - 1))
        if op == Op.CONCAT:
            second = arg_sorts[1]
            assert isinstance(second, BitVecSort)
            return int(values[0] << second.width | values[1])
        if op == Op.SIGN_EXTEND:
            assert isinstance(sort, BitVecSort)
            return to_signed(values[0], width) & ((1 << sort.width) - 1)
    if isinstance(first, FloatSort) or isinstance(sort, FloatSort):
        from revet.logic import softfloat

        return softfloat.apply_operator(op, payload, sort, arg_sorts, values)
    raise TypeError(f"no meaning for operator {op}")
