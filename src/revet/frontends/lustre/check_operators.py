"""The type checker on operators: arithmetic, comparisons, connectives, conversions, sets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from revet.errors import InputError, Position
from revet.frontends.lustre.core import Arrow, Const, Expr, If, In, Join, Op, Pre, SetOp
from revet.frontends.lustre.fold import fold, number
from revet.frontends.lustre.types import (
    BOOL,
    INT,
    REAL,
    ArrayOf,
    Machine,
    MapOf,
    SetOf,
    Type,
    compatible,
    is_number,
)
from revet.logic.values import rational

if TYPE_CHECKING:
    from revet.frontends.lustre.check_types import Types

_LOGIC = {"and", "or", "xor", "=>"}
_LAZY = {"and then": "and", "or else": "or", "==>": "=>"}
_ORDER = {"<", "<=", ">", ">="}
_ARITHMETIC = {"+", "-", "*", "/", "div", "mod"}
_BITS = {"&&", "||"}


def literal(text: str, position: Position) -> Expr:
    """``true``, ``12``, ``0x1f``, ``1.5e3``, ``0x1.8p-3``."""
    if text in ("true", "false"):
        return Const(position, BOOL, text == "true")
    if text[:2] in ("0x", "0X"):
        return _hexadecimal(text[2:], position)
    if text.isdigit():
        return Const(position, INT, int(text))
    return Const(position, REAL, rational(text.lower().replace(".e", "e").rstrip(".")))


def _hexadecimal(digits: str, position: Position) -> Expr:
    mantissa, p, exponent = digits.lower().partition("p")
    if "." not in mantissa and not p:
        return Const(position, INT, int(mantissa, 16))
    whole, _, part = mantissa.partition(".")
    value = Fraction(int(whole + part or "0", 16), 16 ** len(part))
    return Const(position, REAL, value * Fraction(2) ** int(exponent or "0"))


class Operators:
    def __init__(self, types: Types) -> None:
        self.types = types

    def _error(self, message: str, position: Position) -> InputError:
        return self.types.error(message, position)

    def unary(self, operator: str, value: Expr, at: Position) -> Expr:
        type_ = value.type
        if operator == "pre":
            return Pre(at, type_, value)
        if operator == "not":
            self.require(value, BOOL, "'not'")
        elif operator == "!":
            if not isinstance(type_, Machine):
                raise self._error(f"'!' takes a machine integer, this is a {type_}", at)
        elif not is_number(type_):
            raise self._error(f"'-' takes a number, this is a {type_}", at)
        return Op(at, type_, operator, (value,))

    def require(self, value: Expr, type_: Type, what: str) -> None:
        if not compatible(value.type, type_):
            raise self._error(f"{what} takes a {type_}, this is a {value.type}", value.position)

    def binary(self, operator: str, left: Expr, right: Expr, at: Position) -> Expr:
        if operator == "in":
            return self._membership(left, right, at)
        if operator in _LAZY or operator in _LOGIC:
            self.require(left, BOOL, f"'{operator}'")
            self.require(right, BOOL, f"'{operator}'")
            return self._lazy(operator, left, right, at) if operator in _LAZY else Op(
                at, BOOL, operator, (left, right)
            )
        if operator in ("lsh", "rsh"):
            return self._shift(operator, left, right, at)
        if operator == "++":
            return self._concatenation(left, right, at)
        if operator == "|":
            return self._join(left, right, at)
        if isinstance(left.type, (SetOf, MapOf)) and operator in ("+", "-", "*"):
            return self._set(operator, left, right, at)
        if not compatible(left.type, right.type):
            raise self._error(f"'{operator}' of a {left.type} and a {right.type}", at)
        if operator in ("=", "<>"):
            return Op(at, BOOL, operator, (left, right))
        if operator == "->":
            return Arrow(at, left.type, left, right)
        if operator == "fby":
            return Arrow(at, left.type, left, Pre(at, right.type, right))
        return self._numbers(operator, left, right, at)

    def _numbers(self, operator: str, left: Expr, right: Expr, at: Position) -> Expr:
        type_ = left.type
        if operator in _BITS:
            if not isinstance(type_, Machine):
                raise self._error(f"'{operator}' takes machine integers, this is a {type_}", at)
            return Op(at, type_, operator, (left, right))
        if operator not in _ORDER | _ARITHMETIC:
            raise self._error(f"'{operator}' is not an operator", at)
        if not is_number(type_):
            raise self._error(f"'{operator}' takes numbers, this is a {type_}", at)
        if operator in ("div", "mod") and type_ == REAL:
            raise self._error(f"'{operator}' takes integers, this is a real", at)
        if operator in _ORDER:
            return Op(at, BOOL, operator, (left, right))
        if operator == "/" and type_ != REAL:
            operator = "div"
        return Op(at, type_, operator, (left, right))

    def _lazy(self, operator: str, left: Expr, right: Expr, at: Position) -> Expr:
        false, true = Const(at, BOOL, False), Const(at, BOOL, True)
        match operator:
            case "and then":
                return If(at, BOOL, left, right, false, True)
            case "or else":
                return If(at, BOOL, left, true, right, True)
        return If(at, BOOL, left, right, true, True)

    def _membership(self, left: Expr, right: Expr, at: Position) -> Expr:
        match right.type:
            case SetOf(element=key) | MapOf(key=key):
                self.require(left, key, "'in'")
                return In(at, BOOL, left, right)
        raise self._error(f"'in' takes a set or a map, this is a {right.type}", right.position)

    def _set(self, operator: str, left: Expr, right: Expr, at: Position) -> Expr:
        if isinstance(left.type, MapOf):
            if operator != "-":
                raise self._error(f"'{operator}' of maps", at)
            self.require(right, SetOf(left.type.key), "'-'")
        else:
            self.require(right, left.type, f"'{operator}'")
        return SetOp(at, left.type, operator, left, right)

    def _shift(self, operator: str, left: Expr, right: Expr, at: Position) -> Expr:
        if not isinstance(left.type, Machine):
            raise self._error(f"'{operator}' takes a machine integer, this is a {left.type}", at)
        self.require(right, Machine(left.type.width, False), f"'{operator}'")
        if not isinstance(right, Op) or right.operator != "convert" or number(right.arguments[0]) is None:
            raise self._error(f"'{operator}' takes a constant number of bits", right.position)
        return Op(at, left.type, operator, (left, right))

    def _concatenation(self, left: Expr, right: Expr, at: Position) -> Expr:
        x, y = left.type, right.type
        if not isinstance(x, Machine) or not isinstance(y, Machine) or x.signed or y.signed:
            raise self._error(f"'++' takes unsigned machine integers, not {x} and {y}", at)
        return Op(at, Machine(x.width + y.width, False), "++", (left, right))

    def extract(self, value: Expr, high: Expr, low: Expr, at: Position) -> Expr:
        """``x[7:0]``"""
        top, bottom = number(high), number(low)
        if not isinstance(value.type, Machine) or value.type.signed:
            raise self._error(f"bits are taken of an unsigned machine integer, this is a {value.type}", at)
        if top is None or bottom is None or not 0 <= bottom <= top < value.type.width:
            raise self._error(f"there are no such bits in a {value.type}", at)
        return Op(at, Machine(top - bottom + 1, False), "extract", (value,), (top, bottom))

    def _join(self, left: Expr, right: Expr, at: Position) -> Expr:
        x, y = left.type, right.type
        if not isinstance(x, ArrayOf) or not isinstance(y, ArrayOf) or not compatible(x.element, y.element):
            raise self._error(f"'|' takes arrays, not {x} and {y}", at)
        size = fold(Op(at, INT, "+", (x.size, y.size)))
        return Join(at, ArrayOf(x.element, size), left, right)

    def convert(self, target: Type, value: Expr, at: Position) -> Expr:
        if not is_number(value.type) or not is_number(target):
            hint = ": put the conversion in parentheses" if value.type == BOOL else ""
            raise self._error(f"a {value.type} cannot be converted to {target}{hint}", at)
        return Op(at, target, "convert", (value,))

    def at_most_one(self, values: list[Expr], at: Position) -> Expr:
        for value in values:
            self.require(value, BOOL, "'#'")
        return Op(at, BOOL, "#", tuple(values))
