"""Lustre's operators on Python's numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from revet.frontends.lustre.core import Op
from revet.frontends.lustre.types import INT, REAL, Machine, Type
from revet.logic.semantics import euclidean_div, euclidean_mod, truncated_div, truncated_rem


def wrapped(value: int, type_: Machine) -> int:
    value &= (1 << type_.width) - 1
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) else value


def operate(expr: Op, values: list[Any]) -> Any:
    """An operator applied to values; equality is not here, nor division of numbers by zero."""
    operator, type_ = expr.operator, expr.arguments[0].type
    if operator == "#":
        return sum(map(bool, values)) <= 1
    if operator == "convert":
        return _converted(values[0], expr.type)
    if operator == "extract":
        assert expr.bits is not None
        high, low = expr.bits
        return (int(values[0]) >> low) & ((1 << (high - low + 1)) - 1)
    if len(values) == 1:
        return _unary(operator, values[0], type_)
    left, right = values
    if operator in _LOGIC:
        return _LOGIC[operator](left, right)
    if operator == "++":
        second = expr.arguments[1].type
        assert isinstance(second, Machine)
        return (left << second.width) | right
    if isinstance(type_, Machine):
        return wrapped(_machine(operator, int(left), int(right), type_), type_)
    if operator == "/":
        return Fraction(left) / Fraction(right)
    if operator in ("div", "mod"):
        return (euclidean_div if operator == "div" else euclidean_mod)(int(left), int(right))
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right}[operator]()


def _converted(value: Any, target: Type) -> Any:
    if target == REAL:
        return Fraction(value)
    whole = value.__floor__()
    if target == INT:
        return whole
    assert isinstance(target, Machine)
    return wrapped(whole, target)


def _unary(operator: str, value: Any, type_: Type) -> Any:
    if operator == "not":
        return not value
    if isinstance(type_, Machine):
        return wrapped(-int(value) if operator == "-" else ~int(value), type_)
    return -value


def _machine(operator: str, x: int, y: int, type_: Machine) -> int:
    if operator == "div":
        if y == 0:
            return 1 if x < 0 else -1
        return truncated_div(x, y)
    if operator == "mod":
        return truncated_rem(x, y) if y else x
    if operator == "lsh":
        return x << y if y < type_.width else 0
    if operator == "rsh":
        return x >> y
    return {"+": x + y, "-": x - y, "*": x * y, "&&": x & y, "||": x | y}[operator]


_LOGIC: dict[str, Callable[[Any, Any], bool]] = {
    "and": lambda x, y: bool(x and y), "or": lambda x, y: bool(x or y), "xor": lambda x, y: x is not y,
    "=>": lambda x, y: bool(not x or y),
    "<": lambda x, y: x < y, "<=": lambda x, y: x <= y, ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
}
