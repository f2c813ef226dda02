"""Tokens of Lustre. Comments go, except ``--%MAIN``, ``--%PROPERTY`` and ``(*@contract … *)``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from revet.errors import InputError, Position

_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\f\v]+)
    | (?P<newline>\n)
    | (?P<annotation>--[%!][ \t]*(?:MAIN|PROPERTY)\b)
    | (?P<comment>--[^\n]*)
    | (?P<contract>(?:\(\*|/\*)@contract\b|\*\)|\*/)
    | (?P<block>\(\*|/\*)
    | (?P<number>\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)
    | (?P<name>[A-Za-z_][A-Za-z0-9_~]*)
    | (?P<string>"[^"\n]*")
    | (?P<symbol>->|=>|<>|<=|>=|:=|\.\.|[-+*/=<>()\[\]{},;:.#&|^%])
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


def tokenize(text: str, path: str) -> list[Token]:
    tokens: list[Token] = []
    line, start, at = 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            place = Position(path, line, at - start + 1)
            raise InputError(f"unexpected character {text[at]!r}", place, _line(text, start))
        kind, found = str(match.lastgroup), match.group()
        column = at - start + 1
        at = match.end()
        if kind == "newline":
            line, start = line + 1, at
        elif kind == "block":
            close = text.find("*)" if found == "(*" else "*/", at)
            if close < 0:
                raise InputError("comment without an end", Position(path, line, column), _line(text, start))
            skipped = text[at:close]
            if "\n" in skipped:
                line += skipped.count("\n")
                start = at + skipped.rindex("\n") + 1
            at = close + 2
        elif kind == "annotation":
            tokens.append(Token("annotation", found.lstrip("-%! \t"), line, column))
        elif kind in ("name", "symbol"):
            own_kind = kind == "symbol" or found in KEYWORDS
            tokens.append(Token(found if own_kind else "name", found, line, column))
        elif kind == "contract":
            tokens.append(Token("(*@contract" if found[0] in "(/" else "*)", found, line, column))
        elif kind in ("number", "string"):
            tokens.append(Token(kind, found, line, column))
    tokens.append(Token("end", "", line, max(1, len(text) - start)))
    return tokens


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start:] if end < 0 else text[start:end]
