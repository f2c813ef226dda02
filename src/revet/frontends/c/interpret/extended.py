"""Library functions on ``long double``, and for all types those that round or tell values apart.

Arithmetic is exact, on fractions, and rounded to 64 bits of significand.

Finite values but zeros are fractions, everything else Python floats (``interpret/floating.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.floating import Number, fused, is_special, negate, root, rounded, whole
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.library.rounding import GET, MODES, NUMBERS, OTHER_NUMBERS, SET, numbers_known

_BITS = 80
_WIDTHS = (("", 64), ("f", 32), ("l", 80))
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


def _infinite(value: Number) -> int:
    return (1 if value > 0 else -1) if is_special(value) and value == value else 0


_ONE: dict[str, Callable[[Number], Any]] = {
    "fabs": lambda v: _with_sign(v, False), "floor": _whole(math.floor), "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc), "round": _whole(_away),
}
_BY_MODE: dict[str, Callable[[Number, int, str], Number]] = {"sqrt": root, "rint": whole, "nearbyint": whole}
_KINDS: dict[str, Callable[[Number], int]] = {  # of a value of any of the formats
    "isnan": lambda v: int(v != v), "__isinf": _infinite, "isinf_sign": _infinite,
    "finite": lambda v: int(not is_special(v)), "isfinite": lambda v: int(not is_special(v)),
}
_NONE: dict[str, float] = {"nan": math.nan, "inf": math.inf, "huge_val": math.inf}


def _of_one(function: Callable[[Number], Any]) -> Function:
    return lambda m, arguments, at: function(arguments[0])


def _of_mode(function: Callable[[Number, int, str], Number], bits: int) -> Function:
    return lambda m, arguments, at: function(arguments[0], bits, m.rounding)


def _fused(bits: int) -> Function:
    return lambda m, arguments, at: fused(arguments[0], arguments[1], arguments[2], bits, m.rounding)


def _scaled(bits: int) -> Function:
    """``ldexp``."""

    def run(m: Machine, arguments: list[Any], at: Position) -> Number:
        value, exponent = arguments[0], max(-40000, min(40000, arguments[1]))
        if is_special(value) or value == 0:
            return value  # type: ignore[no-any-return]
        return rounded(Fraction(value) * Fraction(2) ** exponent, bits, m.rounding)

    return run


def _set_rounding(m: Machine, arguments: list[Any], at: Position) -> int:
    """``fesetround``."""
    if not numbers_known():
        raise Stop("unsupported", OTHER_NUMBERS, at)
    if arguments[0] not in MODES:
        return 1
    m.rounding = MODES[arguments[0]]
    return 0


def signed(m: Machine, value: Number, at: Position) -> Number:
    """The number, whose sign is asked for."""
    if value != value:
        m.unspecified("the sign of a NaN is asked for", at)
    return value


def _copysign(m: Machine, arguments: list[Any], at: Position) -> Number:
    return _with_sign(arguments[0], is_negative(signed(m, arguments[1], at)))


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
        *((name + suffix, _of_mode(function, bits)) for name, function in _BY_MODE.items()
          for suffix, bits in _WIDTHS),
        *((f"fma{suffix}", _fused(bits)) for suffix, bits in _WIDTHS[:2]),
        *((name + suffix, _scaled(bits)) for name in ("ldexp", "scalbn", "scalbln")
          for suffix, bits in _WIDTHS[:2]),
        (SET, _set_rounding), (GET, lambda m, arguments, at: NUMBERS[m.rounding]),
        ("copysignl", _copysign),
        *((f"{name}l", _of_none(value)) for name, value in _NONE.items()),
        *((f"fmin{suffix}", _extreme(lambda a, b: a < b)) for suffix in ("", "f", "l")),
        *((f"fmax{suffix}", _extreme(lambda a, b: a > b)) for suffix in ("", "f", "l")),
        *((name + suffix, _of_one(kind)) for name, kind in _KINDS.items() for suffix in ("", "f", "l")),
    )
    for spelling in (name, f"__{name}", f"__builtin_{name}")
}
"""By name, as in ``floorl``, ``__isnanl`` and ``__builtin_fabsl``; what rounds by the mode or tells values
apart, ``fmin`` and ``fmax`` for all types."""
