"""What an lvalue is a part of: its variable, and the field that it is."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.types import Array, CType, Field, Record, innermost

Key = tuple[CType, int] | None  # a field (structure, offset; -1 in unions), None: another scalar


def key_of(lvalue: ast.Expr) -> Key:
    """The field that a scalar lvalue is, for :attr:`Node.pointees`."""
    while isinstance(lvalue, ast.Index | ast.Cast):
        lvalue = lvalue.array if isinstance(lvalue, ast.Index) else lvalue.operand
    if isinstance(lvalue, ast.Member) and isinstance(lvalue.record.type, Record):
        record = lvalue.record.type
        return (record, -1 if record.union else lvalue.field.offset)
    return None


def key_of_path(type: CType, path: tuple[ast.Step, ...]) -> Key:
    key: Key = None
    for step in path:
        if isinstance(step, Field):
            key = (type, -1 if isinstance(type, Record) and type.union else step.offset)
            type = step.type
        elif isinstance(type, Array):
            type = type.element
    return key


element_of = innermost


def root_of(lvalue: ast.Expr) -> ast.Variable | None:
    """The variable that an lvalue is a part of, if it is not reached through a pointer."""
    while True:
        match lvalue:
            case ast.VarRef(variable) | ast.CompoundLiteral(variable):
                return variable
            case ast.Member(inner) | ast.Index(inner):
                lvalue = inner
            case _:
                return None


def source_of(value: ast.Expr) -> ast.Variable | None:
    """As :func:`root_of`, also for records ``(e, s)`` and ``(s = t)``, which are read where they stand."""
    while True:
        match value:
            case ast.Comma(_, inner) | ast.Assign(inner) | ast.Cast(inner):
                value = inner
            case ast.Member(inner) | ast.Index(inner):
                value = inner
            case _:
                return root_of(value)


def is_whole(node: ast.Index) -> bool:
    """Is an index outside of this array outside of the whole object?"""
    named = isinstance(node.array, ast.VarRef | ast.CompoundLiteral | ast.StringConst)
    return named and not isinstance(node.type, Array)


def is_open_ended(array: ast.Expr) -> bool:
    """A last member without a length, or with at most one element: objects are made with more of them."""
    if not isinstance(array, ast.Member) or not isinstance(array.record.type, Record):
        return False
    last = array.field == array.record.type.fields[-1]
    return last and isinstance(array.type, Array) and array.type.count in (None, 0, 1)
