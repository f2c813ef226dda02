"""Expressions of which no value is wanted: statements, and conditions that only decide where to go.

A run spends most of its time here (a counter, an assignment, the test of a loop), so the frequent ones
have instructions of their own, which leave out what the general ones do for a value nobody reads.
"""

from __future__ import annotations

from dataclasses import replace

from revet.frontends.c import ast
from revet.frontends.c.interpret import operators, places
from revet.frontends.c.interpret.access import access
from revet.frontends.c.interpret.listing import touches_element, touches_variable
from revet.frontends.c.interpret.pieces import (
    Piece,
    Scope,
    Target,
    Value,
    jump_if_zero,
    jump_unless,
    jump_unless_with,
)
from revet.frontends.c.types import Array, Int, Pointer


def named_array(e: ast.Expr, scope: Scope) -> tuple[places.Find, int] | None:
    """The variable and its number of elements, if this is an element of an array with a name."""
    match e:
        case ast.Index(ast.VarRef(variable), _) if isinstance(variable.type, Array):
            count = variable.type.count
            return None if count is None else (scope.find(variable), count)
    return None


def effect(e: ast.Expr, scope: Scope) -> list[Piece]:
    """Code that leaves nothing: what statements are made of, so the frequent ones have it short."""
    if scope.ordering.watches(e) or scope.ordering.known(e):
        return [Value(e), operators.pop]
    match e:
        case ast.Increment(target=ast.VarRef(variable)):
            how = access(e.target.type)
            listed = touches_variable(variable, how, scope, writes=True)
            return [
                *listed, places.increment_variable(scope.find(variable), how, e.delta, e.at, prefix=None)
            ]
        case ast.Assign(ast.VarRef(variable), value):
            how = access(e.target.type)
            listed = touches_variable(variable, how, scope, writes=True)
            return [Value(value), *listed, places.put_variable(scope.find(variable), how)]
        case ast.Assign(ast.Index() as target, value):
            named = named_array(target, scope)
            if named is not None:
                find, count = named
                how = access(target.type)
                listed = touches_element(find, how, scope, writes=True)
                put = places.put_element(find, how, count, target.at)
                return [Value(value), Value(target.index), *listed, put]
    return [Value(e), operators.pop]


def as_pointers(e: ast.Expr, scope: Scope) -> ast.Expr:
    """``(long)p == (long)q`` and ``(long)p == 0`` compare pointers: no address is seen as a number."""
    if not isinstance(e, ast.Binary) or e.op not in ("==", "!="):
        return e
    left, right = _uncast(e.left, scope), _uncast(e.right, scope)
    null = isinstance(right, ast.IntConst) and right.value == 0
    if isinstance(left.type, Pointer) and (null or isinstance(right.type, Pointer)):
        return replace(e, left=left, right=right)
    return e


def _uncast(e: ast.Expr, scope: Scope) -> ast.Expr:
    """The pointer that is converted to a number with room for it, if that is what this is."""
    inner, room = e, scope.pointer_bits
    while isinstance(inner, ast.Cast) and isinstance(inner.type, Int) and inner.type.bits >= room:
        inner = inner.operand
    return inner if isinstance(inner.type, Pointer) or isinstance(inner, ast.IntConst) else e


def unless(e: ast.Expr, target: Target, scope: Scope) -> list[Piece]:
    """Go to the target if the value is zero, otherwise on."""
    e = as_pointers(e, scope) if not scope.ordering.pending(e) and not scope.ordering.known(e) else e
    plain = not scope.ordering.pending(e) and not scope.ordering.known(e)
    if not plain or not isinstance(e, ast.Binary) or e.op not in operators.COMPARE:
        return [Value(e), jump_if_zero(target)]
    holds = operators.COMPARE[e.op]
    if isinstance(e.right, ast.IntConst) and not isinstance(e.left.type, Pointer):
        return [Value(e.left), jump_unless_with(holds, e.right.value, target)]
    check: list[Piece] = []
    if isinstance(e.left.type, Pointer):
        check = [operators.check_pointers(e.op, e.at)]
    return [Value(e.left), Value(e.right), *check, jump_unless(holds, target)]
