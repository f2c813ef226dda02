"""Arrays and structs as C writes them: definitions, declarations, parameters, initial values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from revet.streams.c_operators import c_type
from revet.streams.core import Extern
from revet.streams.places import error
from revet.streams.types import Array, Scalar, Struct, Type


def declaration(name: str, type_: Type) -> str:
    """Of a variable or a member: ``int32_t name[3]``, ``struct s name``."""
    if isinstance(type_, Array):
        return declaration(f"{name}[{type_.length}]", type_.element)
    return f"{_simple(type_)} {name}"


def parameter(name: str, type_: Type) -> str:
    """Of a function: structs are passed as structs, arrays as pointers to their (constant) first element."""
    if isinstance(type_, Array):
        inner = type_.element
        pointer = f"(*{name})" if isinstance(inner, Array) else f"*{name}"
        return f"const {declaration(pointer, inner)}"
    return f"{_simple(type_)} {name}"


def _simple(type_: Scalar | Struct) -> str:
    return f"struct {type_.name}" if isinstance(type_, Struct) else c_type(type_)


def initializer(type_: Type, leaves: Iterator[str]) -> str:
    """An initial value whose scalars are given as C expressions, in order."""
    if isinstance(type_, Scalar):
        return next(leaves)
    if isinstance(type_, Array):
        return "{" + ", ".join(initializer(type_.element, leaves) for _ in range(type_.length)) + "}"
    members = [f".{name} = {initializer(part, leaves)}" for name, part in type_.fields.items()]
    return "{" + ", ".join(members) + "}"


def struct_definitions(types: Iterable[Type]) -> list[str]:
    """The structs that the types are made of, each after those it contains."""
    found: dict[str, tuple[Struct, str]] = {}
    for type_ in types:
        _define(type_, found)
    return [text for _, text in found.values()]


def _define(type_: Type, found: dict[str, tuple[Struct, str]]) -> None:
    if isinstance(type_, Scalar):
        return
    if isinstance(type_, Array):
        _define(type_.element, found)
        return
    if type_.name in found:
        if found[type_.name][0] is not type_ and found[type_.name][0].fields != type_.fields:
            raise error(f"two structs are called {type_.name}")
        return
    for part in type_.fields.values():
        _define(part, found)
    members = " ".join(declaration(name, part) + ";" for name, part in type_.fields.items())
    found[type_.name] = (type_, f"struct {type_.name} {{ {members} }};")


def extern_variables(externs: Iterable[Extern]) -> dict[str, Type]:
    """The C variables that the externs are parts of."""
    return {node.variable: node.whole for node in externs}
