"""Constant folding in the typed program: for sizes of arrays, bounds of subranges and indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from revet.frontends.lustre.core import ArrayDef, At, Const, Expr, Fill, If, Make, Op, Project, Var
from revet.frontends.lustre.types import BOOL, INT
from revet.logic.semantics import euclidean_div, euclidean_mod


def fold(expr: Expr) -> Expr:
    """The expression, as a constant if it is one."""
    match expr:
        case Op(operator=operator, arguments=arguments) if arguments:
            folded = tuple(map(fold, arguments))
            values = [part.value for part in folded if isinstance(part, Const)]
            if len(values) == len(folded) and all(part.type in (INT, BOOL) for part in folded):
                value = _value(operator, values)
                if value is not None:
                    return Const(expr.position, expr.type, value)
            return replace(expr, arguments=folded)
        case If(condition=condition):
            test = fold(condition)
            if isinstance(test, Const):
                return fold(expr.then if test.value else expr.otherwise)
        case Project(argument=argument, index=index):
            inner = fold(argument)
            if isinstance(inner, Make):
                return fold(inner.items[index])
        case At(argument=argument, index=index):
            inner, at = fold(argument), fold(index)
            if isinstance(at, Const) and isinstance(inner, Make) and 0 <= at.value < len(inner.items):
                return fold(inner.items[int(at.value)])
            if isinstance(inner, Fill):
                return fold(inner.argument)
    return expr


def _value(operator: str, values: list[bool | int | Fraction]) -> bool | int | None:
    if len(values) == 1:
        if operator == "not":
            return not values[0]
        return -int(values[0]) if operator == "-" else None
    if len(values) != 2:
        return None
    a, b = values
    if operator in ("div", "mod", "/"):
        if b == 0:
            return None
        return euclidean_mod(int(a), int(b)) if operator == "mod" else euclidean_div(int(a), int(b))
    x, y = int(a), int(b)
    table: dict[str, bool | int] = {
        "+": x + y, "-": x - y, "*": x * y, "=": a == b, "<>": a != b, "<": x < y, "<=": x <= y, ">": x > y,
        ">=": x >= y, "and": bool(a and b), "or": bool(a or b), "xor": bool(a) is not bool(b),
        "=>": bool(not a or b),
    }
    return table.get(operator)


def number(expr: Expr) -> int | None:
    """The value of a constant integer expression."""
    found = fold(expr)
    if isinstance(found, Const) and found.type == INT:
        return int(found.value)
    return None


def substituted(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """A size with the actual arguments of a call in place of the node's inputs."""
    match expr:
        case Var(name=name) if name in values:
            return values[name]
        case Op(arguments=arguments):
            return fold(replace(expr, arguments=tuple(substituted(a, values) for a in arguments)))
        case ArrayDef() | Fill() | Make():
            return expr
    return expr
