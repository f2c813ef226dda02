"""Functions of the C library that allocate, copy or fill blocks of memory, as the analyses see them."""

from __future__ import annotations

from collections.abc import Sequence

from revet.frontends.c import ast
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.library.conventions import OBJECT
from revet.frontends.c.types import CType, Function, Pointer, Record, Void, size_of

ALLOCATORS = (
    "malloc", "calloc", "alloca", "__builtin_alloca", "__builtin_malloc", "__builtin_calloc", "valloc",
    OBJECT,
)
REALLOCATORS = ("realloc", "__builtin_realloc")
ZEROED = ("calloc", "__builtin_calloc")
COPIERS = ("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove")
FILLERS = ("memset", "__builtin_memset")
ON_STACK = ("alloca", "__builtin_alloca")


def pointed_type(argument: ast.Expr) -> CType | None:
    """What an argument pointed to before it was converted, an element of it if that is an array; None if
    that is unknown."""
    while isinstance(argument, ast.Cast) and isinstance(argument.operand.type, Pointer):
        argument = argument.operand
    if not isinstance(argument.type, Pointer):
        return None
    target = element_of(argument.type.target)
    known = not isinstance(target, Void | Function) and size_of(target) > 0
    return target if known and (not isinstance(target, Record) or target.complete) else None


def block_element(pointers: Sequence[ast.Expr], size: ast.Expr) -> CType | None:
    """The type of which a block that these arguments point to surely consists, as whole objects. A pointer
    to characters says nothing if another one says more."""
    types = [pointed_type(pointer) for pointer in pointers]
    telling = [type for type in types if type is not None and size_of(type) > 1]
    if None in types or any(not is_multiple(size, size_of(type)) for type in telling):
        return None
    return telling[0] if telling else types[0]


def is_multiple(size: ast.Expr, unit: int) -> bool:
    """Is the value of the expression, as it is written, a multiple of a number?"""
    while isinstance(size, ast.Cast):
        size = size.operand
    if isinstance(size, ast.IntConst):
        return size.value % unit == 0
    if isinstance(size, ast.Binary) and size.op == "*":
        return is_multiple(size.left, unit) or is_multiple(size.right, unit)
    if isinstance(size, ast.Binary) and size.op in ("+", "-"):
        return is_multiple(size.left, unit) and is_multiple(size.right, unit)
    return unit == 1


def is_zero(value: ast.Expr) -> bool:
    while isinstance(value, ast.Cast):
        value = value.operand
    return isinstance(value, ast.IntConst) and value.value == 0


def constant_size(call: ast.Call) -> int | None:
    """The size of an allocation, if it is written as a constant."""
    name = call.function.name if isinstance(call.function, ast.FunctionRef) else ""
    if name not in ("malloc", "__builtin_malloc", *ON_STACK, OBJECT):
        return None
    size: ast.Expr = call.arguments[-1]
    while isinstance(size, ast.Cast):
        size = size.operand
    return size.value if isinstance(size, ast.IntConst) else None


def is_given(call: ast.Call) -> bool:
    """Is it an object with any contents, as drivers pass them?"""
    return isinstance(call.function, ast.FunctionRef) and call.function.name == OBJECT


def is_on_stack(call: ast.Call) -> bool:
    """Is it ``alloca``, whose block ends with its function?"""
    return isinstance(call.function, ast.FunctionRef) and call.function.name in ON_STACK
