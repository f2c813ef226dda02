"""Memory: addresses, and reading and writing through pointers.

Every variable whose address is taken, every string and every function has a fixed address;
``malloc`` takes consecutive addresses from ``$heap``, which only grows. An address identifies the
byte, so pointer arithmetic is arithmetic. How the contents of a class of objects is kept is
:mod:`revet.frontends.c.analysis.storage`'s choice; docs/decisions/0004-c-memory.md says what this
assumes of programs (accesses are valid) and why *safe* does not rest on it silently.
"""

from __future__ import annotations

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Kind, Node, kind_of
from revet.frontends.c.analysis.storage import Mode, bytes_of
from revet.frontends.c.checks import Check
from revet.frontends.c.lower.alignment import check_alignment, needed
from revet.frontends.c.lower.byte_memory import ByteMemory
from revet.frontends.c.lower.context import VALID, Context
from revet.frontends.c.lower.explicit_memory import ExplicitMemory
from revet.frontends.c.lower.layout import Layout
from revet.frontends.c.lower.places import Cell, Part, Place
from revet.frontends.c.lower.whole_objects import WholeObjects
from revet.frontends.c.types import Array, CType, Floating, Int, Pointer, Record, size_of
from revet.logic import build as b
from revet.logic.terms import TRUE, Term

_FUNCTIONS = 0x400
_OBJECTS = 0x10000
HEAP = 0x40000000
_ALIGN = 64


