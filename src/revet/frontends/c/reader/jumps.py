"""``setjmp`` and ``longjmp``: a ``jmp_buf`` holds a number in its first scalar.

``setjmp(b)`` is a call of :data:`SET` whose argument assigns what :data:`MARK` returns to that scalar: the
number of this place in this activation. ``longjmp(b, v)`` is a call of :data:`LEAVE` with the number and the
value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.types import VOID, Array, Function, Int, Pointer, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.frontends.c.reader.unit import UnitReader

SET, MARK, LEAVE = "__revet_setjmp", "__revet_jump_mark", "__revet_longjmp"
_SETTERS = {"setjmp": 1, "_setjmp": 1, "sigsetjmp": 2, "__sigsetjmp": 2}
_LEAVERS = ("longjmp", "_longjmp", "siglongjmp")
NAMES = frozenset((*_SETTERS, *_LEAVERS))
KEPT = "local variables keep over longjmp what they held"


def call(unit: UnitReader, node: Node, name: str, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """A call of one of :data:`NAMES`."""
    setting = name in _SETTERS
    if len(given) != _SETTERS.get(name, 2) or unit.current is None:
        raise unit.unsupported(node, f"this call of {name} is not modelled")
    number = _number(given[0], at)
    if number is None or not isinstance(number.type, Int) or number.type.bits < 32:
        raise unit.unsupported(node, f"this call of {name} is not modelled")
    unit.linkage.note(KEPT, at)
    integer = unit.model.int
    if setting:
        mark = ast.Call(ast.FunctionRef(MARK, Function(number.type, ()), at), (), number.type, at)
        kept = ast.Assign(number, mark, number.type, at)
        return ast.Call(ast.FunctionRef(SET, Function(integer, (number.type,)), at), (kept,), integer, at)
    unit.linkage.noreturn.add(LEAVE)
    leave = ast.FunctionRef(LEAVE, Function(VOID, (number.type, integer)), at)
    return ast.Call(leave, (number, given[1]), VOID, at)


def _number(buffer: ast.Expr, at: Position) -> ast.Expr | None:
    """The first scalar of the object that a pointer leads to."""
    while isinstance(buffer, ast.Cast):
        buffer = buffer.operand
    place: ast.Expr
    if isinstance(buffer, ast.Decay):
        place = buffer.array
    elif isinstance(buffer.type, Pointer):
        place = ast.Deref(buffer, buffer.type.target, at)
    else:
        return None
    while isinstance(place.type, Array | Record):
        if isinstance(place.type, Array):
            place = ast.Index(place, ast.IntConst(0, Int(32, True), at), place.type.element, at)
        elif place.type.fields and place.type.fields[0].width is None:
            place = ast.Member(place, place.type.fields[0], place.type.fields[0].type, at)
        else:
            return None
    return place
