"""What names of types stand for, and what the files of a program share of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from revet.frontends.c import ast
from revet.frontends.c.clang.layouts import Layout
from revet.frontends.c.clang.nodes import Node, TypeText
from revet.frontends.c.reader.type_text import UnknownType
from revet.frontends.c.types import VOID, Array, CType, DataModel, Field, Int, Pointer, Record, floating


class Distinct(Exception):
    """A tag that another file gives to a different structure."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.tag = tag


class Resolved(NamedTuple):
    """A type without its qualifiers; ``open``: the sizes of an array of variable length, as texts."""

    type: CType
    volatile: bool = False
    open: tuple[str, ...] = ()


@dataclass(eq=False)
class RecordEntry:
    key: str
    record: Record
    node: Node | None = None  # the definition
    layout: Layout | None = None
    global_: bool = True  # declared at file scope


@dataclass(eq=False)
class TypedefEntry:
    type: TypeText
    owned: str | None  # the id of the record or enumeration that it names
    global_: bool
    resolved: Resolved | None = None


Entry = RecordEntry | TypedefEntry | Int | ast.Variable
HIDDEN = Int(0, False, name="hidden")


@dataclass
class Records:
    """The tagged records of all files of a program."""

    shared: dict[str, Record] = field(default_factory=dict)
    distinct: set[str] = field(default_factory=set)


def basic_types(model: DataModel) -> dict[str, CType]:
    long = model.long_bits
    size = model.pointer_size * 8
    integers = {
        "_Bool": (8, False), "bool": (8, False), "char": (8, True), "signed char": (8, True),
        "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False), "int": (32, True),
        "unsigned int": (32, False), "long": (long, True), "unsigned long": (long, False),
        "long long": (64, True), "unsigned long long": (64, False), "__int128": (128, True),
        "unsigned __int128": (128, False),
    }
    found: dict[str, CType] = {
        name: Int(bits, signed, name in ("_Bool", "bool"), name) for name, (bits, signed) in integers.items()
    }
    found["unsigned"] = found["unsigned int"]
    found |= {
        "__size_t": model.size_type, "__signed_size_t": Int(size, True, name="ssize_t"),
        "__ptrdiff_t": Int(size, True, name="ptrdiff_t"),
    }
    found |= {type.name: type for type in (floating(bits, model.pointer_size) for bits in (32, 64, 80))}
    found["void"] = VOID
    found["nullptr_t"] = Pointer(VOID, model.pointer_size)
    return found


def alike(known: Sequence[Field], new: Sequence[Field], kept: dict[int, Field]) -> bool:
    """Are the fields the same, up to unnamed records in them? ``kept``: the known one for each new one."""
    if len(known) != len(new):
        return False
    for one, other in zip(known, new, strict=True):
        if (one.name, one.offset, one.width) != (other.name, other.offset, other.width):
            return False
        kept[id(other)] = one
        if one.type == other.type:
            continue
        first, second = one.type, other.type
        while isinstance(first, Array) and isinstance(second, Array) and first.count == second.count:
            first, second = first.element, second.element
        if not isinstance(first, Record) or not isinstance(second, Record) or first.tag or second.tag:
            return False
        if (first.union, first.size) != (second.union, second.size):
            return False
        if not alike(first.fields, second.fields, kept):
            return False
    return True


def underlying(values: list[int], packed: bool, basic: dict[str, CType]) -> Int:
    """What gcc and clang choose: unsigned if nothing is negative, and at least int."""
    negative = any(value < 0 for value in values)
    names = ["int", "long", "long long"]
    if packed:
        names = ["char", "short", *names]
    for name in names:
        signed = "signed char" if name == "char" else name
        type = basic[signed if negative else f"unsigned {name}"]
        assert isinstance(type, Int)
        if all(type.least <= value <= type.greatest for value in values):
            return type
    raise UnknownType("an enumeration whose values fit into no integer type")
