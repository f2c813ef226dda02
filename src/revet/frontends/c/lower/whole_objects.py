"""Whole objects and blocks of memory at once: copied, filled, forgotten.

Where the scalars of an object are kept is :mod:`memory`'s business; here are the operations on all of
them that are one assignment in the model, or a few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Kind
from revet.frontends.c.analysis.lvalues import element_of
from revet.frontends.c.analysis.storage import Mode
from revet.frontends.c.analysis.views import granularity
from revet.frontends.c.lower.places import MOST_PARTS, Cell, Place
from revet.frontends.c.types import CType, Int, Pointer, Record, Void, floating, size_of
from revet.logic import build as b
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.lower.memory import Memory

_BYTE = Int(8, False, name="unsigned char")
_CLOBBERS = "inline assembly that clobbers memory"


class WholeObjects:
    """Operations on all scalars of an object, or of a class of memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.context = memory.context

    def move(self, pairs: list[tuple[Cell, Cell]]) -> None:
        """Copy scalars of one class to another, or inside of one: all are read before any is written."""
        changed: dict[Term, Term] = {}
        written: dict[Term, Term] = {}
        for target, source in pairs:
            array, address = self.memory.element(target)
            read, place = self.memory.element(source)
            if self.context.written is not None:
                self.context.written.moved(written, array, address, read, place)
            changed[array] = b.store(changed.get(array, array), address, b.select(read, place))
        for array, value in (*changed.items(), *written.items()):
            self.context.flow.assign(array, value)

    def are_bytes(self, *places: Cell) -> bool:
        return all(self.memory.mode(place) is Mode.BYTES for place in places)

    def copy_bytes(self, target: Cell, source: Cell) -> None:
        """A whole object, both kept as bytes."""
        self.memory.bytes.require_bits()
        size = size_of(target.type)
        if size > MOST_PARTS:
            at = self.context.frame.function.position
            raise self.context.unsupported(at, "copying an aggregate this large is not modelled")
        self.move([
            (Cell(self.memory.offset(target.address, n), target.region, _BYTE),
             Cell(self.memory.offset(source.address, n), source.region, _BYTE))
            for n in range(size)
        ])

    def block_layout(self, region: int) -> tuple[list[CType], int]:
        """What a new block of a class may consist of: a type of every kind of scalar, and a number of
        bytes of which every scalar's offset is a multiple."""
        if self.memory.mode_of(region) is Mode.BYTES:
            return [Int(8, True)], 1
        node = self.memory.explicit.node(region)
        return [self._scalar(kind) for kind in self.memory.kinds(region)], granularity(
            [*node.casts, *node.pointed_types]
        )

    def _scalar(self, kind: Kind) -> CType:
        name, bits = kind
        if name == "int":
            return Int(bits, True)
        if name == "float":
            return floating(bits, self.context.model.pointer_size)
        return Pointer(Void(), self.context.model.pointer_size)

    def havoc_scalars(self, pointer: ast.Expr, type: CType) -> None:
        """Any values for all scalars of a kind in the class of memory that a pointer leads to."""
        region = self.memory.region_of_pointer(pointer)
        self.memory.assume_valid()
        match self.memory.mode_of(region):
            case Mode.EXPLICIT:
                self.memory.explicit.havoc(Cell(self.memory.constant(0), region, type))
            case Mode.BYTES:
                self.memory.bytes.havoc(region)
            case _:
                self.context.flow.havoc(self.memory.array(region, type))

    def havoc_all_numbers(self, at: Position) -> None:
        """Any values for all numbers in memory that is known to others. Raises ``Unsupported`` where pointers
        are kept as bytes like any other, and where pointers lead to bit-fields."""
        context, storage = self.context, self.memory.storage
        seen = dict.fromkeys((*context.program.globals, *storage.points_to.address_taken))
        for variable in seen:
            if not variable.is_fixed and not storage.in_memory(variable):
                for depth in range(storage.activations(variable)):
                    context.places.havoc_numbers(context.places.of_variable(variable, depth))
        for node in storage.points_to.roots():
            mode = storage.mode(node)
            if mode is Mode.BYTES and any(name == "pointer" for name, _ in node.kinds):
                raise context.unsupported(at, f"{_CLOBBERS} where pointers are kept as bytes")
            if mode is Mode.TYPED and node.bit_fields:
                raise context.unsupported(at, f"{_CLOBBERS} where pointers lead to bit-fields")
            if mode is Mode.BYTES:
                self.memory.bytes.havoc(self.memory.region(node))
            elif mode is Mode.TYPED:
                region = self.memory.region(node)
                numbers = [self._scalar(kind) for kind in self.memory.kinds(region) if kind[0] != "pointer"]
                for type in numbers:
                    context.flow.havoc(self.memory.array(region, type))

    def havoc_object(self, variable: ast.Variable, place: Cell) -> bool:
        """A large array that is alone in its class: all of the class's memory at once."""
        node = self.memory.storage.points_to.object_of(variable)
        alone = len(node.variables) == 1 and not node.heap and not node.unknown and not node.strings
        if not alone or self.memory.mode(place) not in (Mode.TYPED, Mode.BYTES):
            return False
        array = self._only_array(place)
        if array is not None:
            self.context.flow.havoc(array)
            if self.context.written is not None:
                self.context.written.fill(array, False)
        return array is not None

    def _only_array(self, place: Cell) -> Term | None:
        """The SMT array that all of an object is in, if there is just one."""
        if self.memory.mode(place) is Mode.BYTES:
            self.memory.bytes.require_bits()
            return self.memory.bytes.array(place.region)
        scalar = element_of(place.type)
        return None if isinstance(scalar, Record) else self.memory.array(place.region, scalar)

    def has_array(self, place: Place) -> bool:
        """Is the place kept in SMT arrays of its class of memory?"""
        return isinstance(place, Cell) and self.memory.mode(place) is not Mode.EXPLICIT

    def zero_object(self, variable: ast.Variable, place: Cell) -> bool:
        """A large global array in a class of globals only: the class's memory starts as zero."""
        node = self.memory.storage.points_to.object_of(variable)
        plain = all(v.lives_forever and v.initialiser is None and not v.external for v in node.variables)
        if not plain or node.strings or node.heap or node.unknown:
            return False
        array = self._only_array(place) if self.memory.mode(place) in (Mode.TYPED, Mode.BYTES) else None
        if array is None:
            return False
        scalar = _BYTE if self.memory.mode(place) is Mode.BYTES else element_of(place.type)
        zero = self.context.expressions.zero(scalar)
        self.context.flow.assign(array, b.const_array(array.sort, zero))
        if self.context.written is not None:
            self.context.written.fill(array, True)
        return True
