"""Tokens of Lustre. Comments go, except the annotations ``--%MAIN``, ``--%PROPERTY`` (also in the
spellings ``--!PROPERTY :``, ``(*%MAIN; *)`` and ``/*!PROPERTY …*/``) and ``(*@contract … *)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from revet.errors import InputError, Position, Unsupported
from revet.frontends.kit.syntax import MOST_DIGITS
from revet.logic.values import LARGEST_EXPONENT

_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\f\v]+)
    | (?P<newline>\n)
    | (?P<annotation>--[%!][ \t]*(?:MAIN|PROPERTY)\b(?:[ \t]*:)?)
    | (?P<comment>--[^\n]*|//[^\n]*)
    | (?P<boxed>(?:\(\*|/\*)[ \t]*[%!][ \t]*(?:MAIN|PROPERTY)\b(?:[ \t]*:)?)
    | (?P<contract>(?:\(\*|/\*)\s*@contract\b)
    | (?P<block>\(\*|/\*)
    | (?P<close>\*\)|\*/)
    | (?P<hex>0[xX](?:[0-9A-Fa-f]+(?:\.(?!\.)[0-9A-Fa-f]*)?|\.[0-9A-Fa-f]+)(?:[pP][+-]?\d+)?)
    | (?P<number>\d+\.(?!\.)\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)
    | (?P<name>[A-Za-z_][A-Za-z0-9_~]*)
    | (?P<string>"[^"\n]*")
    | (?P<symbol>->|==>|=>|<>|<=|>=|:=|::|\.\.|\+\+|&&|\|\||'\(|[-+*/=<>()\[\]{},;:.\#|^%@?!])
    """,
    re.VERBOSE,
)

KEYWORDS = frozenset(
    [
        "node", "function", "returns", "let", "tel", "var", "const", "type", "enum", "subrange", "of",
        "if", "then", "else", "and", "or", "xor", "not", "pre", "fby", "div", "mod", "true", "false",
        "assert", "check", "bool", "int", "real",
    ]
)


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is name, number, string, annotation, end, or the keyword or symbol itself."""

    kind: str
    text: str
    line: int
    column: int
    path: str


class _Lexer:
    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.line = 1
        self.start = 0  # of the line
        self.tokens: list[Token] = []
        self.boxed = 0  # open comments whose contents count

    def run(self) -> list[Token]:
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise self._error(f"unexpected character {self.text[at]!r}", at)
            at = self._take(str(match.lastgroup), match.group(), at, match.end())
        self.tokens.append(Token("end", "", self.line, max(1, len(self.text) - self.start), self.path))
        return self.tokens

    def _take(self, kind: str, found: str, at: int, end: int) -> int:
        column = at - self.start + 1
        if kind == "block":
            return self._comment(found, at, end)
        if kind == "annotation" or kind == "boxed":
            word = "MAIN" if "MAIN" in found else "PROPERTY"
            self._emit("annotation" if kind == "annotation" else "boxed annotation", word, column)
            self.boxed += kind == "boxed"
        elif kind == "contract":
            self._emit("(*@contract", found, column)
            self.boxed += 1
        elif kind == "close":
            if not self.boxed:
                raise self._error(f"{found!r} without a beginning", at)
            self.boxed -= 1
            self._emit("*)", found, column)
        elif kind in ("name", "symbol"):
            self._emit(found if kind == "symbol" or found in KEYWORDS else "name", found, column)
        elif kind == "string":
            self._emit(kind, found, column)
        elif kind in ("number", "hex"):
            self._number(found, kind, at)
        if "\n" in found:
            self.line += found.count("\n")
            self.start = at + found.rindex("\n") + 1
        return end

    def _number(self, found: str, kind: str, at: int) -> None:
        _, _, exponent = found.lower().partition("e" if kind == "number" else "p")
        if len(found) > MOST_DIGITS or (exponent and abs(int(exponent)) > LARGEST_EXPONENT):
            refused = self._error("this number is too long", at)
            raise Unsupported(refused.message, refused.position, refused.source_line)
        self._emit("number", found, at - self.start + 1)

    def _emit(self, kind: str, text: str, column: int) -> None:
        self.tokens.append(Token(kind, text, self.line, column, self.path))

    def _comment(self, opening: str, at: int, end: int) -> int:
        close = self.text.find("*)" if opening == "(*" else "*/", end)
        if close < 0:
            raise self._error("comment without an end", at)
        skipped = self.text[end:close]
        if "\n" in skipped:
            self.line += skipped.count("\n")
            self.start = end + skipped.rindex("\n") + 1
        return close + 2

    def _error(self, message: str, at: int) -> InputError:
        stop = self.text.find("\n", self.start)
        line = self.text[self.start :] if stop < 0 else self.text[self.start : stop]
        return InputError(message, Position(self.path, self.line, at - self.start + 1), line)


def tokenize(text: str, path: str) -> list[Token]:
    return _Lexer(text, path).run()
