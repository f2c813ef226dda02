"""Constant integer expressions that clang has accepted but not printed the value of (``case``)."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.types import Int


def constant(expression: ast.Expr) -> int | None:
    """The value, or None if this is not a constant of integer type that we can compute."""
    type = expression.type
    if not isinstance(type, Int):
        return None
    match expression:
        case ast.IntConst(value):
            return value
        case ast.Cast(operand):
            inner = constant(operand)
            return None if inner is None else type.wrap(inner)
        case ast.Unary(op, operand):
            inner = constant(operand)
            if inner is None:
                return None
            return type.wrap({"-": -inner, "~": ~inner, "!": int(inner == 0)}[op])
        case ast.Conditional(condition, then, otherwise):
            chosen = constant(condition)
            return None if chosen is None else constant(then if chosen else otherwise)
        case ast.Logical(op, left, right):
            first, second = constant(left), constant(right)
            if first is None or second is None:
                return None
            return int(bool(first and second) if op == "&&" else bool(first or second))
        case ast.Binary(op, left, right):
            first, second = constant(left), constant(right)
            return None if first is None or second is None else _binary(op, first, second, type)
    return None


def _binary(op: str, left: int, right: int, type: Int) -> int | None:
    match op:
        case "+" | "-" | "*":
            return type.wrap({"+": left + right, "-": left - right, "*": left * right}[op])
        case "/" | "%" if right != 0:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return type.wrap(quotient if op == "/" else left - quotient * right)
        case "&" | "|" | "^":
            return type.wrap({"&": left & right, "|": left | right, "^": left ^ right}[op])
        case "<<" | ">>" if 0 <= right < type.bits:
            return type.wrap(left << right if op == "<<" else left >> right)
        case "<" | ">" | "<=" | ">=" | "==" | "!=":
            return int({"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right,
                        "==": left == right, "!=": left != right}[op])
    return None
