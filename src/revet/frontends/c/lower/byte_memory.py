"""Classes whose bytes are read as different types: an SMT array of bytes, little-endian.

A scalar of n bytes is read by putting n elements together and written by n stores. This is exact
for every mixture of types, and slow; only the bit-vector encoding does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.lower.arithmetic import NeedsBitVectors
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.floating import sort_of
from revet.frontends.c.lower.places import Cell
from revet.frontends.c.types import CType, Floating, Int, Pointer, size_of
from revet.logic import build as b
from revet.logic import floats as fp
from revet.logic.terms import Op, Term

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.lower.numbers import Numbers

_BYTE = Int(8, False, name="unsigned char")


class ByteMemory:
    def __init__(self, context: Context) -> None:
        self.context = context

    def array(self, region: int) -> Term:
        symbols = self.context.symbols
        array = symbols.own_array(f"$memory{region}.bytes", symbols.index_sort, _BYTE)
        self.context.memory.layout.bytes[region] = array
        return array

    def require_bits(self) -> None:
        if self.context.arithmetic.name != "bv":
            raise NeedsBitVectors("memory that is read as several types")

    def load(self, place: Cell) -> Term:
        self.require_bits()
        if place.width is not None:
            return self._load_bits(place)
        raw = self._read(place.region, place.address, size_of(place.type))
        if isinstance(place.type, Floating):
            return fp.fp_from_bits(sort_of(place.type), raw)
        if isinstance(place.type, Int) and place.type.boolean:  # other bytes are no values of the type
            what = "reading of a _Bool that is neither 0 nor 1"
            self.context.end_unless(b.bvule(raw, b.bv(1, 8)), what, self._here)
        if isinstance(place.type, Pointer) and self._numbers is not None:
            return self._numbers.pointer(raw, self._pointees(place.region))
        return raw

    @property
    def _numbers(self) -> Numbers | None:
        """Where bytes of pointers may be read as something else, pointers are kept as their numbers."""
        return self.context.numbers if self.context.storage.bytes_are_numbers else None

    def _pointees(self, region: int) -> list[Node]:
        """The classes that pointers in the class lead into."""
        node = self.context.memory.layout.nodes[region].find()
        return list(dict.fromkeys(pointee.find() for pointee in node.pointees.values()))

    @property
    def _here(self) -> Position:
        span = self.context.flow.span
        return span.start if span is not None else self.context.frame.function.position

    def _read(self, region: int, address: Term, size: int) -> Term:
        array = self.array(region)
        value = b.select(array, address)
        for number in range(1, size):
            value = b.concat(b.select(array, self.context.memory.offset(address, number)), value)
        return value

    def store(self, place: Cell, value: Term) -> None:
        self.require_bits()
        if place.width is not None:
            value = self._merged(place, value)
        elif isinstance(place.type, Floating):
            value = self._bits_of(place, value)
        elif isinstance(place.type, Pointer) and self._numbers is not None:
            value = self._numbers.of(value, self._pointees(place.region), self._here)
        array = self.array(place.region)
        size, start = self._span(place) if place.width is not None else (size_of(place.type), place.address)
        result = array
        for number in range(size):
            element = b.extract(8 * number + 7, 8 * number, value)
            result = b.store(result, self.context.memory.offset(start, number), element)
        self.context.flow.assign(array, result)

    def _bits_of(self, place: Cell, value: Term) -> Term:
        """The bit pattern of a float: the one (for NaN, any one) that reads back as the value."""
        assert isinstance(place.type, Floating)
        if value.op == Op.CONST:
            return b.bv(value.payload, place.type.bits)
        pattern: CType = Int(place.type.bits, False)
        bits = self.context.temporary((place.region, place.type.bits), "bits", pattern)
        self.context.flow.havoc(bits)
        self.context.flow.assume(b.eq(fp.fp_from_bits(value.sort, bits), value))
        return bits

    def havoc(self, region: int) -> None:
        """Any bytes everywhere in a class."""
        self.require_bits()
        self.context.flow.havoc(self.array(region))

    # ---- bit-fields -------------------------------------------------------------------------

    def _span(self, place: Cell) -> tuple[int, Term]:
        """The bytes that a bit-field touches: how many, and where they start."""
        assert place.field is not None and place.width is not None and place.record is not None
        first = place.field.offset // 8
        last = (place.field.offset + place.width - 1) // 8
        return last - first + 1, self.context.memory.offset(place.record, first)

    def _load_bits(self, place: Cell) -> Term:
        assert place.field is not None and place.width is not None and isinstance(place.type, Int)
        size, start = self._span(place)
        low = place.field.offset % 8
        raw = self._read(place.region, start, size)
        bits = b.extract(low + place.width - 1, low, raw)
        narrow = Int(place.width, place.type.signed)
        return self.context.arithmetic.convert(narrow, Int(place.type.bits, place.type.signed), bits)

    def _merged(self, place: Cell, value: Term) -> Term:
        """The bytes around a bit-field with its bits replaced."""
        assert place.field is not None and place.width is not None
        size, start = self._span(place)
        low = place.field.offset % 8
        raw = self._read(place.region, start, size)
        total = 8 * size
        mask = ((1 << place.width) - 1) << low
        bits = b.extract(place.width - 1, 0, value)
        widened = b.zero_extend(total - place.width, bits) if total > place.width else bits
        moved = b.bvshl(widened, b.bv(low, total))
        return b.bvor(b.bvand(raw, b.bv(~mask, total)), moved)
