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
from revet.frontends.c.lower.byte_memory import ByteMemory
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.explicit_memory import ExplicitMemory
from revet.frontends.c.lower.layout import Layout
from revet.frontends.c.lower.places import Cell, Place
from revet.frontends.c.types import Array, CType, Floating, Int, Pointer, Record, size_of
from revet.logic import build as b
from revet.logic.terms import Term

_FUNCTIONS = 0x400
_OBJECTS = 0x10000
HEAP = 0x40000000
_ALIGN = 16
VALID = "memory accesses are valid (within an object, not null, not freed)"


class Memory:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.storage = context.storage
        self.explicit = ExplicitMemory(context)
        self.bytes = ByteMemory(context)
        self.layout = Layout(context.storage, _OBJECTS, HEAP, context.model.pointer_size)
        self._modes: dict[int, Mode] = {}
        self._bases: dict[tuple[object, int], int] = {}
        self._next = _OBJECTS
        self._functions: dict[str, int] = {}
        self._strings: list[tuple[ast.StringConst, Cell]] = []

    # ---- addresses --------------------------------------------------------------------------

    def _constant(self, value: int) -> Term:
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def base(self, item: object, depth: int, size: int) -> int:
        """The address of an object; a gap after it keeps "one past the end" apart."""
        found = self._bases.get((item, depth))
        if found is None:
            found = self._bases[(item, depth)] = self._next
            self._next += (size + 2 * _ALIGN - 1) // _ALIGN * _ALIGN
            self.layout.objects_end = self._next
        return found

    def variable_base(self, variable: ast.Variable, depth: int) -> int:
        return self.base(variable, depth, bytes_of(variable.type))

    def address(self, lvalue: ast.Expr) -> Term:
        """The address of an lvalue."""
        match lvalue:
            case ast.VarRef(variable):
                return self._constant(self.variable_base(variable, self.context.depth_of(variable)))
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
                self.context.statements.initialise(variable, self.context.places.of_variable(variable))
                return self._constant(self.variable_base(variable, self.context.depth_of(variable)))
        place = self.context.places.place(lvalue)
        if isinstance(place, Cell):
            return place.address
        raise self.context.unsupported(lvalue.at, "the address of this expression is not modelled")

    def function(self, name: str) -> Term:
        number = self._functions.setdefault(name, len(self._functions))
        return self._constant(_FUNCTIONS + 16 * number)

    def offset(self, address: Term, size: int) -> Term:
        return b.plus(address, self._constant(size)) if size else address

    def as_index(self, index: Term, type: Int) -> Term:
        """An integer of any type as an address or array index (sign-extended)."""
        if self.context.arithmetic.name == "int":
            return index
        return self.context.arithmetic.convert(type, self.context.symbols.address_type, index)

    def moved(self, address: Term, index: Term, index_type: Int, size: int) -> Term:
        """``address + index * size``. Leaving the object is undefined, so nothing wraps."""
        return b.plus(address, b.times(self.as_index(index, index_type), self._constant(size)))

    def difference(self, left: Term, right: Term, size: int, type: Int) -> Term:
        """The distance of two pointers in elements, as a value of the signed ``type``."""
        distance = b.minus(left, right)
        divisor = self.context.arithmetic.constant(type, size)
        if size == 1:
            return distance
        if self.context.arithmetic.name == "int":
            return b.div(distance, divisor)
        return b.bvsdiv(distance, divisor)

    # ---- places -----------------------------------------------------------------------------

    def target(self, address: Term, pointer: ast.Expr, type: CType, at: Position) -> Place:
        node = self.storage.points_to.target(pointer)
        self.context.assumptions.setdefault(VALID)
        region = self._region(node)
        if self.storage.trusts_casts(node):
            self.context.assumptions.setdefault(
                "pointers that are cast to a structure type point to such a structure"
            )
        if self._modes[region] is Mode.EXPLICIT and not node.indexed and isinstance(type, Record):
            only = self.explicit.only_record(region, type)
            if only is not None:
                self.context.require(b.eq(address, self._constant(only.address)), "invalid pointer")
                return only.part
        return Cell(address, region, type, pointer=self._dereferenced(address, pointer))

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

    def _region(self, node: Node) -> int:
        region = self.storage.region(node)
        if region not in self._modes:
            self._modes[region] = self.storage.mode(node)
            self.layout.nodes[region] = node
            self.explicit.add_region(region, node)
        return region

    def variable(self, variable: ast.Variable, depth: int) -> Place:
        node = self.storage.points_to.object_of(variable)
        return Cell(self._constant(self.variable_base(variable, depth)), self._region(node), variable.type)

    def string(self, node: ast.StringConst) -> Cell:
        known = (node, 0) in self._bases
        region = self._region(self.storage.points_to.object_of(node))
        address = self.base(node, 0, len(node.data) * 4)
        cell = Cell(self._constant(address), region, node.type)
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
        return self._region(self.storage.points_to.target(pointer))

    def region_of_value(self, value: ast.Expr) -> int:
        """The class that a pointer points into, be it dereferenced or not."""
        return self.storage.region(self.storage.points_to.target(value))

    def region_of_call(self, node: ast.Call) -> int:
        """The class of the block that an allocation gives."""
        return self._region(self.storage.points_to.object_of((node, "heap")))

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
        name = f"$memory{place.region}.{place.field.name}.{place.field.offset}"
        return symbols.own_array(name, symbols.index_sort, place.type), place.record

    def load(self, place: Cell) -> Term:
        self._check(place)
        if self.mode(place) is Mode.BYTES:
            return self.bytes.load(place)
        if self.mode(place) is Mode.EXPLICIT:
            return self.explicit.load(place)
        if place.width is not None:
            array, address = self._bit_field(place)
            value = b.select(array, address)
            self.context.assume_range(Int(place.width, getattr(place.type, "signed", False)), value)
            return value
        self._not_null(place)
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
            self.bytes.store(place, value)
            return
        if self.mode(place) is Mode.EXPLICIT:
            self.explicit.store(place, value)
            return
        if place.width is not None:
            array, address = self._bit_field(place)
        else:
            self._not_null(place)
            array, address = self.array(place.region, place.type), place.address
            if isinstance(place.type, Int) and not place.type.boolean:
                value = self.context.arithmetic.convert(place.type, Int(place.type.bits, True), value)
        self.context.flow.assign(array, b.store(array, address, value))

    def _not_null(self, place: Cell) -> None:
        """A member of a structure that is not there is as bad as the structure."""
        pointer = place.pointer if place.pointer is not None else place.address
        self.context.require(b.not_(b.eq(pointer, self._constant(0))), "null pointer")

    def _check(self, place: Cell) -> None:
        if isinstance(place.type, Array | Record):
            raise self.context.unsupported(self.context.frame.function.position, "an aggregate as a scalar")
        if isinstance(place.type, Floating) and place.type.bits not in (32, 64):
            raise self.context.unsupported(self.context.frame.function.position, "long double")

    def havoc(self, place: Cell) -> None:
        """Any value: a fresh one is stored."""
        fresh = self.context.temporary((place.region, kind_of(place.type)), "any", place.type)
        self.context.flow.havoc(fresh)
        self.context.assume_range(place.type, fresh)
        self.store(place, self.context.places.narrowed(place, fresh))

    def havoc_scalars(self, pointer: ast.Expr, type: CType) -> None:
        """Any values for all scalars of a kind in the class of memory that a pointer leads to."""
        region = self.region_of_pointer(pointer)
        self.context.assumptions.setdefault(VALID)
        match self._modes[region]:
            case Mode.EXPLICIT:
                self.explicit.havoc(Cell(self._constant(0), region, type))
            case Mode.BYTES:
                self.bytes.havoc(region)
            case _:
                self.context.flow.havoc(self.array(region, type))

    def havoc_object(self, variable: ast.Variable, place: Cell) -> bool:
        """A large array that is alone in its class: all of the class's memory at once."""
        node = self.storage.points_to.object_of(variable)
        alone = len(node.variables) == 1 and not node.heap and not node.unknown and not node.strings
        if not alone or self.mode(place) is not Mode.TYPED:
            return False
        scalar = place.type
        while isinstance(scalar, Array):
            scalar = scalar.element
        if isinstance(scalar, Record):
            return False
        self.context.flow.havoc(self.array(place.region, scalar))
        return True

    def has_array(self, place: Place) -> bool:
        """Is the place kept in SMT arrays of its class of memory?"""
        return isinstance(place, Cell) and self.mode(place) is not Mode.EXPLICIT

    def zero_object(self, variable: ast.Variable, place: Cell) -> bool:
        """A large global array in a class of globals only: the class's memory starts as zero."""
        node = self.storage.points_to.object_of(variable)
        lasting = all(v.lives_forever for v in node.variables) and not node.strings
        if not lasting or node.heap or node.unknown or self.mode(place) is not Mode.TYPED:
            return False
        scalar = place.type
        while isinstance(scalar, Array):
            scalar = scalar.element
        if isinstance(scalar, Record) or any(v.initialiser is not None for v in node.variables):
            return False
        array = self.array(place.region, scalar)
        self.context.flow.assign(array, b.const_array(array.sort, self.context.expressions.zero(scalar)))
        return True

    def pending_strings(self) -> list[tuple[ast.StringConst, Cell]]:
        return self._strings
