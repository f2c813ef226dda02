"""Where a pointer may become less aligned than its type asks: what an answer assumes that does not check it.

That is where a pointer gets a type with a stricter alignment than it had, where an integer becomes a pointer,
and where the address of a packed member is taken. A pointer to ``void`` has no alignment of its own; it is
harmless if all objects that it may lead to, and all pointers into them, are aligned as the new type asks.
What is copied as bytes or read as another member of a union is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import ALLOCATORS, REALLOCATORS
from revet.frontends.c.analysis.call_graph import called
from revet.frontends.c.libc import FILE as LIBRARY_FILE
from revet.frontends.c.types import Field, Function, Int, Pointer, Record, Void, align_of, block_alignment
from revet.frontends.c.walk import all_expressions, expressions_below, initial_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revet.errors import Position
    from revet.frontends.c.analysis.storage import Storage
    from revet.frontends.c.types import CType


def loosening_places(program: ast.CProgram, storage: Storage) -> list[Position]:
    """The places in the files themselves, in functions that may be called."""
    found = dict.fromkeys(program.aligned_types)
    size = program.data_model.pointer_size
    for expression in _reached(program):
        if expression.at.file != LIBRARY_FILE and _loosens(expression, storage, size):
            found[expression.at] = None
    return sorted(found, key=lambda at: (at.file, at.line, at.column))


def _reached(program: ast.CProgram) -> Iterator[ast.Expr]:
    callees, stack = called(program), [program.start]
    seen = set(stack)
    while stack:
        name = stack.pop()
        if name in program.functions:
            yield from all_expressions(program.functions[name].body)
        for callee in callees.get(name, ()):
            if callee not in seen:
                seen.add(callee)
                stack.append(callee)
    yield from expressions_below(value for one in program.globals for value in initial_values(one))


def _loosens(expression: ast.Expr, storage: Storage, size: int) -> bool:
    match expression:
        case ast.Cast(operand, Pointer(target)):
            needs = align_of(target, size)
            if needs == 1 or isinstance(target, Function):
                return False
            if isinstance(operand.type, Int):
                return not isinstance(operand, ast.IntConst)
            if not isinstance(operand.type, Pointer):
                return False
            before = operand.type.target
            if isinstance(before, Void):
                new = _is_allocation(operand) and needs <= block_alignment(size)
                return not new and not _keeps(expression, storage, needs, size)
            return not isinstance(before, Function) and align_of(before, size) < needs
        case ast.AddressOf(ast.Member(record, field)) | ast.Decay(ast.Member(record, field)):
            return _is_packed(record.type, field, size)
    return False


def _is_allocation(value: ast.Expr) -> bool:
    """Is it what an allocation returns, nothing done with it yet?"""
    while isinstance(value, ast.Cast):
        value = value.operand
    return isinstance(value, ast.Call) and isinstance(value.function, ast.FunctionRef) and (
        value.function.name in ALLOCATORS or value.function.name in REALLOCATORS
    )


def _is_packed(record: CType, field: Field, size: int) -> bool:
    """Is a member less aligned than its type?"""
    needs = align_of(field.type, size)
    return isinstance(record, Record) and (field.offset % (8 * needs) != 0 or record.align < needs)


def _keeps(pointer: ast.Expr, storage: Storage, needs: int, size: int) -> bool:
    """Is every pointer into the class of this one surely so aligned?"""
    node = storage.points_to.target(pointer)
    if node.unknown or node.computed or node.foreign:
        return False
    if node.blocks and block_alignment(size) < needs:
        return False
    objects = [variable.alignment or align_of(variable.type, size) for variable in storage.addressed(node)]
    objects += [align_of(string.type, size) for string in node.strings]
    types = [
        type for type in (*node.casts, *node.pointed_types, *node.moved)
        if not isinstance(type, Void | Function)
    ]
    return all(one >= needs for one in (*objects, *(align_of(type, size) for type in types)))
