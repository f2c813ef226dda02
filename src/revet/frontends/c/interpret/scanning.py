"""What ``sscanf`` reads from a text: integers and characters, as the C library does it (7.21.6.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c.interpret.formatting import text_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.errors import Position
    from revet.frontends.c.interpret.machine import Machine

_SPACE = b" \t\n\v\f\r"
_PIECE = re.compile(
    rb"(?P<space>[ \t\n\v\f\r]+)|%(?P<none>\*?)(?P<width>\d*)(?P<size>hh|h|ll|l|j|z|t|)(?P<what>[diouxXc%])"
    rb"|(?P<literal>.)", re.DOTALL,
)
_BARE = re.compile(rb"[+-]?0[xX](?![0-9a-fA-F])")  # a prefix without digits
_HEXADECIMAL = rb"[+-]?(?:0[xX])?[0-9a-fA-F]+"
_DIGITS = {
    b"d": rb"[+-]?[0-9]+", b"u": rb"[+-]?[0-9]+", b"o": rb"[+-]?[0-7]+", b"x": _HEXADECIMAL,
    b"X": _HEXADECIMAL, b"i": rb"[+-]?(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)",
}
_BITS = {b"hh": 8, b"h": 16, b"": 32, b"l": 32, b"ll": 64, b"j": 64, b"z": 32, b"t": 32}  # at least
_BASES = {b"d": 10, b"u": 10, b"o": 8, b"x": 16, b"X": 16}


def scanned(m: Machine, arguments: Sequence[int], at: Position) -> int:
    """(text, format, number): the value of that conversion, or the result of the call for number -1."""
    text, form, number = text_at(m, arguments[0], at), text_at(m, arguments[1], at), arguments[2]
    count, values = scan(text, form)
    if number < 0:
        return count
    value, fits = values[number]
    if not fits:
        m.unspecified("sscanf() reads a number that does not fit", at)
    return value


def scan(text: bytes, form: bytes) -> tuple[int, list[tuple[int, bool]]]:
    """What ``sscanf`` returns, and the values that it stores, with whether they fit."""
    at, values = 0, list[tuple[int, bool]]()
    for piece in _PIECE.finditer(form):
        skipped = len(text) - len(text[at:].lstrip(_SPACE))
        if piece["space"]:
            at = skipped
            continue
        what = piece["what"]
        if what is not None and what != b"c":
            at = skipped
        if at == len(text):
            return (len(values) or -1), values
        wanted = piece["literal"] or (b"%" if what == b"%" else None)
        if wanted is not None:
            if text[at : at + 1] != wanted:
                break
            at += 1
            continue
        width = int(piece["width"] or len(text))
        read = text[at : at + 1] if what == b"c" else _number(what, text[at : at + width])
        if read is None:
            break
        at += len(read)
        if not piece["none"]:
            values.append((read[0], True) if what == b"c" else _value(what, read, piece["size"]))
    return len(values), values


def _number(what: bytes, text: bytes) -> bytes | None:
    """The characters of a number at the beginning of a text."""
    found = (_BARE.match(text) if what in b"xXi" else None) or re.match(_DIGITS[what], text)
    return found[0] if found else None


def _value(what: bytes, read: bytes, size: bytes) -> tuple[int, bool]:
    if _BARE.fullmatch(read):  # no number, says C; libraries differ
        return 0, False
    digits = read.lstrip(b"+-")
    base = _BASES.get(what, 16 if digits[:2].lower() == b"0x" else 8 if digits[:1] == b"0" else 10)
    value, bits = int(read, base), _BITS[size]
    return value, abs(value) < 1 << (bits - 1 if what in b"di" else bits)
