"""Initialisers: lists with nested braces, braces left out, and designators become flat paths.

libclang shows the list as the user wrote it, so the rules of C 6.7.9 are applied here: a *cursor*
walks over the scalars of the object; an expression without braces fills the next scalar (or
the next sub-record, if it has that record's type); a brace opens the next sub-object; a
designator moves the cursor.
"""

from __future__ import annotations

from revet.frontends.c import ast
from revet.frontends.c.clang import Cursor, CursorKind
from revet.frontends.c.reader.unit import UnitReader
from revet.frontends.c.types import Array, CType, Int, Record

Path = tuple[ast.Step, ...]


class InitialiserReader:
    def __init__(self, unit: UnitReader) -> None:
        self.unit = unit
        self.lib = unit.lib

    def read(self, cursor: Cursor, type: CType) -> ast.Initialiser:
        at = self.unit.position(cursor)
        entries: list[ast.InitEntry] = []
        cursor = self._string_in_braces(cursor, type)
        if cursor.kind == CursorKind.INIT_LIST:
            self._list(cursor, type, (), entries)
            whole = not isinstance(type, Array | Record)
        else:
            self._scalar_or_whole(cursor, type, (), entries)
            whole = True
        return ast.Initialiser(tuple(entries), whole, at)

    def _string_in_braces(self, cursor: Cursor, type: CType) -> Cursor:
        """``char s[] = {"abc"}`` means the same without the braces."""
        if cursor.kind == CursorKind.INIT_LIST and _is_text(type):
            children = self.lib.children(cursor)
            if len(children) == 1 and children[0].kind in (CursorKind.STRING, CursorKind.UNEXPOSED):
                value = self.unit.expressions.read(children[0])
                if isinstance(value, ast.StringConst):
                    return children[0]
        return cursor

    def _scalar_or_whole(
        self, cursor: Cursor, type: CType, path: Path, entries: list[ast.InitEntry]
    ) -> None:
        value = self.unit.expressions.read(cursor)
        if isinstance(type, Array):
            if not isinstance(value, ast.StringConst):
                raise self.unit.unsupported(cursor, "this array initialiser is not modelled")
        elif not isinstance(type, Record):
            value = self.unit.expressions.convert(value, type)
        entries.append(ast.InitEntry(path, value))

    def _list(self, cursor: Cursor, type: CType, path: Path, entries: list[ast.InitEntry]) -> None:
        children = self.lib.children(cursor)
        if not isinstance(type, Array | Record):
            if children:
                self._element(children[0], type, path, entries)
            return
        items = _Items(children)
        self._fill(items, type, path, entries, braced=True)

    def _element(self, cursor: Cursor, type: CType, path: Path, entries: list[ast.InitEntry]) -> None:
        cursor = self._string_in_braces(cursor, type)
        if cursor.kind == CursorKind.INIT_LIST:
            self._list(cursor, type, path, entries)
        else:
            self._scalar_or_whole(cursor, type, path, entries)

    def _fill(
        self, items: _Items, type: Array | Record, path: Path, entries: list[ast.InitEntry], braced: bool
    ) -> None:
        """Fill the sub-objects of ``type`` in order, until the items or the sub-objects end."""
        steps = _steps(type)
        number = 0
        while items.left:
            designators = self._designators(items.peek())
            if designators is not None:
                if not braced:
                    return  # belongs to the enclosing list
                number = self._designated(items, designators, type, steps, path, entries)
                continue
            if number >= len(steps):
                if braced:
                    items.next()  # excess elements: clang has warned, C ignores them
                    continue
                return
            step, inner = steps[number]
            number += 1
            self._place(items, inner, (*path, step), entries)

    def _place(self, items: _Items, type: CType, path: Path, entries: list[ast.InitEntry]) -> None:
        """One sub-object: from a brace, from one expression, or (braces left out) from several."""
        cursor = items.peek()
        if not isinstance(type, Array | Record) or cursor.kind == CursorKind.INIT_LIST:
            self._element(items.next(), type, path, entries)
            return
        value = self.unit.expressions.read(cursor)
        if value.type == type or (_is_text(type) and isinstance(value, ast.StringConst)):
            items.next()
            entries.append(ast.InitEntry(path, value))
            return
        self._fill(items, type, path, entries, braced=False)

    def _designators(self, cursor: Cursor) -> list[Cursor] | None:
        """The parts of ``.a[1].b = value`` (the value last), or None."""
        if cursor.kind != CursorKind.UNEXPOSED:
            return None
        first = self.unit.text_at(cursor)[:1]
        return self.lib.children(cursor) if first in (b".", b"[") else None

    def _designated(
        self, items: _Items, parts: list[Cursor], type: CType,
        steps: list[tuple[ast.Step, CType]], path: Path, entries: list[ast.InitEntry],
    ) -> int:
        """Handle ``.a[1] = v``; returns the number of the sub-object after the outermost one."""
        items.next()
        following = 0
        for depth, part in enumerate(parts[:-1]):
            step: ast.Step
            if part.kind == CursorKind.MEMBER_REFERENCE:
                field = self.unit.types.fields.get(self.lib.getCursorReferenced(part).data[0])
                if field is None or not isinstance(type, Record) or field not in type.fields:
                    raise self.unit.unsupported(part, "this designator is not modelled")
                step, inner = field, field.type
            else:
                index = self.lib.integer_value(part)
                if index is None or not isinstance(type, Array):
                    raise self.unit.unsupported(part, "this designator is not modelled")
                step, inner = index, type.element
            if depth == 0:
                following = [known for known, _ in steps].index(step) + 1
            path, type = (*path, step), inner
        self._element(parts[-1], type, path, entries)
        return following


class _Items:
    """The elements of one braced list, consumed in order."""

    def __init__(self, cursors: list[Cursor]) -> None:
        self._cursors = cursors
        self._next = 0

    @property
    def left(self) -> bool:
        return self._next < len(self._cursors)

    def peek(self) -> Cursor:
        return self._cursors[self._next]

    def next(self) -> Cursor:
        self._next += 1
        return self._cursors[self._next - 1]


def _steps(type: Array | Record) -> list[tuple[ast.Step, CType]]:
    if isinstance(type, Array):
        return [(index, type.element) for index in range(type.count or 0)]
    named = [field for field in type.fields if field.name or isinstance(field.type, Record)]
    return [(field, field.type) for field in (named[:1] if type.union else named)]


def _is_text(type: CType) -> bool:
    return isinstance(type, Array) and isinstance(type.element, Int)
