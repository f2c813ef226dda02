"""What an lvalue is a part of: its variable, and the field that it is."""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.types import Array, CType, Field, Record

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


def element_of(type: CType) -> CType:
    while isinstance(type, Array):
        type = type.element
    return type


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
