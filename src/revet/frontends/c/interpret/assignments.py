"""Assignments, compound assignments and increments as code for the stack machine.

The right side of ``=`` is evaluated before the left one; a compound assignment reads its target last.
"""

from __future__ import annotations

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.interpret import operators, places
from revet.frontends.c.interpret.access import Access, access
from revet.frontends.c.interpret.alignment import aligned
from revet.frontends.c.interpret.listing import touches_place, touches_variable
from revet.frontends.c.interpret.ordering import noted
from revet.frontends.c.interpret.pieces import Piece, Place, Scope, Value
from revet.frontends.c.types import CType, Pointer, size_of


def found(e: ast.Expr, lvalue: ast.Expr, scope: Scope) -> list[Piece]:
    """The place of an atom, remembered where it is compared with that of another one."""
    return [Place(lvalue), noted(e)] if scope.ordering.watches(e) else [Place(lvalue)]


def accessed(e: ast.Expr, lvalue: ast.Expr, scope: Scope) -> list[Piece]:
    """The same, read or written by what comes next."""
    return [*found(e, lvalue, scope), *aligned(lvalue, scope)]


def access_of(target: ast.Expr) -> Access:
    """How an lvalue is read and written."""
    return access(target.type, target.field if isinstance(target, ast.Member) else None)


def assign(e: ast.Assign, scope: Scope) -> list[Piece]:
    if isinstance(e.target, ast.VarRef) and not scope.ordering.watches(e):
        how = access(e.target.type)
        listed = touches_variable(e.target.variable, how, scope, writes=True)
        return [Value(e.value), *listed, places.store_variable(scope.find(e.target.variable), how)]
    how = access_of(e.target)
    place = [*accessed(e, e.target, scope), *touches_place(how, scope, writes=True)]
    return [Value(e.value), *place, places.store(how, e.at)]


def compound_assign(e: ast.CompoundAssign, scope: Scope) -> list[Piece]:
    target, how = e.target, access_of(e.target)
    if isinstance(target.type, Pointer):
        size = size_of(target.type.target)
        pieces: list[Piece] = [
            places.swap, operators.pointer_add(size, scope.pointer_bits, e.op == "-", e.at)
        ]
    else:
        pieces = [
            *_converted(target.type, e.computation, e.at), places.swap,
            operators.binary(e.op, e.computation, e.at),
            *_converted(e.computation, target.type, e.at),
        ]
    if isinstance(target, ast.VarRef) and not scope.ordering.watches(e):
        find = scope.find(target.variable)
        listed = touches_variable(target.variable, how, scope, writes=True)
        load = places.load_variable(find, how, e.at)
        return [Value(e.value), *listed, load, *pieces, places.store_variable(find, how)]
    read: list[Piece] = [
        *found(e, target, scope), Value(e.value), *aligned(target, scope), places.again,
        *touches_place(how, scope, writes=True), places.load(how, e.at),
    ]
    return [*read, *pieces, places.swap, places.store(how, e.at)]


def _converted(source: CType, target: CType, at: Position) -> list[Piece]:
    conversion = operators.conversion(source, target, at)
    return [] if conversion is None else [conversion]


def increment(e: ast.Increment, scope: Scope) -> list[Piece]:
    how = access_of(e.target)
    if isinstance(e.target, ast.VarRef) and not scope.ordering.watches(e):
        find = scope.find(e.target.variable)
        listed = touches_variable(e.target.variable, how, scope, writes=True)
        return [*listed, places.increment_variable(find, how, e.delta, e.at, prefix=e.prefix)]
    place = [*accessed(e, e.target, scope), *touches_place(how, scope, writes=True)]
    return [*place, places.increment_at(how, e.delta, e.prefix, e.at)]
