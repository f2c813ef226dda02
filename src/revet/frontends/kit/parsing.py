"""What the hand-written parsers of the small languages share: sources and tokens.

A :class:`Source` knows its lines and makes every error message: file, line, column, the line
itself, and what was expected. A :class:`Lexer` is one regular expression made from a table; a
:class:`Tokens` stream has the few operations a recursive-descent parser needs.

The parsers themselves are plain recursive descent (:mod:`revet.frontends.kit.deep` is for deep nests).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from revet.errors import InputError, Position, Unsupported
from revet.model.names import RESERVED, is_plain


class Source:
    """A text with its name; makes positions and errors from offsets."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        return Position(self.file, line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")

    def error(
        self, message: str, offset: int, kind: Callable[[str, Position, str], InputError] = InputError
    ) -> InputError:
        """An error that points at ``offset``; raise it."""
        position = self.position(offset)
        return kind(message, position, self.line(position.line))

    def unsupported(self, message: str, offset: int) -> InputError:
        return self.error(message, offset, Unsupported)

    def excerpt(self, start: int, end: int) -> str:
        """What the user wrote between two offsets, on one line."""
        return " ".join(self.text[start:end].split())

    def check_name(self, name: str, offset: int, what: str = "variable") -> None:
        if not is_plain(name):
            marks = " ".join(RESERVED)
            raise self.error(f"a {what} must not have {marks} in its name: {name}", offset)


class Token(NamedTuple):
    """``kind`` is the text itself for symbols and keywords, else the name of a token class."""

    kind: str
    text: str
    offset: int

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


END = "end of file"


class Lexer:
    """Splits a text into tokens.

    ``classes`` are (kind, regular expression) pairs, tried in order before ``symbols`` (longest
    first); the text of a class listed in ``keywords`` becomes its own kind. ``comments`` are
    skipped like white space.
    """

    def __init__(
        self,
        classes: Sequence[tuple[str, str]],
        symbols: Iterable[str],
        keywords: Iterable[str] = (),
        comments: Sequence[str] = (r"//[^\n]*", r"/\*(?:[^*]|\*(?!/))*\*/"),
    ) -> None:
        ordered = sorted(symbols, key=len, reverse=True)
        parts = [f"(?P<skip>\\s+|{'|'.join(comments)})"]
        self._kinds = {f"k{number}": kind for number, (kind, _) in enumerate(classes)}
        parts += [f"(?P<k{number}>{pattern})" for number, (_, pattern) in enumerate(classes)]
        parts.append(f"(?P<symbol>{'|'.join(map(re.escape, ordered))})")
        self._match = re.compile("|".join(parts)).match
        self._keywords = frozenset(keywords)
        self._block_comments = any(pattern.startswith(r"/\*") for pattern in comments)

    def tokens(self, source: Source) -> list[Token]:
        found: list[Token] = []
        text, position, size = source.text, 0, len(source.text)
        while position < size:
            match = self._match(text, position)
            if match is None:
                raise source.error(f"unexpected character {text[position]!r}", position)
            group = match.lastgroup
            if group != "skip":
                piece = match.group()
                if piece == "/" and self._block_comments and text.startswith("/*", position):
                    raise source.error("this comment is never closed", position)
                kind = piece if group == "symbol" or piece in self._keywords else self._kinds[str(group)]
                found.append(Token(kind, piece, position))
            position = match.end()
        found.append(Token(END, "", size))
        return found


class Tokens:
    """A stream of tokens with one token of look-ahead (``next``)."""

    def __init__(self, source: Source, lexer: Lexer) -> None:
        self.source = source
        self._tokens = lexer.tokens(source)
        self._position = 0
        self.next = self._tokens[0]

    def advance(self) -> Token:
        """Take the next token."""
        token = self.next
        if token.kind != END:
            self._position += 1
            self.next = self._tokens[self._position]
        return token

    def peek(self, distance: int) -> Token:
        """The token ``distance`` places after the next one."""
        return self._tokens[min(self._position + distance, len(self._tokens) - 1)]

    @property
    def last(self) -> Token:
        """The token taken last."""
        return self._tokens[max(self._position - 1, 0)]

    def accept(self, kind: str) -> Token | None:
        """Take the next token if it is of this kind."""
        return self.advance() if self.next.kind == kind else None

    def expect(self, kind: str, where: str = "") -> Token:
        if self.next.kind != kind:
            raise self.unexpected(kind, where=where)
        return self.advance()

    def unexpected(self, *expected: str, where: str = "") -> InputError:
        """The error "expected … but found …" at the next token; raise it."""
        token = self.next
        found = f"'{token.text}'" if token.kind != END else "the end of the input"
        wanted = " or ".join(_shown(kind) for kind in expected)
        # A missing token is best shown where it should stand: after the token before.
        offset = token.offset
        if token.kind == END and self._position > 0:
            offset = self.last.end
        context = f" {where}" if where else ""
        return self.source.error(f"expected {wanted}{context}, found {found}", offset)


def _shown(kind: str) -> str:
    plain = all(char.isalpha() or char == " " for char in kind)
    return kind if plain and kind.startswith(("a ", "an ", "the ", "end ")) else f"'{kind}'"
