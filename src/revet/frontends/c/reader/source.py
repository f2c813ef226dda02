"""Source texts and the places in them: clang gives byte offsets, users want lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import Position
from revet.frontends.c.ast import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.frontends.c.clang.nodes import Node, Place

_ARGUMENTS = re.compile(rb"\s*\(")
_SIGN = re.compile(rb'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[()]')
_LONGEST = 10_000  # characters of a macro's arguments


class _Positions(dict[int, Position]):
    """Positions by clang's offsets, each made once: an expression and its first operands share one."""

    def __init__(self, make: Callable[[int], Position]) -> None:
        self._make = make

    def __missing__(self, offset: int) -> Position:
        found = self[offset] = self._make(offset)
        return found


class Source:
    """One text."""

    def __init__(
        self, text: bytes, name: str, way: Callable[[int], int] | None = None,
        appended: tuple[int, str] | None = None,
    ) -> None:
        """``appended``: from this offset on the text is one that has this name."""
        self.text = text
        self._appended = appended
        self.way = way  # from clang's offsets to those in the text, if clang reads another one
        self.name = name
        self._lines = [0]
        find = text.find
        at = find(b"\n")
        while at >= 0:
            self._lines.append(at + 1)
            at = find(b"\n", at + 1)
        self.positions = _Positions(self._position)

    def position(self, offset: int) -> Position:
        return self.positions[offset]

    def _position(self, offset: int) -> Position:
        at = offset if self.way is None else self.way(offset)
        line = bisect_right(self._lines, at)
        column = at - self._lines[line - 1] + 1
        if self._appended is not None and at >= self._appended[0]:
            before = bisect_right(self._lines, self._appended[0])
            return Position(self._appended[1], line - before, column)
        return Position(self.name, line, column)

    def cut(self, start: int, end: int, arguments: bool) -> bytes:
        """What stands between two of clang's offsets, with the arguments of a macro that follow."""
        start, end = self._bounds(start, end, arguments)
        return self.text[start:end]

    def first_line(self, start: int, end: int, arguments: bool) -> str:
        """The first line of the same."""
        start, end = self._bounds(start, end, arguments)
        stop = self.text.find(b"\n", start, end)
        return self.text[start : end if stop < 0 else stop].decode("utf-8", "replace").strip()

    def _bounds(self, start: int, end: int, arguments: bool) -> tuple[int, int]:
        if self.way is not None:
            start, end = self.way(start), self.way(end)
        return start, _after_arguments(self.text, end) if arguments else end

    def offset(self, line: int, column: int) -> int | None:
        """The inverse of :meth:`position`."""
        return self._lines[line - 1] + column - 1 if 0 < line <= len(self._lines) else None

    def line_text(self, line: int) -> str:
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        return self.text[self._lines[line - 1] : end].decode("utf-8", "replace").rstrip("\n")


class Sources:
    """The files of one translation unit, by the names that clang gives them.

    ``folders`` hold the headers of the system; ``marked`` are the offsets in the main file where a
    preprocessor noted that a header of the system begins (or ends).
    """

    def __init__(
        self, main: Source, file: str, folders: tuple[str, ...], marked: tuple[tuple[int, bool], ...] = ()
    ) -> None:
        self.main = main
        self.file = file
        self._known: dict[str, Source] = {file: main}
        self._positions = main.positions
        self._folders = folders
        self._marks = [offset for offset, _ in marked]
        self._systems = [system for _, system in marked]

    def is_system(self, file: str, offset: int) -> bool:
        """Does the place belong to a header of the system?"""
        if file == self.file:
            found = bisect_right(self._marks, offset if self.main.way is None else self.main.way(offset)) - 1
            return found >= 0 and self._systems[found]
        return file.startswith(self._folders) or offset < 0

    def source(self, file: str | None) -> Source:
        """The one of this name; without one, the main file."""
        if file is None:
            return self.main
        found = self._known.get(file)
        if found is None:
            try:
                text = Path(file).read_bytes()
            except OSError:
                text = b""
            found = self._known[file] = Source(text, file)
        return found

    def is_main(self, place: Place) -> bool:
        return place.offset >= 0 and (place.file is None or place.file == self.file)

    def position(self, place: Place) -> Position:
        offset = place.offset
        if offset < 0:
            return Position(self.main.name, 1, 1)  # something that clang made up
        return self.source(place.file).positions[offset]

    def start(self, node: Node) -> Position:
        """Where a node begins (in a macro: where that is used)."""
        assert node.range is not None
        place = node.range.begin
        if place.expansion_loc is not None:
            place = place.expansion_loc
        if place.file is None and place.offset >= 0:  # nearly always: no further calls
            return self._positions[place.offset]
        return self.position(place)

    def line_text(self, place: Place) -> str | None:
        if place.offset < 0:
            return None
        source = self.source(place.file)
        return source.line_text(source.position(place.offset).line)

    def text(self, node: Node) -> bytes:
        """The text of a node; empty if it begins in one file and ends in another."""
        begin, end = node.begin, node.end
        if begin.offset < 0 or begin.file != end.file:
            return b""
        return self.source(begin.file).cut(begin.offset, end.offset + end.tok_len, node.in_macro)

    def span(self, node: Node) -> Span:
        """A statement's place, with the text of its first line (for compound statements)."""
        begin, end = node.begin, node.end
        if begin.offset < 0:
            at = self.position(begin)
            return Span(at, at, "")
        source = self.source(end.file)
        last = source.positions[end.offset + max(end.tok_len - 1, 0)]
        if begin.file != end.file:
            return Span(self.position(begin), last, "")
        first = source.first_line(begin.offset, end.offset + end.tok_len, node.in_macro)
        return Span(source.positions[begin.offset], last, first[:120])


def _after_arguments(text: bytes, at: int) -> int:
    """Where the arguments of a macro end whose name ends at ``at``."""
    found = _ARGUMENTS.match(text, at)
    if found is None:
        return at
    depth = 0
    for sign in _SIGN.finditer(text, at, at + _LONGEST):
        depth += (sign[0] == b"(") - (sign[0] == b")")
        if depth == 0 and sign[0] == b")":
            return sign.end()
    return at
