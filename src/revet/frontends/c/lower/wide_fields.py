"""Bit-fields wider than ``int``: gcc computes in as many bits as the field has, clang in those of its type.

What both agree about is modelled: values that are cast, and comparisons of values that such a field may have.
"""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.lower.context import Context
from revet.frontends.c.types import Int


def refuse_wide_fields(context: Context, *operands: ast.Expr) -> None:
    """Operands of an operator whose result depends on the type; raises Unsupported."""
    for operand in map(_written, operands):
        field, type = _field(operand), operand.type
        if field is not None and isinstance(type, Int) and context.model.int.bits < field.bits < type.bits:
            what = "arithmetic with a bit-field wider than int: compilers differ in its type"
            raise context.unsupported(operand.at, what)


def are_values_of_one_field(left: ast.Expr, right: ast.Expr) -> bool:
    """Are these values that one bit-field may have? In whatever type, they compare alike."""
    operands = _written(left), _written(right)
    fields = [type for type in map(_field, operands) if type is not None]
    if len(fields) == 2:
        return fields[0] == fields[1]
    constants = [one.value for one in operands if isinstance(one, ast.IntConst)]
    return len(fields) == len(constants) == 1 and fields[0].least <= constants[0] <= fields[0].greatest


def _written(operand: ast.Expr) -> ast.Expr:
    """Without conversions that nobody has written."""
    while isinstance(operand, ast.Cast) and operand.implicit:
        operand = operand.operand
    return operand


def _field(operand: ast.Expr) -> Int | None:
    """The type that has the values of a bit-field, if the operand is one."""
    if isinstance(operand, ast.Member) and operand.field.width and isinstance(operand.type, Int):
        return Int(operand.field.width, operand.type.signed)
    return None
