"""One source text and the positions in it.

clang numbers the bytes of the main file consecutively, so a cursor's raw location minus the
file's base *is* the byte offset; asking the library for line and column of every node would cost
more than parsing. Line markers of the preprocessor (``# 12 "file.c"``) are honoured only when we
ran the preprocessor: in a file that the user gave, positions are positions in that file.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from revet.errors import Position
from revet.frontends.c.ast import Span

_MARKER = re.compile(rb'^\s*#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"', re.M)


class Source:
    """The bytes clang parses, and what the user calls the places in them."""

    def __init__(self, text: bytes, name: str, use_markers: bool) -> None:
        self.text = text
        self.name = name
        self._lines = [0]
        find = text.find
        at = find(b"\n")
        while at >= 0:
            self._lines.append(at + 1)
            at = find(b"\n", at + 1)
        self._positions: dict[int, Position] = {}
        self._marked: list[int] = []
        self._origins: list[tuple[str, int]] = []
        if use_markers:
            for marker in _MARKER.finditer(text):
                line = bisect_right(self._lines, marker.end() - 1)
                self._marked.append(line + 1)
                self._origins.append((marker[2].decode("utf-8", "replace"), int(marker[1])))

    def position(self, offset: int) -> Position:
        """What the user calls a place: an expression and its first operands share one."""
        found = self._positions.get(offset)
        if found is None:
            found = self._positions[offset] = self._position(offset)
        return found

    def _position(self, offset: int) -> Position:
        line = bisect_right(self._lines, offset)
        column = offset - self._lines[line - 1] + 1
        found = bisect_right(self._marked, line) - 1
        if found < 0:
            return Position(self.name, line, column)
        file, first = self._origins[found]
        return Position(file, first + line - self._marked[found], column)

    def offset(self, file: str, line: int, column: int) -> int | None:
        """The inverse of :meth:`position`; ``file`` is compared by its last part."""
        if not self._marked:
            found = line
        else:
            starts = zip(self._marked, [*self._marked[1:], len(self._lines) + 2], self._origins, strict=True)
            found = next(
                (begin + line - first for begin, end, (name, first) in starts
                 if name.rsplit("/", 1)[-1] == file and first <= line < first + end - 1 - begin),
                0,
            )
        return self._lines[found - 1] + column - 1 if 0 < found <= len(self._lines) else None

    def line_text(self, offset: int) -> str:
        line = bisect_right(self._lines, offset)
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        return self.text[self._lines[line - 1] : end].decode("utf-8", "replace").rstrip("\n")

    def span(self, start: int, end: int) -> Span:
        """A statement's place, with the text of its first line (for compound statements)."""
        first = self.text[start:end].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        return Span(self.position(start), self.position(max(start, end - 1)), first[:120])
