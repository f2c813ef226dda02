"""The type of an expression that clang's tree has as text only: ``typeof (((struct s *)0)->member)``.

Such a text stands where ``typeof`` is not outermost, as in ``const typeof(...) *p``, the first line of
Linux's ``container_of``. Read are variables, members, elements, ``*``, ``&`` and casts; of anything else the
type stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from revet.frontends.c.reader.type_text import UnknownType
from revet.frontends.c.types import Array, CType, Pointer, Record

_MEMBER = re.compile(r"(?P<of>.*?)\s*(?P<how>->|\.)\s*(?P<name>[A-Za-z_]\w*)$", re.S)
_OPERAND = re.compile(r"\w+$")  # what a cast applies to, without doubt
_NAME = re.compile(r"[A-Za-z_]\w*$")
Find = Callable[[str], CType | None]


def expression_type(text: str, variable: Find, resolve: Callable[[str], CType], pointer_size: int) -> CType:
    """``variable`` knows the types of names, ``resolve`` what a type's text means. Raises
    :class:`UnknownType`."""

    def read(text: str) -> CType:
        text = text.strip()
        known = variable(text) if _NAME.match(text) else None
        if known is not None:
            return known
        if text.startswith("&"):
            return Pointer(read(text[1:]), pointer_size)
        if text.startswith("*"):
            return _target(read(text[1:]), text)
        if text.startswith("("):
            end = _partner(text)
            rest = text[end + 1 :].strip()
            if not rest:
                return read(text[1:end])
            if _OPERAND.match(rest) or (rest[0] == "(" and _partner(rest) == len(rest) - 1):
                return resolve(text[1:end])
        return postfix(text)

    def postfix(text: str) -> CType:
        if text.endswith("]"):
            return _target(read(text[: _opening(text)]), text)
        match = _MEMBER.match(text)
        if match is None:
            raise UnknownType(f"the type of {text}")
        record = read(match["of"])
        return _member(_target(record, text) if match["how"] == "->" else record, match["name"], text)

    return read(text)


def _target(type: CType, text: str) -> CType:
    if isinstance(type, Pointer):
        return type.target
    if isinstance(type, Array):
        return type.element
    raise UnknownType(f"the type of {text}")


def _member(type: CType, name: str, text: str) -> CType:
    if isinstance(type, Record):
        for field in type.fields:
            if field.name == name:
                return field.type
        for field in type.fields:
            if not field.name and isinstance(field.type, Record):
                try:
                    return _member(field.type, name, text)
                except UnknownType:
                    continue
    raise UnknownType(f"the type of {text}")


def _partner(text: str) -> int:
    """Where the parenthesis that begins the text ends."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if depth == 0:
            return at
    raise UnknownType(f"the type of {text}")


def _opening(text: str) -> int:
    """Where the bracket begins that ends the text."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]") - (text[at] in "([")
        if depth == 0:
            return at
    raise UnknownType(f"the type of {text}")
