"""Arrays of arrays of variable length, and pointers to them: ``int m[n][k]``, ``int (*p)[k]``.

The program that is checked has one array of all elements instead, and a pointer to a row is a pointer to its
first element: ``m[i][j]`` is element ``i * k + j``. The lengths are those that the declaration found
(:attr:`ast.Variable.rows`). That an index stays in its row is assumed, and said; an index beyond the whole
object is an error as elsewhere. What would need the size of a row and does not get it here is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.clang.nodes import Node
from revet.frontends.c.reader.edits import mentions
from revet.frontends.c.types import Array, Int, Pointer

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.reader.entries import Resolved
    from revet.frontends.c.reader.expressions import ExpressionReader
    from revet.frontends.c.reader.unit import UnitReader

IN_ROW = "an index into arrays of variable length stays in its row"
_LENGTH = re.compile(r"\[[^]]*[^]\d]")  # in the text of a type: one that is no number
_INDEX = Int(64, True, name="long")
_PASSED_ON = ("LValueToRValue", "NoOp")
ROW_KINDS = frozenset(  # of the expressions that may be about rows
    ("ImplicitCastExpr", "ArraySubscriptExpr", "UnaryOperator", "BinaryOperator", "CompoundAssignOperator")
)


def product(lengths: Sequence[ast.Expr]) -> ast.Expr:
    """How many elements there are; 0 if a length is not positive."""
    if len(lengths) == 1:
        return lengths[0]
    at, zero = lengths[0].at, ast.IntConst(0, _INDEX, lengths[0].at)
    wide = [_as_index(length) for length in lengths]
    positive = [ast.Binary("<", zero, length, Int(32, True), at) for length in wide]
    every: ast.Expr = positive[0]
    for one in positive[1:]:
        every = ast.Logical("&&", every, one, Int(32, True), at)
    return ast.Conditional(every, reduce(_times, wide), zero, _INDEX, at)


@dataclass(frozen=True, slots=True)
class Rows:
    """An array with these ``lengths``, or a pointer to one: ``offset`` elements after ``base``."""

    base: ast.Expr
    offset: ast.Expr | None
    lengths: tuple[ast.Expr, ...]

    def first(self) -> ast.Expr:
        """A pointer to the first element."""
        if self.offset is None:
            return self.base
        return ast.PointerAdd(self.base, self.offset, self.base.type, self.base.at)

    def moved(self, index: ast.Expr, negative: bool = False) -> Rows:
        """So many arrays of these lengths further on."""
        step = reduce(_times, map(_as_index, self.lengths), _as_index(index))
        if negative:
            step = ast.Unary("-", step, _INDEX, index.at)
        offset = step if self.offset is None else ast.Binary("+", self.offset, step, _INDEX, index.at)
        return Rows(self.base, offset, self.lengths)


class RowReader:
    def __init__(self, unit: UnitReader, expressions: ExpressionReader) -> None:
        self._unit = unit
        self._all = expressions
        self._with_length: dict[str, bool] = {}  # texts of types: is there a length that is no number?

    def read(self, node: Node) -> ast.Expr | None:
        """An expression about rows (then it is of :data:`ROW_KINDS`); None for any other one, and where a
        pointer to one is only a pointer."""
        at = self._unit.sources.start
        match node.kind:
            case "ImplicitCastExpr" if node.cast_kind == "ArrayToPointerDecay":
                return self.of(node.inner[0]).first() if self._is_open(node.inner[0]) else None
            case "ArraySubscriptExpr" if self._is_row(node.inner[0]):
                return self._element(node, self.of(node.inner[0].inner[0]), at(node))
            case "UnaryOperator" | "BinaryOperator" | "ArraySubscriptExpr" if self._is_open(node):
                if node.opcode == "=":
                    return None
                return self.of(node).first()
            case "CompoundAssignOperator" if self._is_open(node):
                raise self._refusal(node)
            case "BinaryOperator" if node.opcode == "-" and self._is_open(node.inner[0]):
                return self._difference(node, at(node))
        return None

    def of(self, node: Node) -> Rows:
        """An expression that is an array of variable length, or a pointer to one."""
        if node.kind in ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr"):
            return self._converted(node)
        match node.kind:
            case "DeclRefExpr" if node.referenced_decl is not None:
                variable = self._unit.variables.mentioned(node.referenced_decl, node)
                at = self._unit.sources.start(node)
                value: ast.Expr = ast.VarRef(variable, variable.type, at)
                if isinstance(variable.type, Array):
                    pointer = Pointer(variable.type.element, self._unit.model.pointer_size)
                    value = ast.Decay(value, pointer, at)
                if variable.rows:
                    return Rows(value, None, variable.rows)
            case "ArraySubscriptExpr" if self._is_open(node.inner[0]):
                return self.of(node.inner[0]).moved(self._all.read(node.inner[1]))
            case "UnaryOperator" if node.opcode in ("*", "&", "__extension__"):
                return self.of(node.inner[0])
            case "BinaryOperator" if node.opcode in ("+", "-") and self._is_open(node.inner[0]):
                return self.of(node.inner[0]).moved(self._all.read(node.inner[1]), node.opcode == "-")
        raise self._refusal(node)

    def _converted(self, node: Node) -> Rows:
        inner = node.inner[-1]
        if node.kind == "ParenExpr" or node.cast_kind in _PASSED_ON:
            return self.of(inner)
        if node.cast_kind == "ArrayToPointerDecay":
            rows = self.of(inner)
            return Rows(rows.base, rows.offset, rows.lengths[1:])
        if node.cast_kind not in ("BitCast", "NullToPointer"):
            raise self._refusal(node)
        return Rows(self._all.read(node), None, self.lengths(node, self._unit.resolved(node)))

    def lengths(self, node: Node, resolved: Resolved) -> tuple[ast.Expr, ...]:
        """The lengths that the text of a type has: numbers and names of variables."""
        found: list[ast.Expr] = []
        at = self._unit.position(node)
        for text in resolved.open:
            named = self._unit.types.named_variable(text)
            if text.isdigit():
                found.append(ast.IntConst(int(text), _INDEX, at))
            elif named is not None and isinstance(named.type, Int):
                found.append(ast.VarRef(named, named.type, at))
            else:
                raise self._unit.unsupported(node, f"an array of the variable length {text} here")
        return tuple(found)

    def _element(self, node: Node, rows: Rows, at: Position) -> ast.Expr:
        if len(rows.lengths) != 1:
            raise self._refusal(node)
        index = self._all.read(node.inner[1])
        if rows.offset is not None:
            self._unit.linkage.note(IN_ROW, at)
            index = ast.Binary("+", rows.offset, _as_index(index), _INDEX, at)
        assert isinstance(rows.base.type, Pointer)
        if isinstance(rows.base, ast.Decay):
            return ast.Index(rows.base.array, index, rows.base.type.target, at)
        pointer = ast.PointerAdd(rows.base, index, rows.base.type, at)
        return ast.Deref(pointer, rows.base.type.target, at)

    def _difference(self, node: Node, at: Position) -> ast.Expr:
        """Of two pointers to rows, in rows."""
        left, right = map(self.of, node.inner)
        type = self._all.type_of(node)
        elements = ast.PointerDiff(left.first(), right.first(), type, at)
        return ast.Binary("/", elements, ast.Cast(product(left.lengths), type, at), type, at)

    def _is_row(self, node: Node) -> bool:
        """Is this an array of variable length as a pointer to its first element, which is no array?"""
        return node.kind == "ImplicitCastExpr" and node.cast_kind == "ArrayToPointerDecay" and (
            self._is_open(node.inner[0]) and not self._is_open(node)
        )

    def _is_open(self, node: Node) -> bool:
        """Is it an array of variable length or a pointer to one?"""
        if node.type is None or not self._may_be_open(node.type.qual_type):
            return False
        resolved = self._unit.resolved(node)
        return bool(resolved.open) and isinstance(resolved.type, Array | Pointer)

    def _may_be_open(self, text: str) -> bool:
        found = self._with_length.get(text)
        if found is None:
            found = self._with_length[text] = _LENGTH.search(text) is not None
        named = self._unit.variables.open_types  # hardly ever any
        return found or bool(named and mentions(text, named))

    def _refusal(self, node: Node) -> Exception:
        return self._unit.unsupported(node, "this use of an array of variable length is not modelled")


def _as_index(value: ast.Expr) -> ast.Expr:
    return value if value.type == _INDEX else ast.Cast(value, _INDEX, value.at)


def _times(left: ast.Expr, right: ast.Expr) -> ast.Expr:
    return ast.Binary("*", left, right, _INDEX, left.at)