class Memory:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.storage = context.storage
        self.explicit = ExplicitMemory(context)
        self.bytes = ByteMemory(context)
        self.whole = WholeObjects(self)
        objects = context.objects
        start, heap = (_OBJECTS, HEAP) if objects is None else (objects.first, objects.heap_start)
        self.layout = Layout(context.storage, start, heap, context.model.pointer_size)
        self._modes: dict[int, Mode] = {}
        self._bases: dict[tuple[object, int], int] = {}
        objects = context.objects
        self._next = _OBJECTS if objects is None else objects.first
        self._moving: ast.Expr | None = None  # the pointer that is about to be dereferenced
        self._functions: dict[str, int] = {}
        self._strings: list[tuple[ast.StringConst, Cell]] = []

    # ---- addresses --------------------------------------------------------------------------

    def constant(self, value: int) -> Term:
        """A number as an address."""
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def base(self, item: object, depth: int, size: int) -> int:
        """The address of an object; a gap after it keeps "one past the end" apart."""
        found = self._bases.get((item, depth))
        if found is None:
            found = self._bases[(item, depth)] = self._next
            self._next += self._room(size)
            self.layout.objects_end = self._next
        return found

    def _room(self, size: int) -> int:
        """The distance to the next object."""
        objects = self.context.objects
        if objects is None:
            return (size + 2 * _ALIGN - 1) // _ALIGN * _ALIGN
        if size > objects.largest or self._next + objects.spacing >= objects.heap_start:
            at = self.context.program.functions[self.context.program.start].position
            raise self.context.unsupported(at, "objects this large or this many, with checks of pointers")
        return objects.spacing

    def variable_base(self, variable: ast.Variable, depth: int) -> int:
        open_ = self.context.objects is not None and variable.length is not None
        return self.base(variable, depth, 1 if open_ else bytes_of(variable.type))

    def address(self, lvalue: ast.Expr) -> Term:
        """The address of an lvalue."""
        match lvalue:
            case ast.VarRef(variable):
                return self.constant(self.variable_base(variable, self.context.depth_of(variable)))
            case ast.Member(record, field):
                if field.width is not None:
                    raise self.context.unsupported(lvalue.at, "the address of a bit-field")
                return self.offset(self.address(record), field.offset // 8)
            case ast.Index(array, index):
                start = self.address(array)
                assert isinstance(index.type, Int) and isinstance(array.type, Array)
                value = self.context.expressions.value(index)
                return self.moved(start, value, index.type, size_of(array.type.element))
            case ast.Deref(pointer):
                return self.context.expressions.value(pointer)
            case ast.StringConst():
                return self.string(lvalue).address
            case ast.CompoundLiteral(variable):
                self.context.places.place(lvalue)
                return self.constant(self.variable_base(variable, self.context.depth_of(variable)))
        place = self.context.places.place(lvalue)
        if isinstance(place, Cell):
            return place.address
        raise self.context.unsupported(lvalue.at, "the address of this expression is not modelled")

    def function(self, name: str) -> Term:
        number = self._functions.setdefault(name, len(self._functions))
        return self.constant(_FUNCTIONS + 16 * number)

    def offset(self, address: Term, size: int) -> Term:
        return b.plus(address, self.constant(size)) if size else address

    def as_index(self, index: Term, type: Int) -> Term:
        """An integer of any type as an address or array index (sign-extended)."""
        if self.context.arithmetic.name == "int":
            return index
        return self.context.arithmetic.convert(type, self.context.symbols.address_type, index)

    def moved(self, address: Term, index: Term, index_type: Int, size: int) -> Term:
        """``address + index * size``. Leaving the object is undefined, so nothing wraps."""
        return b.plus(address, b.times(self.as_index(index, index_type), self.constant(size)))

    def difference(self, left: Term, right: Term, size: int, type: Int, at: Position) -> Term:
        """The distance of two pointers in elements, as a value of the signed ``type``."""
        distance = b.minus(left, right)
        if self.context.objects is not None:
            fits = self.context.arithmetic.in_range(type, distance)
            self.context.end_unless(fits, "a difference of pointers into different objects", at)
        divisor = self.context.arithmetic.constant(type, size)
        if size == 1:
            return distance
        if self.context.arithmetic.name == "int":
            return b.div(distance, divisor)
        return b.bvsdiv(distance, divisor)

    # ---- places -----------------------------------------------------------------------------

    def dereferenced(self, pointer: ast.Expr) -> Term:
        """The value of a pointer that is dereferenced at once: where that moves it by far, the access is
        invalid."""
        outer, moving = self._moving, pointer
        while isinstance(moving, ast.Cast) and isinstance(moving.operand.type, Pointer):
            moving = moving.operand
        self._moving = moving
        address = self.context.expressions.value(pointer)
        self._moving = outer
        return address

    def require_near(
        self, node: ast.Expr, pointer: Term, index: Term, type: Int, size: int, at: Position
    ) -> None:
        """A pointer is moved by so many elements: only nearer than the next object does the result tell."""
        objects = self.context.objects
        if objects is None:
            return
        moved = self.moved(pointer, index, type, size)
        near = b.and_(objects.is_near(index, type, abs(size)), objects.is_same(pointer, moved))
        if node is self._moving and self.context.looks_at_pointers:
            self.context.require(near, Check.POINTER, at)
        else:
            self.context.end_unless(near, "a pointer moved by more than any object has", at)

    def target(self, address: Term, pointer: ast.Expr, type: CType, at: Position) -> Place:
        node = self.storage.points_to.target(pointer)
        self.assume_valid()
        region = self.region(node)
        if self.storage.trusts_casts(node):
            self.context.assumptions.setdefault(
                "pointers that are cast to a structure type point to such a structure"
            )
        needs = needed(self.context, type)
        explicit = self._modes[region] is Mode.EXPLICIT and not node.indexed and needs == 1
        if explicit and isinstance(type, Record):
            only = self.explicit.only_record(region, type)
            if only is not None:
                there = b.and_(b.eq(address, self.constant(only.address)), self.is_alive(only.part))
                self.context.require(there, Check.POINTER, at)
                return only.part
        base = self._dereferenced(address, pointer)
        root = address if needs > 1 else None
        return Cell(address, region, type, pointer=base, target=node, at=at, root=root, needs=needs)

    def is_alive(self, part: Part) -> Term:
        """Is the variable still there, as far as that is checked?"""
        objects = self.context.objects
        if objects is None or not self.context.looks_at_pointers:
            return TRUE
        return objects.is_alive(part.variable, part.depth)

    def assume_valid(self) -> None:
        """Something is accessed through a pointer; where that is not checked, the answer says so."""
        if not self.context.looks_at_pointers:
            self.context.assumptions.setdefault(VALID)

    def _dereferenced(self, address: Term, pointer: ast.Expr) -> Term:
        """What must not be null: ``p`` for ``p[i]`` and ``p->member``, however far that is from p."""
        base = pointer
        while isinstance(base, ast.PointerAdd | ast.Cast) and isinstance(base.type, Pointer):
            inner = base.pointer if isinstance(base, ast.PointerAdd) else base.operand
            if not isinstance(inner.type, Pointer):
                break
            base = inner
        if base is pointer or self.context.effects(pointer):
            return address
        return self.context.expressions.value(base)

    def region(self, node: Node) -> int:
        region = self.storage.region(node)
        if region not in self._modes:
            self._modes[region] = self.storage.mode(node)
            self.layout.nodes[region] = node
            self.explicit.add_region(region, node)
        return region

    def variable(self, variable: ast.Variable, depth: int) -> Place:
        node = self.storage.points_to.object_of(variable)
        return Cell(self.constant(self.variable_base(variable, depth)), self.region(node), variable.type)

    def string(self, node: ast.StringConst) -> Cell:
        known = (node, 0) in self._bases
        region = self.region(self.storage.points_to.object_of(node))
        address = self.base(node, 0, len(node.data) * 4)
        cell = Cell(self.constant(address), region, node.type)
        if not known:
            self._strings.append((node, cell))
        return cell

    @property
    def is_used(self) -> bool:
        """Was anything read or written through an address?"""
        return bool(self._modes)

    def mode(self, place: Cell) -> Mode:
        return self._modes[place.region]

    def mode_of(self, region: int) -> Mode:
        return self._modes[region]

    def kinds(self, region: int) -> list[Kind]:
        """The kinds of scalars in a class of memory."""
        return sorted(self.explicit.node(region).kinds)

    def region_of_pointer(self, pointer: ast.Expr) -> int:
        return self.region(self.storage.points_to.target(pointer))

    def region_of_value(self, value: ast.Expr) -> int:
        """The class that a pointer points into, be it dereferenced or not."""
        return self.storage.region(self.storage.points_to.target(value))

    def region_of_call(self, node: ast.Call) -> int:
        """The class of the block that an allocation gives."""
        return self.region(self.storage.points_to.object_of((node, "heap")))

    # ---- contents ---------------------------------------------------------------------------

    def array(self, region: int, type: CType) -> Term:
        """The SMT array of a typed class for scalars of this kind."""
        name, bits = kind_of(type)
        symbols = self.context.symbols
        stored: CType = Int(bits, True) if isinstance(type, Int) else type
        suffix = {"int": f"int{bits}", "pointer": "pointer", "float": f"float{bits}"}[name]
        array = symbols.own_array(f"$memory{region}.{suffix}", symbols.index_sort, stored)
        self.layout.typed.setdefault(region, {})[name, bits] = array
        return array

    def _bit_field(self, place: Cell) -> tuple[Term, Term]:
        """A bit-field has an array of its own, indexed by the address of its structure."""
        assert place.field is not None and place.record is not None
        symbols = self.context.symbols
        bits = getattr(place.type, "bits", 0)
        name = f"$memory{place.region}.{place.field.name}.{place.field.offset}.{place.width}of{bits}"
        return symbols.own_array(name, symbols.index_sort, place.type), place.record

    def load(self, place: Cell) -> Term:
        self._check(place)
        if self.mode(place) is Mode.BYTES:
            self.guard(place, write=False)
            return self.bytes.load(place)
        if self.mode(place) is Mode.EXPLICIT:
            check_alignment(self.context, place)
            return self.explicit.load(place)
        self.guard(place, write=False)
        if place.width is not None:
            array, address = self._bit_field(place)
            value = b.select(array, address)
            self.context.assume_range(Int(place.width, getattr(place.type, "signed", False)), value)
            return value
        value = b.select(self.array(place.region, place.type), place.address)
        return self._as_type(place.type, value)

    def _as_type(self, type: CType, value: Term) -> Term:
        """Integers are kept signed; those of unsigned type are converted when read."""
        if isinstance(type, Int):
            stored = Int(type.bits, True)
            self.context.assume_range(stored, value)
            if type.boolean:
                self.context.assume_range(type, value)
                return value
            return self.context.arithmetic.convert(stored, type, value)
        if isinstance(type, Pointer):
            self.context.assume_range(type, value)
        return value

    def store(self, place: Cell, value: Term) -> None:
        self._check(place)
        if self.mode(place) is Mode.BYTES:
            self.guard(place, write=True)
            self.bytes.store(place, value)
            if self.context.written is not None:
                self.context.written.store(place)
            return
        if self.mode(place) is Mode.EXPLICIT:
            check_alignment(self.context, place)
            self.explicit.store(place, value)
            return
        self.guard(place, write=True)
        if place.width is not None:
            array, address = self._bit_field(place)
        else:
            array, address = self.array(place.region, place.type), place.address
            if isinstance(place.type, Int) and not place.type.boolean:
                value = self.context.arithmetic.convert(place.type, Int(place.type.bits, True), value)
        self.context.flow.assign(array, b.store(array, address, value))
        if self.context.written is not None:
            self.context.written.store(place)

    def guard(self, place: Cell, write: bool) -> None:
        """What an access needs. A member of a structure that is not there is as bad as the structure."""
        if self.context.objects is not None and self.context.looks_at_pointers:
            self.context.objects.access(place, write)
        elif place.width is None or self.mode(place) is not Mode.TYPED:
            pointer = place.pointer if place.pointer is not None else place.address
            self.context.require(b.not_(b.eq(pointer, self.constant(0))), Check.POINTER)
        check_alignment(self.context, place)

    def _check(self, place: Cell) -> None:
        if isinstance(place.type, Array | Record):
            raise self.context.unsupported(self.context.frame.function.position, "an aggregate as a scalar")
        if isinstance(place.type, Floating) and place.type.bits == 80 and self.mode(place) is Mode.BYTES:
            what = "a long double in memory that is read as several types"
            raise self.context.unsupported(place.at or self.context.frame.function.position, what)

    def havoc(self, place: Cell) -> None:
        """Any value: a fresh one is stored."""
        fresh = self.context.temporary((place.region, place.type), "any", place.type)
        self.context.flow.havoc(fresh)
        self.context.assume_range(place.type, fresh)
        self.store(place, self.context.places.narrowed(place, fresh))
        if self.context.written is not None and self.mode(place) is not Mode.EXPLICIT:
            self.context.written.fill_place(place, False)

    def element(self, place: Cell) -> tuple[Term, Term]:
        """The SMT array of a scalar, or of a byte, and its index."""
        self._check(place)
        if self.mode(place) is Mode.BYTES:
            assert size_of(place.type) == 1
            self.bytes.require_bits()
            return self.bytes.array(place.region), place.address
        if place.width is not None:
            return self._bit_field(place)
        return self.array(place.region, place.type), place.address

    def pending_strings(self) -> list[tuple[ast.StringConst, Cell]]:
        return self._strings
