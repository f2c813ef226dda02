"""Questions about types, and which parameters a function uses as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.types import Array, CType, Pointer, Record, Void
from revet.frontends.c.walk import all_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator


def has_pointers(type: CType) -> bool:
    match type:
        case Pointer():
            return True
        case Array(element, _):
            return has_pointers(element)
        case Record(fields=fields):
            return any(has_pointers(field.type) for field in fields)
    return False


def scalars(type: CType, most: int) -> int:
    """The number of scalars in an object, or some number above ``most``."""
    match type:
        case Array(element, count):
            return min((count or 0) * scalars(element, most), most + 1)
        case Record(fields=fields):
            total = 0
            for field in fields:
                total += scalars(field.type, most)
                if total > most:
                    return most + 1
            return total
    return 1


def is_opaque(type: CType) -> bool:
    """Nothing can be known about what a pointer to it leads to."""
    return isinstance(type, Void) or (isinstance(type, Record) and not type.complete)


def used_as_arrays(program: ast.CProgram) -> frozenset[ast.Variable]:
    """Parameters that are subscripted, moved or compared by order, there or in a function that gets them."""
    found: set[ast.Variable] = set()
    passed: list[tuple[ast.Variable, ast.Variable]] = []
    for function in program.functions.values():
        for expression in all_expressions(function.body):
            found.update(_moved(expression))
            if isinstance(expression, ast.Call) and isinstance(expression.function, ast.FunctionRef):
                callee = program.functions.get(expression.function.name)
                for parameter, value in zip(callee.parameters if callee else (), expression.arguments,
                                            strict=False):
                    variable = _variable(value)
                    if variable is not None:
                        passed.append((variable, parameter))
    grown = True
    while grown:
        more = {given for given, parameter in passed if parameter in found} - found
        grown = bool(more)
        found |= more
    return frozenset(one for one in found if one.parameter)


def _moved(expression: ast.Expr) -> Iterator[ast.Variable]:
    match expression:
        case ast.PointerAdd(pointer=pointer, index=index):
            if not (isinstance(index, ast.IntConst) and index.value == 0):
                yield from _named(pointer)
        case ast.PointerDiff(left=left, right=right):
            yield from (*_named(left), *_named(right))
        case ast.Binary(op=op, left=left, right=right) if op in ("<", ">", "<=", ">="):
            yield from (*_named(left), *_named(right))
        case ast.Increment(target=target) | ast.CompoundAssign(target=target):
            yield from _named(target)


def _named(expression: ast.Expr) -> list[ast.Variable]:
    variable = _variable(expression)
    return [variable] if variable is not None and isinstance(variable.type, Pointer) else []


def _variable(expression: ast.Expr) -> ast.Variable | None:
    while isinstance(expression, ast.Cast):
        expression = expression.operand
    return expression.variable if isinstance(expression, ast.VarRef) else None
