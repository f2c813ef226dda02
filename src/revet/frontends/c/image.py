"""What memory holds in a run of the automaton, for the interpreter of C to find there.

Objects that are not initialised hold anything, and pointers that are drawn lead to memory that is not the
program's. In the automaton both are elements of SMT arrays at our own addresses. The interpreter has
other addresses; when it reads a scalar that was never written, an :class:`Image` says what the automaton
has there. Only the *choice* of these values comes from here: the interpreter lets every byte that it has
read be what it was, so whatever is chosen, the run is one that C allows.

A pointer found there, or drawn by a call, gets a number (:class:`Outside`), which is all the interpreter
knows of it (``interpret/memory.py``). Pointers into different classes of memory get different ones even
where the automaton gave them one address, for then the memory there is not the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from revet.frontends.c.analysis.classes import kind_of
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.ast import Variable
from revet.frontends.c.interpret.draws import drawn_bytes
from revet.frontends.c.interpret.floating import from_pattern
from revet.frontends.c.interpret.memory import outside_place
from revet.frontends.c.lower.layout import Layout
from revet.frontends.c.types import Array, CType, Int, Pointer, Record, size_of
from revet.logic.sorts import ArraySort, BitVecSort, FloatSort
from revet.logic.values import ArrayValue
from revet.result.trace import CfaTrace, State

_NOWHERE = 1 << 17  # from the end of the address space: where the interpreter has no object


class Outside:
    """The memory that is not the program's, in one run. ``strict``: what was never written and is taken for a
    pointer leads nowhere (accesses through pointers are checked)."""

    def __init__(self, layout: Layout, trace: CfaTrace, strict: bool = False) -> None:
        self.layout = layout
        self._strict = strict
        self._start = trace.states[0]
        end = trace.states[-1].get(layout.heap) if layout.heap is not None else None
        self._heap_end = end if isinstance(end, int) else 0
        self._numbers: dict[tuple[int | None, int], int] = {}
        self._images: dict[int, Image] = {}

    def pointer(self, address: int, region: int | None) -> int:
        """The number of a pointer that leads to an address of the automaton's. Those of the program's
        own objects stay what they are, and lead nowhere: nobody but the program knows them."""
        if address == 0 or self.layout.is_own(address, self._heap_end):
            return address
        key = (region, address)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._numbers) + 1
            if region is not None:
                self._images[number] = Image(self, region, address, self._start)
        return number

    def unwritten(self, address: int, region: int | None) -> int:
        """The number of a pointer that nobody has written."""
        if address == 0 or not self._strict:
            return self.pointer(address, region)
        number = self._numbers.setdefault((-1, address), len(self._numbers) + 1)
        return (1 << 8 * self.layout.pointer_size) - _NOWHERE - 16 * number

    def pointee_of(self, variable: Variable, offset: int) -> int | None:
        return self.layout.pointee_of(variable, offset)

    def read(self, offset: int, type: CType | None, size: int) -> bytes | None:
        number, inside = outside_place(offset)
        image = self._images.get(number)
        return None if image is None else image.read(inside, type, size)


@dataclass(frozen=True, eq=False, slots=True)
class Image:
    """An object of a class of memory at an address, as it is in a state. ``type`` if it is declared; ``own``:
    it is the program's."""

    outside: Outside
    region: int
    address: int
    state: State
    type: CType | None = None
    own: bool = False

    def read(self, offset: int, type: CType | None, size: int) -> bytes | None:
        """See :data:`revet.frontends.c.interpret.memory.Contents`."""
        layout = self.outside.layout
        if type is None:
            return self._plain(offset, size)
        if isinstance(type, Array | Record):
            data = bytearray(size)
            for inner, scalar in _scalars(type, size):
                packed = self._scalar(offset + inner, scalar) or b""
                data[inner : inner + len(packed)] = packed
            return bytes(data)
        if layout.bytes.get(self.region) is not None and not isinstance(type, Pointer):
            return self._raw(offset, size)
        return self._scalar(offset, type)

    def _plain(self, offset: int, size: int) -> bytes | None:
        """Read as bytes: as what is there, if that is known."""
        layout = self.outside.layout
        if layout.bytes.get(self.region) is not None:
            return self._raw(offset, size)
        types = [element_of(self.type)] if self.type is not None else layout.scalars(self.region)
        if len(types) != 1 or size_of(types[0]) == 0:
            return None
        each, data = size_of(types[0]), bytearray()
        first, skip = divmod(offset, each)
        for number in range(first, first + (skip + size + each - 1) // each):
            data += self.read(number * each, types[0], each) or bytes(each)
        return bytes(data[skip : skip + size])

    def _raw(self, offset: int, size: int) -> bytes | None:
        array = self.outside.layout.bytes.get(self.region)
        if array is None or array not in self.state:
            return None
        return bytes(int(self._element(array, offset + place)) % 256 for place in range(size))

    def _element(self, array: Any, offset: int) -> Any:
        value = self.state[array]
        assert isinstance(value, ArrayValue)
        index = array.sort.index
        address = self.address + offset
        return value.select(address % (1 << index.width) if isinstance(index, BitVecSort) else address)

    def _scalar(self, offset: int, type: CType) -> bytes | None:
        layout = self.outside.layout
        if layout.bytes.get(self.region) is not None:
            raw = self._raw(offset, size_of(type))
            if raw is None or not isinstance(type, Pointer):
                return raw
            value: Any = int.from_bytes(raw, "little")
        else:
            array = layout.typed.get(self.region, {}).get(kind_of(type))
            if array is None or array not in self.state:
                return None
            assert isinstance(array.sort, ArraySort)
            value = scalar_value(self._element(array, offset), array.sort.element, type)
        if isinstance(type, Pointer):
            leads = self.outside.unwritten if self.own else self.outside.pointer
            value = leads(value, layout.pointee_in(self.region, self.type, offset))
        return drawn_bytes(value, type)


def _scalars(type: CType, size: int) -> Iterator[tuple[int, CType]]:
    """The scalars of an aggregate with their offsets, in its first ``size`` bytes; no bit-fields."""
    stack = [(0, type)]
    while stack:
        offset, current = stack.pop()
        if isinstance(current, Record):
            members = current.fields[:1] if current.union else current.fields
            stack += [(offset + m.offset // 8, m.type) for m in members if m.width is None]
        elif isinstance(current, Array):
            each = size_of(current.element)
            count = current.count if current.count is not None else (size - offset) // max(each, 1)
            stack += [(offset + number * each, current.element) for number in range(count)]
        elif offset + size_of(current) <= size:
            yield offset, current


def scalar_value(value: Any, sort: object, type: CType) -> Any:
    """A value of the automaton as the interpreter's: integers in the type's range, floats."""
    if isinstance(sort, FloatSort):
        return from_pattern(int(value), sort.width)
    if isinstance(sort, BitVecSort) and isinstance(type, Int):
        return type.wrap(int(value))
    return int(value)
