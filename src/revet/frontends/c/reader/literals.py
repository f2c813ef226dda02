"""Literals, as clang prints them in its tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c.types import Int

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.reader.unit import UnitReader

_PIECE = re.compile(r'(?:u8|[LuU])?"((?:[^"\\]|\\.)*)"', re.S)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
_BEYOND = "1e5000"  # more than any type holds: infinity


def string(text: str, bits: int) -> list[int] | None:
    """The elements of a string literal, of so many bits each and without a final zero; None if the text is
    not one.

    clang prints bytes beyond ASCII as octal escapes, a pair of surrogates (UTF-16) as the character that it
    stands for, and a literal as several where an escape would run into what follows.
    """
    elements: list[int] = []
    rest = 0
    for piece in _PIECE.finditer(text):
        if piece.start() != rest:
            return None
        rest = piece.end()
        found = _elements(piece[1])
        if found is None:
            return None
        elements += found
    if bits == 16:
        elements = [unit for element in elements for unit in _utf16(element)]
    fits = all(element < 1 << bits for element in elements)
    return elements if fits and rest == len(text) else None


def _utf16(character: int) -> tuple[int, ...]:
    """A character as one element, or as two surrogates."""
    if character < 0x10000:
        return (character,)
    return (0xD800 + ((character - 0x10000) >> 10), 0xDC00 + ((character - 0x10000) & 0x3FF))


def _elements(body: str) -> list[int] | None:
    found: list[int] = []
    at = 0
    while at < len(body):
        if body[at] != "\\":
            found.append(ord(body[at]))
            at += 1
            continue
        escape = _ESCAPE.match(body, at)
        if escape is None:
            return None
        at = escape.end()
        hexadecimal = escape[1] or escape[3] or escape[4]
        if hexadecimal is not None:
            found.append(int(hexadecimal, 16))
        elif escape[2] is not None:
            found.append(int(escape[2], 8))
        elif escape[5] in _SIMPLE:
            found.append(_SIMPLE[escape[5]])
        else:
            return None
    return found


def floating(value: str) -> str | None:
    """A number in decimal that rounds to the literal's value; None if it is not a number."""
    if value.lstrip("+").lower().startswith("inf"):
        return _BEYOND
    try:
        float(value)
    except ValueError:
        return None
    return value


def note_enumerator(unit: UnitReader, value: int, type: Int, at: Position) -> None:
    """Compilers differ in the type of a small enumerator beside a large one: the answer says so."""
    small = Int(32, True)
    if (type.bits, type.signed) != (32, True) and small.least <= value <= small.greatest:
        what = "enumerators have the type of an enumeration that is wider than int (C23; not so in gcc 12)"
        unit.linkage.note(what, at)
