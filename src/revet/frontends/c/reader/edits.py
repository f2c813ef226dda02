"""Changes to a text before clang reads it, and the way back from the places in the new text.

clang's tree has the length of ``int a[n + 1]`` only as a text. So the length is given a variable of its
own, declared just before, whose initialiser clang shows like any other; positions stay those of the
text that the user wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

LENGTH = "__revet_length_"
_SIGN = re.compile(rb'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|/\*.*?\*/|//[^\n]*|[][]', re.S)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """``new`` in place of what stands between two offsets."""

    start: int
    end: int
    new: bytes


class Edited(Exception):
    """The text must be read again with these changes, too."""

    def __init__(self, unit: int, edits: Sequence[Edit]) -> None:
        super().__init__(unit)
        self.unit = unit
        self.edits = tuple(edits)


def apply(text: bytes, edits: Sequence[Edit]) -> tuple[bytes, Way]:
    """The changed text, and the way back."""
    pieces: list[bytes] = []
    starts, olds, kept = [0], [0], [True]
    at = size = 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.new]
        size += edit.start - at
        starts += [size, size + len(edit.new)]
        olds += [edit.start, edit.end]
        kept += [False, True]
        size += len(edit.new)
        at = edit.end
    return b"".join((*pieces, text[at:])), Way(starts, olds, kept)


class Way:
    """From offsets in a changed text to those in the original one."""

    def __init__(self, starts: list[int], olds: list[int], kept: list[bool]) -> None:
        self._starts = starts
        self._olds = olds
        self._kept = kept

    def __call__(self, offset: int) -> int:
        piece = bisect_right(self._starts, offset) - 1
        return self._olds[piece] + (offset - self._starts[piece] if self._kept[piece] else 0)


def length_edits(text: bytes, declaration: int, after_name: int, number: int) -> list[Edit] | None:
    """Give each length in ``int a[n + 1][m]`` or ``int (*p)[n]`` a variable; None for another text."""
    edits: list[Edit] = []
    declared, at = b"", after_name
    while (opening := re.compile(rb"[\s)]*\[").match(text, at)) is not None:
        depth = 0
        for sign in _SIGN.finditer(text, opening.end() - 1):
            depth += (sign[0] == b"[") - (sign[0] == b"]")
            if depth == 0:
                break
        else:
            return None
        name = f"{LENGTH}{number}_{len(edits)}".encode()
        size = text[opening.end() : sign.start()]
        declared += b"__auto_type " + name + b" = (" + size.replace(b"\n", b" ") + b"); "
        edits.append(Edit(opening.end(), sign.start(), name))
        at = sign.end()
    return [Edit(declaration, declaration, declared), *edits] if edits else None


def mentions(text: str, names: Sequence[str]) -> bool:
    """Does one of the names stand in the text?"""
    return not set(re.findall(r"\w+", text)).isdisjoint(names)
