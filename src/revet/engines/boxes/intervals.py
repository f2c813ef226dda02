"""Intervals of floats, with Python's own: an interval is ``(low, high, maybe NaN)``.

All arithmetic rounds to nearest, as C does. Rounding is monotone, so the ends of a sum, a product or
a quotient are rounded values at the corners. Floats of 32 bits are computed with 64 and rounded
again, which for one operation gives the same. What is not a float is one of a few values (a
frozenset), or None, when nothing is known.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from itertools import product
from typing import Any

from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, FLOAT32, FLOAT64, FloatSort, Sort
from revet.logic.terms import Op, Term

Interval = tuple[float, float, bool]
Abstract = Any
"""An :data:`Interval`, a frozenset of a few values, or None."""

ALL: Interval = (-math.inf, math.inf, True)
NAN: Interval = (math.inf, -math.inf, True)
EITHER = frozenset({False, True})
_MOST_VALUES = 16


def unknown(sort: Sort) -> Abstract:
    if sort is FLOAT32 or sort is FLOAT64:
        return ALL
    return EITHER if sort is BOOL else None


def rounded(number: float, sort: Sort) -> float:
    return ctypes.c_float(number).value if sort is FLOAT32 else number


def number_of(bits: int, sort: Sort) -> float:
    pattern, target = ("<I", "<f") if sort is FLOAT32 else ("<Q", "<d")
    found: float = struct.unpack(target, struct.pack(pattern, bits))[0]
    return found


def bits_of(number: float, sort: Sort) -> int:
    pattern, target = ("<I", "<f") if sort is FLOAT32 else ("<Q", "<d")
    found: int = struct.unpack(pattern, struct.pack(target, number))[0]
    return found


def next_up(number: float, sort: Sort) -> float:
    """The next float above a finite one."""
    if sort is FLOAT64:
        return math.nextafter(number, math.inf)
    if number == 0:
        return number_of(1, FLOAT32)
    bits = bits_of(number, FLOAT32)
    return number_of(bits + 1 if number > 0 else bits - 1, FLOAT32)


def middle(low: float, high: float, sort: Sort) -> float:
    """A number between, below ``high``: half-way, or by exponents where that is far away."""
    if abs(low) <= _FAR and abs(high) <= _FAR:
        found = rounded(low / 2 + high / 2, sort)
    else:
        found = rounded(_half_way(low, high), sort)
    return found if low <= found < high else low


_FAR = 1e6


def _half_way(low: float, high: float) -> float:
    """In the middle of the floats between the two, as they are stored."""
    bits = (_rank(low) + _rank(high)) // 2
    return number_of(bits, FLOAT64) if bits >= 0 else -number_of(-bits, FLOAT64)


def _rank(number: float) -> int:
    bits = bits_of(abs(number), FLOAT64)
    return bits if number >= 0 else -bits


def apply(node: Term, args: list[Abstract]) -> Abstract:
    """What is known of a term, from what is known of its arguments."""
    op = node.op
    handler = _HANDLERS.get(op)
    if handler is not None:
        return handler(node, args)
    if op == Op.CONST:
        return _constant(node)
    return _lifted(node, args)


def _constant(node: Term) -> Abstract:
    if node.sort is FLOAT32 or node.sort is FLOAT64:
        number = number_of(node.payload, node.sort)
        return NAN if math.isnan(number) else (number, number, False)
    if isinstance(node.sort, FloatSort):
        return None
    try:
        return frozenset({node.value})
    except TypeError:  # an array
        return None


def _lifted(node: Term, args: list[Abstract]) -> Abstract:
    """All combinations of the arguments' values, if they are few."""
    if node.op in (Op.VAR, Op.APPLY, Op.FORALL, Op.EXISTS):
        return unknown(node.sort)
    few = [_few(arg, term.sort) for arg, term in zip(args, node.args, strict=True)]
    if any(values is None for values in few) or math.prod(map(len, few)) > _MOST_VALUES:
        return unknown(node.sort)
    sorts = [arg.sort for arg in node.args]
    found: list[Any] = [
        apply_operator(node.op, node.payload, node.sort, sorts, list(one)) for one in product(*few)
    ]
    if node.sort is FLOAT32 or node.sort is FLOAT64:
        numbers = [number_of(bits, node.sort) for bits in found]
        known = [number for number in numbers if not math.isnan(number)]
        return min(known, default=math.inf), max(known, default=-math.inf), len(known) < len(numbers)
    try:
        return frozenset(found)
    except TypeError:
        return None


