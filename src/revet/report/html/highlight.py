"""Syntax colouring, small: comments, strings, numbers, keywords; other languages stay plain."""

from __future__ import annotations

import re
from html import escape

_C_WORDS = """auto break case const continue default do else enum extern for goto if inline register
return restrict sizeof static struct switch typedef union volatile while assert assume havoc skip"""
_C_TYPES = "char double float int long short signed unsigned void _Bool bool size_t var"
_LUSTRE_WORDS = """node function returns let tel var const type assert if then else pre fby current when
merge and or not xor implies div mod contract import imported guarantee assume mode require ensure
struct enum of check reachable any choose forall exists match with end frame cond otherwise elsif fi last
datatype subtype con noc in"""
_LUSTRE_TYPES = "int real bool subrange int8 int16 int32 int64 uint8 uint16 uint32 uint64 true false"

_NUMBER = r"(?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)[uUlLfF]*\b)"
_WORD = r"(?P<word>[A-Za-z_]\w*)"
_C = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)|(?P<directive>(?<![^\n])[ \t]*\#[^\n]*)"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?)|" + _NUMBER + "|" + _WORD,
    re.DOTALL,
)
_LUSTRE = re.compile(
    r"(?P<directive>--%[^\n]*|--@[^\n]*|\(\*@.*?(?:\*\)|\Z)|/\*@.*?(?:\*/|\Z))"
    r"|(?P<comment>--[^\n]*|\(\*.*?(?:\*\)|\Z)|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"?)|" + _NUMBER + "|" + _WORD,
    re.DOTALL,
)
_LANGUAGES = {
    "C": (_C, set(_C_WORDS.split()), set(_C_TYPES.split())),
    "spa": (_C, set(_C_WORDS.split()), set(_C_TYPES.split())),
    "lustre": (_LUSTRE, set(_LUSTRE_WORDS.split()), set(_LUSTRE_TYPES.split())),
}
_CLASSES = {"comment": "co", "string": "st", "number": "nu", "directive": "di"}


def highlighted_lines(text: str, language: str) -> list[str]:
    """The text's lines as HTML; every span is closed at the end of its line."""
    if language not in _LANGUAGES:
        return [escape(line) for line in _lines(text)]
    pattern, words, types = _LANGUAGES[language]
    pieces: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        pieces.append(escape(text[end : match.start()]))
        end = match.end()
        kind = match.lastgroup or ""
        if kind == "word":
            kind = "kw" if match[0] in words else "ty" if match[0] in types else ""
        pieces.append(_spans(match[0], _CLASSES.get(kind, kind)))
    pieces.append(escape(text[end:]))
    return _lines("".join(pieces))


def _spans(text: str, kind: str) -> str:
    if not kind:
        return escape(text)
    lines = text.split("\n")
    return "\n".join(f'<span class="{kind}">{escape(line)}</span>' if line else "" for line in lines)


def _lines(text: str) -> list[str]:
    """Only newlines end a line: form feeds and the like are part of it, as compilers count."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines
