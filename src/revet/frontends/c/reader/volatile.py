"""``volatile``: what is read is any value, because somebody outside may have changed it.

Local variables that are named directly are the exception: nobody else knows them. What is written is written,
in case it is read through another name. With ``--volatile plain`` such objects are memory like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.library.conventions import VOLATILE
from revet.frontends.c.types import VOID, CType, Floating, Function, Int

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.clang.nodes import Node
    from revet.frontends.c.reader.unit import UnitReader

ANY = "volatile objects hold any value whenever they are read"


class VolatileReader:
    def __init__(self, unit: UnitReader) -> None:
        self._unit = unit

    def is_open(self, node: Node, place: ast.Expr, at: Position) -> bool:
        """Is a place that is read one that has any value? Notes what an answer is to say."""
        text = node.type
        if text is None:
            return False
        if "volatile" not in text.qual_type and "volatile" not in (text.desugared_qual_type or ""):
            return False
        if not self._unit.resolved(node, text).volatile:
            return False
        if self._unit.linkage.volatile == "plain":
            self._unit.linkage.volatile_reads.append(at)
            return False
        if _is_local(place):
            return False
        if not isinstance(place.type, Int | Floating):
            self._unit.linkage.volatile_reads.append(at)  # a structure, or a pointer to known objects
            return False
        self._unit.linkage.note(ANY, at)
        return True

    def value(self, place: ast.Expr, at: Position) -> ast.Expr:
        """What a read of the place gives; finding the place happens, too."""
        drawn = _drawn(place.type, at)
        if isinstance(place, ast.VarRef):
            return drawn
        return ast.Comma(ast.Cast(place, VOID, at), drawn, place.type, at)

    def changed(
        self, op: str, place: ast.Expr, value: ast.Expr, computation: CType, at: Position
    ) -> ast.Expr:
        """``place op= value``."""
        old = _drawn(place.type, at)
        wide = old if place.type == computation else ast.Cast(old, computation, at)
        result: ast.Expr = ast.Binary(op, wide, value, computation, at)
        if place.type != computation:
            result = ast.Cast(result, place.type, at)
        return ast.Assign(place, result, place.type, at)

    def stepped(self, node: Node, place: ast.Expr, delta: int, prefix: bool, at: Position) -> ast.Expr:
        """``place++`` and its kin: what is read before is any value."""
        type = place.type
        if not isinstance(type, Int) or type.boolean or type.bits < self._unit.model.int.bits:
            raise self._unit.unsupported(node, f"this operator on a volatile object of type {type}")
        old = ast.VarRef(self._unit.variables.temporary(type, at), type, at)
        new = ast.Binary("+" if delta > 0 else "-", old, ast.IntConst(1, type, at), type, at)
        read = ast.Assign(old, _drawn(type, at), type, at)
        written = ast.Assign(place, new, type, at)
        after: ast.Expr = written if prefix else ast.Comma(written, old, type, at)
        return ast.Comma(read, after, type, at)


def _drawn(type: CType, at: Position) -> ast.Expr:
    return ast.Call(ast.FunctionRef(VOLATILE, Function(type, ()), at), (), type, at)


def _is_local(place: ast.Expr) -> bool:
    while isinstance(place, ast.Member | ast.Index):
        place = place.record if isinstance(place, ast.Member) else place.array
    return isinstance(place, ast.VarRef) and not place.variable.lives_forever
