"""Types of Boogie: as written, and resolved.

Resolved types are interned, so that they can be compared with ``is``: make them with
:func:`bit_vector`, :func:`map_type` and :func:`named_type`. The text of each is made with it, from
those of its parts and cut when long: types may nest deep.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from revet.errors import Position

_SHOWN = 120  # characters of a type in a message

# -- types, resolved


@dataclass(frozen=True, eq=False, slots=True)
class Type:
    """``text`` is the type as Boogie writes it (shortened when long)."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, slots=True)
class BitVectorType(Type):
    width: int


@dataclass(frozen=True, eq=False, slots=True)
class MapType(Type):
    """``[domain]range``; one map of two indices is not a map of maps."""

    domain: tuple[Type, ...]
    range: Type


@dataclass(frozen=True, eq=False, slots=True)
class NamedType(Type):
    """A type of the user's own, of which only equality is known: ``type ref;``, ``type Field a;``."""

    declaration: TypeDeclaration
    arguments: tuple[Type, ...]


@dataclass(frozen=True, eq=False, slots=True)
class StructType(Type):
    """ULTIMATE's ``{ x: int, y: bool }``; gone from a checked program (:mod:`.structs`)."""

    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, eq=False, slots=True)
class TypeVariable(Type):
    """A type parameter; each declaration makes its own."""


BOOL, INT, REAL = Type("bool"), Type("int"), Type("real")
UNRESOLVED = Type("<not checked>")


@cache
def bit_vector(width: int) -> BitVectorType:
    return BitVectorType(f"bv{width}", width)


@cache
def map_type(domain: tuple[Type, ...], range_: Type) -> MapType:
    return MapType(_short(f"[{','.join(index.text for index in domain)}]{range_.text}"), domain, range_)


@cache
def named_type(declaration: TypeDeclaration, arguments: tuple[Type, ...]) -> NamedType:
    shown = [f"({one})" if " " in one.text else one.text for one in arguments]
    return NamedType(_short(" ".join([declaration.name, *shown])), declaration, arguments)


@cache
def struct_type(fields: tuple[tuple[str, Type], ...]) -> StructType:
    inside = ", ".join(f"{name}: {one}" for name, one in fields)
    return StructType(_short(f"{{{inside}}}"), fields)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


# -- types, as written


@dataclass(frozen=True, eq=False, slots=True)
class TypeSyntax:
    position: Position


@dataclass(frozen=True, eq=False, slots=True)
class WrittenName(TypeSyntax):
    """``int``, ``bv8``, ``ref``, ``Field int``"""

    name: str
    arguments: tuple[TypeSyntax, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class WrittenMap(TypeSyntax):
    """``<a>[domain]range``"""

    parameters: tuple[str, ...]
    domain: tuple[TypeSyntax, ...]
    range: TypeSyntax


@dataclass(frozen=True, eq=False, slots=True)
class WrittenStruct(TypeSyntax):
    """``{ x, y: int, z: bool }``"""

    fields: tuple[tuple[str, TypeSyntax], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Given(TypeSyntax):
    """A type that is already resolved."""

    type: Type


@dataclass(eq=False, slots=True)
class TypeDeclaration:
    """``type t a b;``, or the synonym ``type t a b = synonym;``"""

    position: Position
    name: str
    parameters: tuple[str, ...]
    synonym: TypeSyntax | None
    finite: bool = False
