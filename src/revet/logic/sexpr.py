"""Tokens and nested lists: the lexical layer of SMT-LIB and of other notations in parentheses.

Built for files of many megabytes. A text is cut into pieces and each piece into tokens by *one*
regular expression call, so that most of the work happens outside Python; tokens carry no
position. A place is worked out afterwards, by going through the text a second time, when somebody
asks for it: for an error, or for the position of a command (:class:`Mark`).

A token is a text: a parenthesis, or an atom. Simple symbols written between bars lose them
(``|x|`` is ``x``); others keep theirs, which tells ``|5|`` from ``5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import length_hint
from typing import NamedTuple

from revet.errors import InputError, Position, Unsupported

_TOKEN = re.compile(r"""[()]|[^\s()|";]+|\|[^|]*\||"(?:[^"]|"")*"|;[^\n]*|[|"]""")
_HAS_QUOTES_OR_COMMENTS = re.compile(r"""[|";]""").search
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/\-][A-Za-z0-9~!@$%^&*_+=<>.?/\-]*\Z")
_WORDS = frozenset(("let", "forall", "exists", "match", "par", "as", "_", "!", "true", "false"))
_PIECE = 1 << 20

Nested = str | list["Nested"]
"""An atom, or what stands between two parentheses."""


class Mark(NamedTuple):
    """A token's number in the piece of the text that starts at ``piece``."""

    piece: int
    number: int


class Source:
    """A text that knows its name, to make errors with positions."""

    def __init__(self, text: str, file: str = "<text>") -> None:
        self.text = text
        self.file = file

    def position(self, offset: int) -> Position:
        line = self.text.count("\n", 0, offset) + 1
        return Position(self.file, line, offset - self.text.rfind("\n", 0, offset))

    def error(self, message: str, offset: int, kind: type[InputError] = InputError) -> InputError:
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        line = self.text[start : len(self.text) if end < 0 else end]
        return kind(message, self.position(offset), line if len(line) < 4000 else None)


class Tokens:
    """The tokens of a text, one after the other (``for token in tokens.stream``).

    ``since`` is where the command began that is being read, if somebody keeps it up to date."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._start = self._end = 0
        self._tokens: list[str] = []
        self._current: Iterator[str] = iter(())
        self._plain: dict[str, str] = {}
        self.since = Mark(0, 0)
        self.stream: Iterator[str] = chain.from_iterable(self._pieces())

    def _pieces(self) -> Iterator[Iterator[str]]:
        text, length = self.source.text, len(self.source.text)
        while self._end < length:
            self._start = start = self._end
            size = _PIECE
            while True:
                cut = text.find("\n(", start + size)
                self._end = length if cut < 0 else cut + 1
                self._tokens = self._cut(start, self._end)
                # A bar or a quote alone: the piece ends inside of a quoted symbol or a text.
                if self._end == length or not ("|" in self._tokens or '"' in self._tokens):
                    break
                size *= 2
            self._current = iter(self._tokens)
            yield self._current

    def _cut(self, start: int, end: int) -> list[str]:
        piece = self.source.text[start:end]
        if not _HAS_QUOTES_OR_COMMENTS(piece):  # the same tokens, in a third of the time
            return piece.replace("(", " ( ").replace(")", " ) ").split()
        tokens: list[str] = _TOKEN.findall(piece)
        if ";" in piece:
            tokens = [token for token in tokens if token[0] != ";"]
        if "|" in piece:
            plain = self._plain
            for token in {token for token in tokens if token[0] == "|"} - plain.keys():
                inside = token[1:-1]
                simple = _SIMPLE.match(inside) and inside not in _WORDS
                plain[token] = inside if simple else token
            tokens = [plain[token] if token[0] == "|" else token for token in tokens]
        return tokens

    # ------------------------------------------------------------------ places

    def mark(self) -> Mark:
        """The place of the token read last (of the first, if none was read)."""
        return Mark(self._start, max(0, len(self._tokens) - length_hint(self._current) - 1))

    def offset(self, mark: Mark) -> int:
        """Where in the text a marked token is: takes as long as reading up to there again."""
        number = -1
        found = mark.piece
        for match in _TOKEN.finditer(self.source.text, mark.piece):
            if match.group()[0] != ";":
                number += 1
                found = match.start()
                if number == mark.number:
                    break
        return found

    def opening(self, upto: Mark | None) -> int:
        """The offset of the innermost parenthesis that is open at the marked token, or at the end of
        the text. A closing parenthesis still belongs to what it closes."""
        opened: list[int] = []
        start = self.offset(self.since)
        end = len(self.source.text) if upto is None else self.offset(upto)
        for match in _TOKEN.finditer(self.source.text, start):
            if match.start() >= end:
                break
            if match.group() == "(":
                opened.append(match.start())
            elif match.group() == ")" and opened:
                opened.pop()
        return opened[-1] if opened else start

    def position(self, mark: Mark) -> Position:
        return self.source.position(self.offset(mark))

    def positions(self, marks: Sequence[Mark]) -> list[Position]:
        """The positions of marks that are given in order, in one walk through the text."""
        found: list[Position] = []
        line, counted, number, piece = 1, 0, -1, -1
        matches: Iterator[re.Match[str]] = iter(())
        for mark in marks:
            if mark.piece != piece:
                piece, number = mark.piece, -1
                matches = _TOKEN.finditer(self.source.text, piece)
            for match in matches:
                number += match.group()[0] != ";"
                if number == mark.number:
                    start = match.start()
                    line += self.source.text.count("\n", counted, start)
                    counted = start
                    column = start - self.source.text.rfind("\n", 0, start)
                    found.append(Position(self.source.file, line, column))
                    break
        return found

    def error(self, message: str, mark: Mark | None = None) -> InputError:
        """An error at a marked token, or at the one read last."""
        return self.source.error(message, self.offset(mark or self.mark()))

    def unsupported(self, message: str, mark: Mark | None = None) -> InputError:
        return self.source.error(message, self.offset(mark or self.mark()), Unsupported)

    # ------------------------------------------------------------------ nested lists

    def next(self) -> str:
        """The next token; an error at the end of the text."""
        token = next(self.stream, None)
        if token is None:
            raise self.unclosed()
        return token

    def unclosed(self) -> InputError:
        """The text has ended too early."""
        return self.source.error("this parenthesis is never closed", self.opening(None))

    def nested(self, token: str | None = None) -> Nested:
        """The next atom or list; ``token`` is its first token, if that has been read already."""
        token = self.next() if token is None else token
        if token == ")":
            raise self.error("a closing parenthesis without its opening one")
        if token != "(":
            return token
        result: list[Nested] = []
        enclosing: list[list[Nested]] = []
        stream = self.stream
        for token in stream:
            if token == "(":
                enclosing.append(result)
                result = []
            elif token == ")":
                if not enclosing:
                    return result
                done = result
                result = enclosing.pop()
                result.append(done)
            else:
                result.append(token)
        raise self.unclosed()

    def rest(self) -> list[Nested]:
        """What is left of the list that was entered last, up to its closing parenthesis."""
        found = []
        while (token := self.next()) != ")":
            found.append(self.nested(token))
        return found


def unquoted(token: str) -> str:
    """A symbol's name: without the bars."""
    return token[1:-1] if token[0] == "|" else token


def spelling(name: str) -> str:
    """The token that names a symbol: with bars where it needs them."""
    return name if is_symbol(name) and name[0] != "|" else f"|{name}|"


def is_symbol(token: Nested) -> bool:
    """Is it a name (quoted or not), not a number, text, keyword or reserved word?"""
    if not isinstance(token, str):
        return False
    return (token[0] == "|" and len(token) > 2) or bool(_SIMPLE.match(token) and token not in _WORDS)
