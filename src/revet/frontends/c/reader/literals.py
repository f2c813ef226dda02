"""Literals are read from their text: cheaper than clang's evaluator, and exact for strings."""

from __future__ import annotations

import re

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")
_PIECE = re.compile(rb'(u8|[LuU])?"((?:[^"\\]|\\.)*)"', re.S)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\n|.)", re.S)
_SIMPLE = {
    "n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "'": 39,
    '"': 34, "?": 63,
}


def integer(text: str) -> int | None:
    """``0x1fUL`` → 31; None if the text is not a plain integer literal (a macro's, say)."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        return None
    digits = found[1]
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    if digits[:2] in ("0b", "0B"):
        return int(digits, 2)
    return int(digits, 8 if digits[0] == "0" and len(digits) > 1 else 10)


def floating(text: str) -> str | None:
    """The literal without its suffix, or None if it is not one."""
    hexadecimal = text[:2] in ("0x", "0X")
    bare = text.rstrip("lL") if hexadecimal else text.rstrip("fFlL")
    if hexadecimal and "p" in bare.lower():
        bare = bare.rstrip("fF")
    try:
        float.fromhex(bare) if hexadecimal else float(bare)
    except ValueError:
        return None
    return bare


def string(text: bytes) -> list[int] | None:
    """The elements of (concatenated) string literals, without a final zero; None if unreadable."""
    elements: list[int] = []
    rest = 0
    for piece in _PIECE.finditer(text):
        if text[rest : piece.start()].strip():
            return None
        rest = piece.end()
        wide = piece[1] in (b"L", b"u", b"U")
        body = piece[2].decode("utf-8" if wide else "latin-1", "replace")
        elements += _characters(body)
    return None if text[rest:].strip() else elements


def _characters(body: str) -> list[int]:
    found: list[int] = []
    at = 0
    while at < len(body):
        if body[at] != "\\":
            found.append(ord(body[at]))
            at += 1
            continue
        escape = _ESCAPE.match(body, at)
        if escape is None:
            found.append(ord("\\"))
            at += 1
            continue
        at = escape.end()
        code = escape[1]
        if code[0] in "xuU" and len(code) > 1:
            found.append(int(code[1:], 16))
        elif code[0] in "01234567":
            found.append(int(code, 8))
        elif code != "\n":
            found.append(_SIMPLE.get(code, ord(code)))
    return found
