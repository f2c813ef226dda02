"""Variable arguments: a ``va_list`` is a number that says which argument comes next.

Where it is an array of a record (x86-64), the record has one member for us, :data:`CURSOR`; where it is a
pointer (i386), it is a number of that size instead. ``va_start`` is an assignment of what :data:`START`
returns in the current activation, ``va_copy`` an assignment between two lists, ``va_arg`` the argument whose
number a postfix increment of the list gives. So whoever looks for reads and writes sees them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.types import VOID, Array, Field, Function, Int, Pointer, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.frontends.c.reader.unit import UnitReader

START = "__builtin_va_start"
CALLS = (START, "__builtin_va_end", "__builtin_va_copy")
NUMBER = Int(32, False, name="unsigned")
CURSOR = Field("$argument", NUMBER, 0)
PRINTERS = ("vprintf", "vfprintf", "vsprintf", "vsnprintf", "vasprintf")
"""Functions of the library whose last argument is a list, which is of no use afterwards (7.16)."""
MOST = 1 << 12
"""Numbers that one activation's arguments have: its own number times this, and their places."""


def argument(unit: UnitReader, node: Node, at: Position) -> ast.Expr:
    """``va_arg(list, type)``."""
    cursor = _cursor(unit.expressions.read(node.inner[0]), at)
    if cursor is None:
        raise unit.unsupported(node, "va_arg of such a list is not modelled")
    return ast.VaArg(ast.Increment(cursor, 1, False, NUMBER, at), unit.expressions.type_of(node), at)


def call(unit: UnitReader, node: Node, name: str, given: Sequence[ast.Expr], at: Position) -> ast.Expr:
    """``va_start``, ``va_copy`` and ``va_end``."""
    cursors = [_cursor(each, at) for each in given[: 2 if name == "__builtin_va_copy" else 1]]
    nothing = ast.Cast(ast.IntConst(0, unit.model.int, at), VOID, at)
    target, source = cursors[0], cursors[-1]
    if target is None or source is None:
        raise unit.unsupported(node, f"{name.removeprefix('__builtin_')} of such a list is not modelled")
    if name == "__builtin_va_end":
        return nothing
    if name == START:
        function = ast.FunctionRef(START, Function(NUMBER, ()), at)
        source = ast.Call(function, (), NUMBER, at)
    return ast.Comma(ast.Assign(target, source, NUMBER, at), nothing, VOID, at)


def spent(printing: ast.Call, at: Position) -> ast.Expr:
    """A call of one of the :data:`PRINTERS`: no argument has the number that the list holds from then on."""
    cursor = _cursor(printing.arguments[-1], at) if printing.arguments else None
    if cursor is None:
        return printing
    return ast.Comma(ast.Assign(cursor, ast.IntConst(0, NUMBER, at), NUMBER, at), printing, printing.type, at)


def _cursor(given: ast.Expr, at: Position) -> ast.Expr | None:
    """The member of a list that holds the number."""
    while isinstance(given, ast.Cast):
        given = given.operand
    if isinstance(given, ast.Decay):
        given = given.array
    if given.type == NUMBER:
        return given
    record: ast.Expr | None = None
    match given.type:
        case Array(Record() as element):
            record = ast.Index(given, ast.IntConst(0, Int(32, True), at), element, at)
        case Pointer(Record() as target):
            record = ast.Deref(given, target, at)
        case Record():
            record = given
    if record is None or not isinstance(record.type, Record) or CURSOR not in record.type.fields:
        return None
    return ast.Member(record, CURSOR, NUMBER, at)
