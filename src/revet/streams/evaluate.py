"""What the operators do to values: the reference semantics, in Python's own numbers.

Every operator is total. Machine integers wrap; division by zero gives 0 and the remainder is then
the dividend; a shift by the width or more moves every bit out; a float that no integer of the type
is near to (NaN, infinities, out of range) is cast to 0. Floats are IEEE's, rounded to nearest: single
precision is computed in double and rounded once more, which for these operators is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from revet.logic.semantics import truncated_div, truncated_rem
from revet.logic.softfloat import round_rational
from revet.streams.types import Scalar, Value


def apply_operator(operator: str, type_: Scalar, types: Sequence[Scalar], values: Sequence[Any]) -> Value:
    """``type_`` is the result's, ``types`` are the arguments'."""
    if operator == "mux":
        return values[1] if values[0] else values[2]
    if operator in _COMPARE:
        return _COMPARE[operator](*values)
    if operator == "cast":
        return cast(values[0], types[0], type_)
    if type_.kind == "bool":
        return _LOGIC[operator](*values)
    if type_.kind == "float":
        return type_.round(_float(operator, values))
    if type_.kind == "real":
        return _real(operator, values)
    if operator == "shl":
        return type_.wrap(values[0] << values[1]) if values[1] < type_.width else 0
    if operator == "shr":
        return int(values[0] >> min(values[1], type_.width))
    return type_.wrap(_INTEGER[operator](*values))


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda x, y: bool(x == y),
    "lt": lambda x, y: bool(x < y),
    "le": lambda x, y: bool(x <= y),
}
_LOGIC: dict[str, Callable[..., bool]] = {
    "not": lambda x: not x,
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
    "xor": lambda x, y: x is not y,
}
_INTEGER: dict[str, Callable[..., int]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "neg": lambda x: -x,
    "abs": abs,
    "div": lambda x, y: x // y if y else 0,
    "mod": lambda x, y: x % y if y else x,
    "quot": lambda x, y: truncated_div(x, y) if y else 0,
    "rem": lambda x, y: truncated_rem(x, y) if y else x,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "not": lambda x: ~x,
}


def _float(operator: str, values: Sequence[float]) -> float:
    x = values[0]
    match operator:
        case "add":
            return x + values[1]
        case "sub":
            return x - values[1]
        case "mul":
            return x * values[1]
        case "fdiv":
            return _divide(x, values[1])
        case "neg":
            return -x
        case "abs":
            return abs(x)
        case "floor" | "ceil":
            if not math.isfinite(x):
                return x
            whole = math.floor(x) if operator == "floor" else math.ceil(x)
            return math.copysign(float(whole), x)
    return _library(operator, *values)


INEXACT = frozenset(
    ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
     "log", "sqrt", "pow", "atan2"]
)  # what of Reals is shown rounded, and decides nothing


def _real(operator: str, values: Sequence[Fraction]) -> Fraction:
    """Exact, but for the functions of ``INEXACT``: rounded as doubles are, 0 where they have no value."""
    if operator == "fdiv":
        return values[0] / values[1] if values[1] else Fraction(0)
    if operator in ("floor", "ceil"):
        return Fraction(math.floor(values[0]) if operator == "floor" else math.ceil(values[0]))
    if operator in INEXACT:
        found = _library(operator, *map(float, values))
        return Fraction(found) if math.isfinite(found) else Fraction(0)
    return Fraction(_INTEGER[operator](*values))


def _divide(x: float, y: float) -> float:
    if y:
        return x / y
    if x == 0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def _library(name: str, *values: float) -> float:
    """C's functions: outside of their domains NaN, at poles and beyond the range infinite."""
    x = values[0]
    if name == "log" and x == 0:
        return -math.inf
    if name == "atanh" and abs(x) == 1:
        return math.copysign(math.inf, x)
    if name == "pow":
        return _power(*values)
    try:
        return float(getattr(math, name)(*values))
    except ValueError:
        return math.nan
    except OverflowError:
        return -math.inf if name == "sinh" and x < 0 else math.inf


def _power(x: float, y: float) -> float:
    """C's ``pow``: a negative number or zero to an odd power keeps its sign, also where it is infinite."""
    try:
        return math.pow(x, y)
    except (ValueError, OverflowError):
        if x < 0 and math.isfinite(y) and y != math.floor(y):
            return math.nan
        odd = math.fmod(y, 2.0) in (1.0, -1.0)
        return math.copysign(math.inf, x) if odd else math.inf


def cast(value: Any, source: Scalar, target: Scalar) -> Value:
    if target.kind == "real":
        return Fraction(value)
    if target.kind == "float":
        return _to_float(value, target) if source.kind != "float" else target.round(value)
    if source.kind == "float":
        whole = math.trunc(value) if math.isfinite(value) else 0
        return whole if target.low <= whole <= target.high else 0
    return target.wrap(int(value))


def _to_float(value: int, target: Scalar) -> float:
    """One rounding: through double, a 64-bit integer would be rounded twice."""
    return float(target.from_logic(round_rational(Fraction(int(value)), "RNE", target.float_sort)))
