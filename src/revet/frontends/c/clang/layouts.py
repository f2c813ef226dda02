"""Sizes of structures and unions, as clang lays them out (``-fdump-record-layouts-simple``)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LAYOUT = re.compile(
    rb"\*\*\* Dumping AST Record Layout\nType: (.*)\n\nLayout: <ASTRecordLayout\n"
    rb"  Size:(\d+)\n(?:  .*\n)*?  Alignment:(\d+)\n(?:  .*\n)*?  FieldOffsets: \[(.*)\]>"
)
_PLACE = re.compile(r".*\((?:unnamed|anonymous)[^()]* at (.*)\)$")  # the innermost one


@dataclass(frozen=True, slots=True)
class Layout:
    """In bits; one offset for every field, unnamed ones included. ``early``: attributes behind the brace,
    also those of records inside, were not known yet."""

    size: int
    align: int
    offsets: tuple[int, ...]
    early: bool = False


def record_key(text: str) -> str:
    """``struct S::(anonymous at f.c:4:9)`` → ``struct (f.c:4:9)``: what identifies the record
    whether or not the text says where it is nested."""
    place = _PLACE.search(text)
    if place is None:
        return text
    return f"{text.split(' ', 1)[0]} ({place[1]})"


def read_layouts(text: bytes) -> dict[str, list[Layout]]:
    """By the record's key, in the order in which the records were completed."""
    found: dict[str, list[Layout]] = {}
    for match in _LAYOUT.finditer(text):
        offsets = tuple(int(number) for number in match[4].split(b",") if number.strip())
        layout = Layout(int(match[2]), int(match[3]), offsets)
        found.setdefault(record_key(match[1].decode("utf-8", "replace")), []).append(layout)
    return found
