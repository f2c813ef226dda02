"""Library functions on ``long double``, and those that tell values of any type apart.

Arithmetic is exact, on fractions, and rounded to 64 bits of significand.

Finite values but zeros are fractions, everything else Python floats (``interpret/floating.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.floating import Number, is_special, negate, rounded
from revet.frontends.c.interpret.machine import Machine

_BITS = 80
Function = Callable[[Machine, list[Any], Position], Any]


def is_negative(value: Number) -> bool:
    """Is the sign bit set?"""
    return value < 0 if isinstance(value, Fraction) else math.copysign(1.0, value) < 0


def _with_sign(value: Number, negative: bool) -> Number:
    return value if is_negative(value) is negative else negate(value)


def _whole(function: Callable[[Fraction], int]) -> Callable[[Number], Number]:
    """A function to whole numbers, which keeps the sign of what becomes zero."""

    def run(value: Number) -> Number:
        if is_special(value) or value == 0:
            return value
        return _with_sign(rounded(Fraction(function(Fraction(value))), _BITS), is_negative(value))

    return run


def _away(value: Fraction) -> int:
    whole = math.floor(abs(value) + Fraction(1, 2))
    return whole if value > 0 else -whole


def _root(value: Number) -> Number:
    if value == 0 or (is_special(value) and not value < 0):
        return value
    if value < 0:
        return math.nan
    exact = Fraction(value)
    shift = 2 * ((200 + exact.denominator.bit_length()) // 2)  # at least 100 bits of the root are whole
    scaled = exact * 2**shift
    root = math.isqrt(math.floor(scaled))
    beyond = 0 if root * root == scaled else Fraction(1, 2)  # between two numbers, neither of them a tie
    return rounded((root + beyond) / Fraction(2) ** (shift // 2), _BITS)


def _infinite(value: Number) -> int:
    return (1 if value > 0 else -1) if is_special(value) and value == value else 0


_ONE: dict[str, Callable[[Number], Any]] = {
    "fabs": lambda v: _with_sign(v, False), "floor": _whole(math.floor), "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc), "round": _whole(_away), "rint": _whole(round), "nearbyint": _whole(round),
    "sqrt": _root,
}
_KINDS: dict[str, Callable[[Number], int]] = {  # of a value of any of the formats
    "isnan": lambda v: int(v != v), "isinf": _infinite, "isinf_sign": _infinite,
    "finite": lambda v: int(not is_special(v)),
    "isfinite": lambda v: int(not is_special(v)), "signbit": lambda v: int(is_negative(v)),
}
_TWO: dict[str, Callable[[Number, Number], Number]] = {
    "copysign": lambda a, b: _with_sign(a, is_negative(b)),
}
_NONE: dict[str, float] = {"nan": math.nan, "inf": math.inf, "huge_val": math.inf}


def _of_one(function: Callable[[Number], Any]) -> Function:
    return lambda m, arguments, at: function(arguments[0])


def _of_two(function: Callable[[Number, Number], Number]) -> Function:
    return lambda m, arguments, at: function(arguments[0], arguments[1])


def _extreme(better: Callable[[Number, Number], bool]) -> Function:
    """``fmin`` and ``fmax``; which of two zeros they give is the library's choice."""

    def run(m: Machine, arguments: list[Any], at: Position) -> Number:
        left, right = arguments
        if left == 0 and right == 0 and is_negative(left) != is_negative(right):
            m.unspecified("the smaller or larger of 0.0 and -0.0 is either", at)
        chosen: Number = left if right != right or better(left, right) else right
        return chosen

    return run


def _of_none(value: float) -> Function:
    return lambda m, arguments, at: value


FUNCTIONS: dict[str, Function] = {
    spelling: made
    for name, made in (
        *((f"{name}l", _of_one(one)) for name, one in _ONE.items()),
        *((f"{name}l", _of_two(two)) for name, two in _TWO.items()),
        *((f"{name}l", _of_none(value)) for name, value in _NONE.items()),
        *((f"fmin{suffix}", _extreme(lambda a, b: a < b)) for suffix in ("", "f", "l")),
        *((f"fmax{suffix}", _extreme(lambda a, b: a > b)) for suffix in ("", "f", "l")),
        *((name + suffix, _of_one(kind)) for name, kind in _KINDS.items() for suffix in ("", "f", "l")),
    )
    for spelling in (name, f"__{name}", f"__builtin_{name}")
}
"""By name, as in ``floorl``, ``__isnanl`` and ``__builtin_fabsl``; what tells values apart, ``fmin`` and
``fmax`` for all types."""
