"""Initialisers: clang shows every list in full, with all conversions; here it becomes flat paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.reader.constants import constant
from revet.frontends.c.types import Array, CType, Record
from revet.frontends.c.walk import Effects

if TYPE_CHECKING:
    from revet.frontends.c.clang.nodes import Node
    from revet.frontends.c.reader.unit import UnitReader

Path = tuple[ast.Step, ...]
_MOST = 1_000_000  # entries of one initialiser


class InitialiserReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit

    def read(self, node: Node, type: CType) -> ast.Initialiser:
        at = self.unit.position(node)
        entries: list[ast.InitEntry] = []
        self._element(node, type, (), entries)
        whole = not isinstance(type, Array | Record) or (len(entries) == 1 and not entries[0].path)
        return ast.Initialiser(tuple(entries), whole, at)

    def _element(self, node: Node, type: CType, path: Path, entries: list[ast.InitEntry]) -> None:
        """A sub-object: from a list, or from one expression."""
        if node.kind in ("ImplicitValueInitExpr", "NoInitExpr"):
            if node.kind == "NoInitExpr":
                raise self.unit.unsupported(node, "this initialiser is not modelled")
            return  # what is not mentioned is zero
        if node.kind in ("ParenExpr", "ConstantExpr", "PredefinedExpr", "ExprWithCleanups"):
            self._element(node.inner[0], type, path, entries)
            return
        if node.kind != "InitListExpr":
            self._value(node, type, path, entries)
        elif isinstance(type, Array):
            self._array(node, type, path, entries)
        elif isinstance(type, Record):
            self._record(node, type, path, entries)
        elif node.inner:
            self._element(node.inner[0], type, path, entries)
        if len(entries) > _MOST:
            raise self.unit.unsupported(node, "an initialiser with more than a million values")

    def _value(self, node: Node, type: CType, path: Path, entries: list[ast.InitEntry]) -> None:
        value = self.unit.expressions.read(node)
        constant_one = isinstance(type, Array) or self.unit.current is None
        if constant_one and isinstance(value, ast.CompoundLiteral) and value.variable.initialiser is not None:
            for entry in value.variable.initialiser.entries:
                entries.append(ast.InitEntry((*path, *entry.path), entry.value))
            return
        if isinstance(type, Array):
            if not isinstance(value, ast.StringConst):
                raise self.unit.unsupported(node, "this array initialiser is not modelled")
        elif not isinstance(type, Record):
            value = self.unit.expressions.convert(value, type)
        entries.append(ast.InitEntry(path, value))

    def _array(self, node: Node, type: Array, path: Path, entries: list[ast.InitEntry]) -> None:
        """Elements in order; the first of clang's list with a filler is what the others hold."""
        items = list(node.inner)
        if node.array_filler:
            filler, *items = node.array_filler
            if filler.kind != "ImplicitValueInitExpr" and not _is_empty(filler):
                raise self.unit.unsupported(node, "this array initialiser is not modelled")
        if len(items) == 1 and items[0].kind == "StringLiteral" and not isinstance(type.element, Array):
            text = self.unit.expressions.read(items[0])  # char s[] = {"abc"}
            if isinstance(text, ast.StringConst) and text.type == type:
                entries.append(ast.InitEntry(path, text))
                return
        previous: tuple[str, ast.Expr] | None = None
        for index, item in enumerate(items):
            if previous is not None and previous[0] == item.id:  # [1 ... 3] = value
                entries.append(ast.InitEntry((*path, index), previous[1]))
                continue
            count = len(entries)
            self._element(item, type.element, (*path, index), entries)
            repeated = index + 1 < len(items) and items[index + 1].id == item.id
            previous = None
            if repeated and len(entries) == count + 1 and entries[-1].path == (*path, index):
                previous = (item.id, self._once(entries, item))
            elif repeated and any(Effects()(entry.value) for entry in entries[count:]):
                raise self.unit.unsupported(item, "a range of elements with effects is not modelled")

    def _once(self, entries: list[ast.InitEntry], node: Node) -> ast.Expr:
        """The value of the last entry, for others to use: it is evaluated once."""
        value = entries[-1].value
        if constant(value) is not None or not Effects()(value):
            return value
        if self.unit.current is None or isinstance(value.type, Array | Record):
            raise self.unit.unsupported(node, "a range of elements with effects is not modelled")
        variable = self.unit.variables.temporary(value.type, value.at)
        again = ast.VarRef(variable, value.type, value.at)
        entries[-1] = ast.InitEntry(entries[-1].path, ast.Assign(again, value, value.type, value.at))
        return again

    def _record(self, node: Node, type: Record, path: Path, entries: list[ast.InitEntry]) -> None:
        if type.union:
            if node.field is None or not node.inner:
                if node.inner:
                    raise self.unit.unsupported(node, "this initialiser of a union is not modelled")
                return
            field = self.unit.types.fields.get(node.field.id)
            if field is None:
                raise self.unit.unsupported(node, "this initialiser of a union is not modelled")
            self._element(node.inner[0], field.type, (*path, field), entries)
            return
        if len(node.inner) > len(type.fields):
            raise self.unit.unsupported(node, "this initialiser is not modelled")
        for field, item in zip(type.fields, node.inner, strict=False):
            self._element(item, field.type, (*path, field), entries)


def _is_empty(node: Node) -> bool:
    """A list of nothing but zeros."""
    return node.kind == "InitListExpr" and all(
        child.kind == "ImplicitValueInitExpr" or _is_empty(child) for child in node.inner or node.array_filler
    )
