"""Expressions about types, answered when they are read: ``sizeof``, ``offsetof``, ``_Generic``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.reader import argument_lists
from revet.frontends.c.reader.constants import constant
from revet.frontends.c.reader.entries import Resolved
from revet.frontends.c.reader.offsets import offset_of
from revet.frontends.c.reader.rows import product
from revet.frontends.c.types import Array, CType, Int, Record, innermost, size_of
from revet.frontends.c.walk import Effects

if TYPE_CHECKING:
    from revet.frontends.c.reader.expressions import ExpressionReader
    from revet.frontends.c.reader.unit import UnitReader


class SpecialReader:
    def __init__(self, unit: UnitReader, expressions: ExpressionReader) -> None:
        self.unit = unit
        self._all = expressions

    def size(self, node: Node, at: Position) -> ast.Expr:
        type = self._all.type_of(node)
        assert isinstance(type, Int)
        operand = node.inner[0] if node.inner else None
        text = node.arg_type or (operand.type if operand is not None else None)
        layout = self.unit.types.layout(text.qual_type) if text is not None else None
        if layout is not None and node.name == "sizeof":  # of a record that is declared right here
            return ast.IntConst(layout.size // 8, type, at)
        resolved = self.unit.resolved(node, text)
        of = resolved.type
        if node.name != "sizeof":
            return ast.IntConst(self._alignment(node, of), type, at)
        if resolved.open:
            return self._variable_size(node, resolved, operand, type, at)
        if operand is not None and _has_record(of):
            of = self._all.read(operand).type
        if isinstance(of, Record) and not of.complete:
            raise self._all.unsupported(node, f"the size of {of}")
        return ast.IntConst(type.wrap(size_of(of)), type, at)

    def _alignment(self, node: Node, type: CType) -> int:
        type = innermost(type)
        if isinstance(type, Record) and type.complete:
            return type.align
        if node.arg_type is None or self.unit.model.name != "lp64" or size_of(type) == 0:
            raise self._all.unsupported(node, "this alignment")
        return size_of(type)

    def _variable_size(
        self, node: Node, resolved: Resolved, operand: Node | None, type: Int, at: Position
    ) -> ast.Expr:
        """``sizeof`` of an array of variable length, or of a pointer to one."""
        if not isinstance(resolved.type, Array):
            return ast.IntConst(size_of(resolved.type), type, at)
        rows = self._all.rows.of(operand) if operand is not None and node.arg_type is None else None
        if rows is not None and Effects()(rows.first()):
            raise self._all.unsupported(node, "this size of an array of variable length")
        lengths = rows.lengths if rows is not None else self._all.rows.lengths(node, resolved)
        length = ast.Cast(product(lengths), type, at)
        element = ast.IntConst(size_of(resolved.type.element), type, at)
        return ast.Binary("*", length, element, type, at)

    def offset(self, node: Node, at: Position) -> ast.Expr:
        type = self._all.type_of(node)
        text = self.unit.expanded.text(node) if node.in_macro else self.unit.sources.text(node)
        found = None if text is None else offset_of(text, self.unit.types)
        if found is None or not isinstance(type, Int):
            raise self._all.unsupported(node, "this offsetof")
        return ast.IntConst(found, type, at)

    def null(self, node: Node, at: Position) -> ast.Expr:
        return ast.Cast(ast.IntConst(0, self.unit.model.int, at), self._all.type_of(node), at, implicit=True)

    def argument(self, node: Node, at: Position) -> ast.Expr:
        return argument_lists.argument(self.unit, node, at)

    def selection(self, node: Node, at: Position) -> ast.Expr:
        for child in node.inner:
            if child.selected:
                return self._all.read(child.inner[-1])
        raise self._all.unsupported(node, "this _Generic")

    def choice(self, node: Node, at: Position) -> ast.Expr:
        condition, then, otherwise = node.inner
        chosen = constant(self._all.read(condition))
        if chosen is None:
            raise self._all.unsupported(node, "this __builtin_choose_expr")
        return self._all.read(then if chosen else otherwise)

    def compatible(self, node: Node, at: Position) -> ast.Expr:
        """``__builtin_types_compatible_p``: the only trait of types that C has."""
        type = self._all.type_of(node)
        texts = [_unqualified(part.type.qual_type) for part in node.inner if part.type is not None]
        if len(texts) != 2 or not isinstance(type, Int):
            raise self._all.unsupported(node, "this __builtin_types_compatible_p")
        if texts[0] == texts[1]:
            return ast.IntConst(1, type, at)
        names = [self.unit.types.basic_name(text) for text in texts]
        if None in names:
            raise self._all.unsupported(node, f"whether the types {' and '.join(texts)} are compatible")
        return ast.IntConst(int(names[0] == names[1]), type, at)


def _unqualified(text: str) -> str:
    words = text.split()
    while words and words[0] in ("const", "volatile"):
        words.pop(0)
    return " ".join(words)


def _has_record(type: CType) -> bool:
    return isinstance(innermost(type), Record)
