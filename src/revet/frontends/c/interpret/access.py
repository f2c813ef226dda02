"""Reading and writing values of a C type as bytes of an object.

Integers and pointers are Python integers within the type's range, floating-point values are
those of :mod:`floating`, records and arrays are ``bytes``. An :class:`Access` says how one place
is read and written: a whole object of a type, or a bit-field inside a record.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from revet.frontends.c.ast import Step
from revet.frontends.c.interpret import floating
from revet.frontends.c.types import Array, CType, Field, Floating, Int, Pointer, Record, size_of

Reader = Callable[[bytearray | bytes, int], Any]
Writer = Callable[[bytearray, int, Any], None]


@dataclass(frozen=True, slots=True)
class Access:
    """``skip`` bytes from the place, ``size`` bytes are touched. ``fit`` is the value that stays
    after a write (bit-fields cut it). ``plain``: an integer, which leaves no marks."""

    read: Reader
    write: Writer
    size: int
    skip: int
    type: CType
    fit: Callable[[Any], Any] | None = None
    plain: bool = True


def access(type: CType, field: Field | None = None) -> Access:
    """How to read and write a place of this type; ``field`` for a bit-field of a record."""
    if field is not None and field.width is not None:
        assert isinstance(type, Int)
        return _bit_field(type, field.offset, field.width)
    match type:
        case Int(boolean=True):
            return _boolean(type)
        case Int():
            return _integer(type, type.size, type.signed)
        case Pointer():
            return _integer(type, type.size, False)
        case Floating():
            return _floating(type)
        case _:
            return _bytes(type)


_FORMATS = {1: "<b", 2: "<h", 4: "<i", 8: "<q"}


def _integer(type: CType, size: int, signed: bool) -> Access:
    if size in _FORMATS:
        shape = struct.Struct(_FORMATS[size] if signed else _FORMATS[size].upper())
        unpack = shape.unpack_from

        def read_short(data: bytearray | bytes, offset: int) -> int:
            value: int = unpack(data, offset)[0]
            return value

        return Access(read_short, shape.pack_into, size, 0, type, plain=isinstance(type, Int))
    from_bytes = int.from_bytes

    def read(data: bytearray | bytes, offset: int) -> int:
        return from_bytes(data[offset : offset + size], "little", signed=signed)

    def write(data: bytearray, offset: int, value: int) -> None:
        data[offset : offset + size] = value.to_bytes(size, "little", signed=signed)

    return Access(read, write, size, 0, type, plain=isinstance(type, Int))


class NoValue(Exception):
    """The bytes of an object are no value of the type with which they are read."""


def _boolean(type: Int) -> Access:
    plain = _integer(type, type.size, False)

    def read(data: bytearray | bytes, offset: int) -> int:
        if data[offset] > 1:
            raise NoValue("a _Bool that is neither 0 nor 1 is read")
        return data[offset]

    return Access(read, plain.write, plain.size, 0, type)


def _floating(type: Floating) -> Access:
    def read(data: bytearray | bytes, offset: int) -> Any:
        return floating.unpack(data, offset, type)

    def write(data: bytearray, offset: int, value: Any) -> None:
        data[offset : offset + type.size] = floating.pack(value, type)

    return Access(read, write, type.size, 0, type, plain=False)


def _bytes(type: CType) -> Access:
    size = size_of(type)

    def read(data: bytearray | bytes, offset: int) -> bytes:
        return bytes(data[offset : offset + size])

    def write(data: bytearray, offset: int, value: bytes) -> None:
        data[offset : offset + size] = value[:size].ljust(size, b"\0")

    return Access(read, write, size, 0, type, plain=False)


def _bit_field(type: Int, position: int, width: int) -> Access:
    skip, low = divmod(position, 8)
    size = (low + width + 7) // 8
    mask = (1 << width) - 1
    from_bytes = int.from_bytes

    def fit(value: int) -> int:
        value &= mask
        return value - (1 << width) if type.signed and value >> (width - 1) else value

    def read(data: bytearray | bytes, offset: int) -> int:
        return fit(from_bytes(data[offset : offset + size], "little") >> low)

    def write(data: bytearray, offset: int, value: int) -> None:
        rest = from_bytes(data[offset : offset + size], "little") & ~(mask << low)
        data[offset : offset + size] = (rest | (value & mask) << low).to_bytes(size, "little")

    return Access(read, write, size, skip, type, fit)


def step_into(type: CType, path: Sequence[Step]) -> tuple[int, CType, Field | None]:
    """Follow a path of indices and fields: byte offset, type, and the bit-field it ends in."""
    offset = 0
    last: Field | None = None
    for step in path:
        if isinstance(step, int):
            assert isinstance(type, Array)
            type = type.element
            offset += step * size_of(type)
        else:
            type = step.type
            if step.width is None:
                offset += step.offset // 8
            else:
                last = step
    return offset, type, last


def nesting(type: CType | None, offset: int, size: int) -> Iterator[tuple[str, int, CType]]:
    """The parts of an object of the type in which these bytes are, from the whole object inwards: the part as
    a C suffix (``[3].next``), where it begins and its type."""
    text, begin = "", 0
    while type is not None:
        yield text, begin, type
        if isinstance(type, Array) and 0 < size_of(type.element) >= size:
            index = (offset - begin) // size_of(type.element)
            text, begin, type = f"{text}[{index}]", begin + index * size_of(type.element), type.element
        elif isinstance(type, Record) and not type.union and size < size_of(type):
            inside = [f for f in type.fields if f.offset <= 8 * (offset - begin) and f.width is None]
            if not inside:
                return
            text = f"{text}.{inside[-1].name}" if inside[-1].name else text
            begin, type = begin + inside[-1].offset // 8, inside[-1].type
        else:
            return


def describe(type: CType | None, offset: int, size: int) -> str:
    """Where in an object of the type these bytes are, as a C suffix: ``[3].next``."""
    parts = list(nesting(type, offset, size))
    return parts[-1][0] if parts else f"+{offset}" if offset else ""
