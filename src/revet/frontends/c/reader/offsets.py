"""``offsetof``: clang's tree has no operands for it, so they are read from a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from revet.frontends.c.reader.type_text import UnknownType
from revet.frontends.c.types import Array, CType, Record, size_of

if TYPE_CHECKING:
    from revet.frontends.c.reader.type_reader import TypeReader

_CALL = re.compile(
    r"\w+\s*\(\s*(?P<type>(?:[\w\s]|\([\w\s*]*\))+?)\s*,\s*(?P<first>\w+)"
    r"(?P<rest>(?:\s*\.\s*\w+|\s*\[\s*\d+\s*\])*)\s*\)"
)
_STEP = re.compile(r"\.\s*(\w+)|\[\s*(\d+)\s*\]")


def offset_of(text: bytes, types: TypeReader) -> int | None:
    """The value of ``offsetof(type, a.b[3])`` in bytes; None if the text is not that simple."""
    call = _CALL.fullmatch(text.decode("utf-8", "replace").strip())
    if call is None:
        return None
    try:
        type = types.resolve(" ".join(call["type"].split())).type
    except UnknownType:
        return None
    bits = 0
    for step in _STEP.finditer(f".{call['first']}{call['rest']}"):
        found = _member(type, step[1]) if step[1] else _element(type, int(step[2]))
        if found is None:
            return None
        offset, type = found
        bits += offset
    return bits // 8


def _element(type: CType, index: int) -> tuple[int, CType] | None:
    return (index * size_of(type.element) * 8, type.element) if isinstance(type, Array) else None


def _member(type: CType, name: str) -> tuple[int, CType] | None:
    """A field, also of an unnamed record inside."""
    if not isinstance(type, Record) or not type.complete:
        return None
    for field in type.fields:
        if field.name == name:
            return None if field.width is not None else (field.offset, field.type)
        if not field.name:
            inner = _member(field.type, name)
            if inner is not None:
                return field.offset + inner[0], inner[1]
    return None
