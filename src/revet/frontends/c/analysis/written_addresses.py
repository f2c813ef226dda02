"""Addresses that a program writes as numbers: ``(char *)0x55a8a2e6b007``. An object may be there."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.library.conventions import STREAMS
from revet.frontends.c.types import Pointer
from revet.frontends.c.walk import every_expression, initial_values

PAGE = 4096
"""In the first and the last page of the address space there are no objects."""


def written_addresses(program: ast.CProgram) -> list[int]:
    """Those outside of the two pages, each once; not where the model has the library's streams."""
    space = 1 << 8 * program.data_model.pointer_size
    streams = {value for v in program.globals if v.name in STREAMS for value in initial_values(v)}
    made = [
        _number(expression) for expression in every_expression(program)
        if isinstance(expression, ast.Cast) and isinstance(expression.type, Pointer)
        and expression not in streams
    ]
    found = {number % space for number in made if number is not None}
    return sorted(number for number in found if PAGE <= number < space - PAGE)


def _number(expression: ast.Expr) -> int | None:
    """The constant that is converted, once or several times."""
    while isinstance(expression, ast.Cast):
        expression = expression.operand
    sign = 1
    while isinstance(expression, ast.Unary) and expression.op == "-":
        expression, sign = expression.operand, -sign
    return sign * expression.value if isinstance(expression, ast.IntConst) else None
