"""Operators of SMT-LIB on bit-vectors, as the interpreter computes them: integers modulo powers of two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from revet.frontends.kit.bits import sdiv, signed, smod, srem

_ARITHMETIC: dict[str, Callable[[int, int, int], int]] = {
    "bvadd": lambda a, b, w: a + b,
    "bvsub": lambda a, b, w: a - b,
    "bvmul": lambda a, b, w: a * b,
    "bvudiv": lambda a, b, w: a // b if b else -1,
    "bvurem": lambda a, b, w: a % b if b else a,
    "bvsdiv": sdiv,
    "bvsrem": srem,
    "bvsmod": smod,
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvnand": lambda a, b, w: ~(a & b),
    "bvnor": lambda a, b, w: ~(a | b),
    "bvxnor": lambda a, b, w: ~(a ^ b),
    "bvshl": lambda a, b, w: a << min(b, w),
    "bvlshr": lambda a, b, w: a >> min(b, w),
    "bvashr": lambda a, b, w: signed(a, w) >> min(b, w),
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}


def bits(operator: str, indices: Sequence[int], arguments: Sequence[Any], widths: Sequence[int]) -> Any:
    """``arguments`` are unsigned readings with their widths, and so is the result."""
    first, width = arguments[0], widths[0]
    match operator:
        case "not":
            return not first
        case "bvneg":
            return -first % (1 << width)
        case "bvnot":
            return ~first % (1 << width)
        case "concat":
            return first << widths[1] | arguments[1]
        case "zero_extend":
            return first
        case "sign_extend":
            return signed(first, width) % (1 << (width + indices[0]))
        case "extract":
            return (first >> indices[1]) % (1 << (indices[0] - indices[1] + 1))
    second = arguments[1]
    if operator in _ARITHMETIC:
        return _ARITHMETIC[operator](first, second, width) % (1 << width)
    compare = _COMPARISONS[operator[3:]]
    if operator[2] == "s":
        return compare(signed(first, width), signed(second, width))
    return compare(first, second)