def _few(known: Abstract, sort: Sort) -> Any:
    if not isinstance(known, tuple):
        return known
    low, high, nan = known
    if low == high and low != 0 and not nan:  # of zeros there are two
        return (bits_of(low, sort),)
    return None


def _arithmetic(node: Term, args: list[Abstract]) -> Abstract:
    a, b = args
    if a is None or b is None or node.payload != "RNE" or unknown(node.sort) is not ALL:
        return unknown(node.sort)
    finite = all(map(math.isfinite, (*a[:2], *b[:2])))
    if not finite or (node.op == Op.FP_DIV and b[0] <= 0 <= b[1]):
        return ALL
    compute = _COMPUTE[node.op]
    corners = [compute(x, y) for x in a[:2] for y in b[:2]]
    low, high = min(corners), max(corners)
    if node.op == Op.FP_MUL and node.args[0] is node.args[1] and a[0] <= 0 <= a[1]:
        low = 0.0  # a square
    return rounded(low, node.sort), rounded(high, node.sort), a[2] or b[2]


_COMPUTE: dict[str, Callable[[float, float], float]] = {
    Op.FP_ADD: lambda x, y: x + y,
    Op.FP_SUB: lambda x, y: x - y,
    Op.FP_MUL: lambda x, y: x * y,
    Op.FP_DIV: lambda x, y: x / y,
}


def _comparison(node: Term, args: list[Abstract]) -> Abstract:
    a, b = args
    if a is None or b is None:
        return EITHER
    found = {False} if a[2] or b[2] else set()
    if node.args[0] is node.args[1] and node.op != Op.FP_LT:
        return frozenset(found | ({True} if a[0] <= a[1] else set()))
    if a[0] <= a[1] and b[0] <= b[1]:
        if node.op == Op.FP_LE:
            possible, certain = a[0] <= b[1], a[1] <= b[0]
        elif node.op == Op.FP_LT:
            possible, certain = a[0] < b[1], a[1] < b[0]
        else:
            possible, certain = a[0] <= b[1] and b[0] <= a[1], a[0] == a[1] == b[0] == b[1]
        found |= {True} if possible else set()
        found |= set() if certain else {False}
    return frozenset(found)


def _negation(node: Term, args: list[Abstract]) -> Abstract:
    known = args[0]
    return None if known is None else (-known[1], -known[0], known[2])


def _conversion(node: Term, args: list[Abstract]) -> Abstract:
    """Between ``float`` and ``double``; monotone."""
    known = args[0]
    if known is None or node.payload != "RNE" or unknown(node.sort) is not ALL:
        return unknown(node.sort)
    return rounded(known[0], node.sort), rounded(known[1], node.sort), known[2]


def _is_nan(node: Term, args: list[Abstract]) -> Abstract:
    low, high, nan = args[0] or ALL
    return frozenset(({True} if nan else set()) | ({False} if low <= high else set()))


def _not(node: Term, args: list[Abstract]) -> Abstract:
    return frozenset(not value for value in args[0])


def _and(node: Term, args: list[Abstract]) -> Abstract:
    found = {False} if any(False in arg for arg in args) else set()
    return frozenset(found | ({True} if all(True in arg for arg in args) else set()))


def _or(node: Term, args: list[Abstract]) -> Abstract:
    found = {True} if any(True in arg for arg in args) else set()
    return frozenset(found | ({False} if all(False in arg for arg in args) else set()))


def _choice(node: Term, args: list[Abstract]) -> Abstract:
    condition, yes, no = args
    if len(condition) == 1:
        return yes if True in condition else no
    if yes is None or no is None:
        return unknown(node.sort)
    if isinstance(yes, tuple):
        return min(yes[0], no[0]), max(yes[1], no[1]), yes[2] or no[2]
    return yes | no if len(yes | no) <= _MOST_VALUES else unknown(node.sort)


_HANDLERS = {
    **dict.fromkeys(_COMPUTE, _arithmetic),
    **dict.fromkeys((Op.FP_LE, Op.FP_LT, Op.FP_EQ), _comparison),
    Op.FP_NEG: _negation, Op.FP_FROM_FP: _conversion, Op.FP_IS_NAN: _is_nan,
    Op.NOT: _not, Op.AND: _and, Op.OR: _or, Op.ITE: _choice,
}
