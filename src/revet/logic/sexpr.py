"""S-expressions with positions: the lexical layer of SMT-LIB. Iterative, any depth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revet.errors import InputError, Position

_TOKEN = re.compile(
    r"""(?P<space>\s+|;[^\n]*)
      | (?P<open>\() | (?P<close>\))
      | (?P<quoted>\|[^|\\]*\|)
      | (?P<string>"(?:[^"]|"")*")
      | (?P<decimal>\d+\.\d+) | (?P<numeral>\d+)
      | (?P<bits>\#b[01]+) | (?P<hex>\#x[0-9a-fA-F]+)
      | (?P<keyword>:[A-Za-z0-9~!@$%^&*_+=<>.?/\-]+)
      | (?P<symbol>[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*)""",
    re.VERBOSE,
)


class Atom:
    """``kind`` is the token's: symbol, numeral, decimal, bits, hex, string or keyword."""

    __slots__ = ("kind", "offset", "text")

    def __init__(self, kind: str, text: str, offset: int) -> None:
        self.kind = kind
        self.text = text
        self.offset = offset

    def __repr__(self) -> str:
        return self.text


class Group:
    """A parenthesised list."""

    __slots__ = ("items", "offset")

    def __init__(self, offset: int) -> None:
        self.items: list[Expression] = []
        self.offset = offset


Expression = Atom | Group


class Source:
    """A text that knows its name, to make errors with positions."""

    def __init__(self, text: str, file: str = "<text>") -> None:
        self.text = text
        self.file = file

    def error(self, message: str, where: Expression | int) -> InputError:
        offset = where if isinstance(where, int) else where.offset
        line = self.text.count("\n", 0, offset) + 1
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        source_line = self.text[start : len(self.text) if end < 0 else end]
        position = Position(self.file, line, offset - start + 1)
        return InputError(message, position, source_line if len(source_line) < 200 else None)

    def expressions(self) -> Iterator[Expression]:
        """The expressions at top level, one after the other."""
        open_groups: list[Group] = []
        offset, length = 0, len(self.text)
        while offset < length:
            found = _TOKEN.match(self.text, offset)
            if found is None:
                raise self.error(f"unexpected character {self.text[offset]!r}", offset)
            kind, start, offset = str(found.lastgroup), offset, found.end()
            if kind == "space":
                continue
            if kind == "open":
                open_groups.append(Group(start))
                continue
            if kind == "close":
                if not open_groups:
                    raise self.error("a closing parenthesis without its opening one", start)
                done: Expression = open_groups.pop()
            else:
                done = _atom(kind, found.group(), start)
            if open_groups:
                open_groups[-1].items.append(done)
            else:
                yield done
        if open_groups:
            raise self.error("this parenthesis is never closed", open_groups[-1])


def _atom(kind: str, text: str, offset: int) -> Atom:
    if kind == "quoted":
        return Atom("symbol", text[1:-1], offset)
    if kind == "string":
        return Atom(kind, text[1:-1].replace('""', '"'), offset)
    return Atom(kind, text, offset)
