"""Where an lvalue is stored: variables of the automaton, elements of SMT arrays, or memory.

A :class:`Part` is (a part of) a variable that is split into scalars: ``key`` is the path of field
names; all indices on the path are flattened into one ``index`` into the leaf's SMT array, or are
constants in the key if the variable is unfolded. A :class:`Cell` is memory at an address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Node
from revet.frontends.c.analysis.lvalues import is_open_ended
from revet.frontends.c.checks import Check
from revet.frontends.c.lower.alignment import check_alignment
from revet.frontends.c.lower.bounds import check_index
from revet.frontends.c.lower.context import IN_BOUNDS, Context
from revet.frontends.c.lower.symbols import Key
from revet.frontends.c.types import Array, CType, Field, Int, Pointer, Record, size_of
from revet.logic import build as b
from revet.logic.terms import Op, Term

_BYTE = Int(8, False, name="unsigned char")
MOST_PARTS = 20_000  # of one aggregate that is copied or initialised part by part


@dataclass(frozen=True, slots=True)
class Part:
    variable: ast.Variable
    depth: int
    key: Key
    index: Term | None
    type: CType
    width: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """``record`` is the address of the record and ``field`` the member if this is a bit-field;
    ``pointer`` is what was dereferenced to get here, ``target`` the class it leads to and ``at`` where;
    all None if no pointer was. ``span``: the first address and the one behind the last between which the
    place is for sure. ``root``: the address that was dereferenced, which must be a multiple of ``needs``."""

    address: Term
    region: int
    type: CType
    width: int | None = None
    record: Term | None = None
    field: Field | None = None
    pointer: Term | None = None
    target: Node | None = None
    at: Position | None = None
    span: tuple[int, int] | None = None
    root: Term | None = None
    needs: int = 1


Place = Part | Cell


class Places:
    def __init__(self, context: Context) -> None:
        self.context = context

    # ---- from expressions -------------------------------------------------------------------

    def place(self, expression: ast.Expr) -> Place:
        context = self.context
        match expression:
            case ast.VarRef(variable):
                return self.of_variable(variable)
            case ast.Member(record, field):
                if not _is_lvalue(record):
                    return self.member(self._spilled(record), field)
                return self.member(self.place(record), field)
            case ast.Index():
                return self._index(expression)
            case ast.Deref(pointer):
                address = context.memory.dereferenced(pointer)
                return context.memory.target(address, pointer, expression.type, expression.at)
            case ast.StringConst():
                return context.memory.string(expression)
            case ast.CompoundLiteral(variable):
                place = self.of_variable(variable)
                context.statements.born(variable)
                context.statements.initialise(variable, place)
                return place
            case ast.Cast(operand) if operand.type == expression.type:
                return self.place(operand)
        if isinstance(expression.type, Record):
            return self._spilled(expression)
        raise context.unsupported(expression.at, "this expression is not an lvalue that Revet models")

    def _spilled(self, value: ast.Expr) -> Place:
        """A record value that is no lvalue (a call's result, ``c ? s : t``) in a temporary."""
        return self.context.expressions.record(value)

    def _index(self, expression: ast.Index) -> Place:
        context = self.context
        array, index = expression.array, expression.index
        if context.effects(index):
            position = context.expressions.saved(index)
            base = self.place(array)
        else:
            base = self.place(array)
            position = context.expressions.value(index)
        check_index(context, expression, base, position)
        element = self.element(base, position, index.type)
        if (
            isinstance(element, Cell) and isinstance(base, Cell) and base.address.op == Op.CONST
            and self._is_checked(array)
        ):
            start = base.address.payload
            return replace(element, span=(start, start + size_of(array.type)))
        return element

    def _is_checked(self, array: ast.Expr) -> bool:
        """Does an index of this part of an object that got past its check lead to one of its elements?"""
        assert isinstance(array.type, Array)
        return Check.PART in self.context.checks and bool(array.type.count) and not is_open_ended(array)

    def of_variable(self, variable: ast.Variable, depth: int | None = None) -> Place:
        if depth is None:
            depth = self.context.depth_of(variable)
        if self.context.storage.in_memory(variable):
            return self.context.memory.variable(variable, depth)
        return Part(variable, depth, (), None, variable.type)

    # ---- inside aggregates ------------------------------------------------------------------

    def member(self, place: Place, field: Field) -> Place:
        if isinstance(place, Part):
            step = field.name or f"#{field.offset}"  # no name of C's: see symbols.py
            if isinstance(place.type, Record) and place.type.union:
                step = "union"  # only ever accessed through one member: see analysis/storage.py
            return replace(place, key=(*place.key, step), type=field.type, width=field.width)
        address = self.context.memory.offset(place.address, field.offset // 8)
        return Cell(
            address, place.region, field.type, field.width, place.address, field, place.pointer,
            place.target, place.at, place.span, place.root, place.needs,
        )

    def element(self, place: Place, index: Term, index_type: CType) -> Place:
        assert isinstance(place.type, Array)
        inner = place.type.element
        context = self.context
        assert isinstance(index_type, Int)
        address_type = context.symbols.address_type
        if isinstance(place, Cell):
            moved = context.memory.moved(place.address, index, index_type, size_of(inner))
            return replace(place, address=moved, type=inner, width=None, record=None, field=None)
        if not _in_bounds(place.type, index) and Check.PART not in context.checks:
            context.assumptions.setdefault(IN_BOUNDS)
        if context.storage.unfolded(place.variable):
            assert index.op == Op.CONST  # see Storage.unfolded
            return replace(place, key=(*place.key, index.payload), type=inner)
        position = context.memory.as_index(index, index_type)
        if place.index is not None:
            count = context.arithmetic.constant(address_type, place.type.count or 1)
            position = b.plus(b.times(place.index, count), position)
        return replace(place, index=position, type=inner)

    def fields_of(self, record: Record) -> list[Field]:
        """The members that are parts (of a union: the one that is used)."""
        if not record.union:
            return [field for field in record.fields if field.name or isinstance(field.type, Record)]
        used = self.context.storage.union_member(record)
        return [used] if used is not None else list(record.fields[:1])

    def parts(self, place: Place, wholes: bool = True) -> Iterator[Place]:
        """All scalars below a place, in order. With ``wholes``, an SMT array counts as one."""
        stack: list[Place] = [place]
        count = 0
        while stack:
            current = stack.pop()
            count += 1
            if count > MOST_PARTS:
                raise self.context.unsupported(
                    self.context.flow.span.start, "copying an aggregate this large is not modelled"
                ) if self.context.flow.span else ValueError("aggregate too large")
            if isinstance(current.type, Record):
                inner = [self.member(current, field) for field in self.fields_of(current.type)]
                stack += reversed(inner)
            elif isinstance(current.type, Array) and not (wholes and self.is_whole(current)):
                elements = [self._constant_element(current, n) for n in range(current.type.count or 0)]
                stack += reversed(elements)
            else:
                yield current

    def is_whole(self, place: Place) -> bool:
        """An array of scalars (of any dimension) that is one SMT array variable."""
        if not isinstance(place, Part) or not isinstance(place.type, Array) or place.index is not None:
            return False
        return not self.context.storage.unfolded(place.variable) and not isinstance(
            _scalar_of(place.type), Record
        )

    def _constant_element(self, place: Place, number: int) -> Place:
        size_type = self.context.symbols.address_type
        return self.element(place, self.context.arithmetic.constant(size_type, number), size_type)

    def step(self, place: Place, step: ast.Step) -> Place:
        if isinstance(step, Field):
            return self.member(place, step)
        return self._constant_element(place, step)

    # ---- reading and writing ----------------------------------------------------------------

    def whole(self, place: Part) -> Term:
        """The SMT array variable of an array place."""
        assert isinstance(place.type, Array)
        return self.context.symbols.leaf(
            place.variable, place.depth, place.key, _scalar_of(place.type), arrayed=True
        )

    def leaf(self, place: Part) -> Term:
        """The automaton's variable that holds a scalar, or, with an index, all of its kind."""
        return self.context.symbols.leaf(
            place.variable, place.depth, place.key, place.type, place.index is not None
        )

    def load(self, place: Place) -> Term:
        if isinstance(place, Cell):
            return self.context.memory.load(place)
        if self.context.frames:
            frame = self.context.frame
            if place.variable in frame.constants and place.depth == frame.depth:
                return frame.constants[place.variable]
        leaf = self.leaf(place)
        if place.index is None:
            return leaf
        value = b.select(leaf, place.index)
        self.context.assume_range(place.type, value)
        return value

    def store(self, place: Place, value: Term) -> Term:
        """Write a scalar; the value that is stored (bit-fields narrow it) is returned."""
        value = self.narrowed(place, value)
        if isinstance(place, Cell):
            self.context.memory.store(place, value)
            return value
        self.assign(place, value)
        if self.context.written is not None:
            self.context.written.store(place)
        return value

    def assign(self, place: Part, value: Term) -> None:
        """Write a scalar that is a variable of the automaton, or in one."""
        leaf = self.leaf(place)
        self.context.flow.assign(leaf, value if place.index is None else b.store(leaf, place.index, value))

    def narrowed(self, place: Place, value: Term) -> Term:
        if place.width is None or not isinstance(place.type, Int):
            return value
        if place.type.boolean:
            return value
        narrow = Int(place.width, place.type.signed)
        arithmetic = self.context.arithmetic
        return arithmetic.convert(narrow, place.type, arithmetic.convert(place.type, narrow, value))

    def havoc(self, place: Place) -> None:
        """Any value of its type for every part. The place is a whole variable, so an SMT array
        that holds one field of all its elements gets any value as a whole."""
        self._havoc_parts(self._raw_parts(place))
        if self.context.written is not None:
            self.context.written.fill_place(place, False)

    def havoc_numbers(self, place: Place) -> None:
        """The same, but pointers stay as they are, and nothing is taken for not written."""
        self._havoc_parts(p for p in self._raw_parts(place) if not isinstance(_scalar_of(p.type), Pointer))

    def _havoc_parts(self, parts: Iterable[Place]) -> None:
        arrays: dict[Term, None] = {}
        for part in parts:
            if isinstance(part, Cell):
                self.context.memory.havoc(part)
            elif self.is_whole(part):
                self.context.flow.havoc(self.whole(part))
            elif part.index is not None:
                arrays[self.leaf(part)] = None
            else:
                leaf = self.leaf(part)
                self.context.flow.havoc(leaf)
                self.context.assume_range(_narrow_type(part), leaf)
        for array in arrays:
            self.context.flow.havoc(array)

    def _raw_parts(self, place: Place) -> Iterator[Place]:
        """All scalars, or all bytes where that is not the same: members of unions lie upon each other."""
        if isinstance(place, Cell) and self.context.storage.has_mixed_union(place.type):
            return self.parts(replace(place, type=Array(_BYTE, size_of(place.type))))
        return self.parts(place)

    def zero(self, place: Place) -> None:
        for part in self._raw_parts(place):
            self._zero_part(part)

    def _zero_part(self, part: Place) -> None:
        context = self.context
        if isinstance(part, Part) and self.is_whole(part):
            array = self.whole(part)
            zero = context.expressions.zero(_scalar_of(part.type))
            context.flow.assign(array, b.const_array(array.sort, zero))
            if context.written is not None:
                context.written.fill_place(part, True)
        elif not isinstance(part.type, Array):
            self.store(part, context.expressions.zero(part.type))

    def _whole_there(self, place: Place, write: bool) -> Place:
        """Check the access to a whole object once, padding included, instead of part by part."""
        objects = self.context.objects
        if objects is None or not isinstance(place, Cell) or place.target is None or place.at is None:
            return place
        size = self.context.arithmetic.constant(self.context.symbols.address_type, size_of(place.type))
        objects.block(place.target, place.address, size, place.at, write)
        check_alignment(self.context, place)
        return replace(place, pointer=None, target=None)

    def copy(self, target: Place, source: Place) -> None:
        """Assign a whole record (or array, in initialisers). All reads come before all writes."""
        context = self.context
        target, source = self._whole_there(target, True), self._whole_there(source, False)
        whole = context.memory.whole
        if isinstance(target, Cell) and isinstance(source, Cell) and whole.are_bytes(target, source):
            whole.copy_bytes(target, source)
            return
        values: list[Term] = []
        sources, targets = list(self.parts(source)), list(self.parts(target))
        if [self.is_whole(part) for part in sources] != [self.is_whole(part) for part in targets]:
            sources, targets = list(self.parts(source, False)), list(self.parts(target, False))
        for part in sources:
            if isinstance(part, Part) and self.is_whole(part):
                values.append(self.whole(part))
            else:
                values.append(self.load(part))
        shadows = context.written.shadows(sources) if context.written is not None else None
        for part, value in zip(targets, values, strict=True):
            if isinstance(part, Part) and self.is_whole(part):
                context.flow.assign(self.whole(part), value)
            else:
                self.store(part, value)
        if context.written is not None and shadows is not None:
            for part, shadow in zip(targets, shadows, strict=True):
                context.written.copy(part, shadow)


def _in_bounds(type: Array, index: Term) -> bool:
    """Is the index a constant that the array has an element for?"""
    return index.op == Op.CONST and type.count is not None and 0 <= index.payload < type.count


def _narrow_type(part: Place) -> CType:
    if part.width is not None and isinstance(part.type, Int) and not part.type.boolean:
        return Int(part.width, part.type.signed)
    return part.type


def _scalar_of(type: CType) -> CType:
    while isinstance(type, Array):
        type = type.element
    return type


def _is_lvalue(expression: ast.Expr) -> bool:
    return isinstance(
        expression,
        ast.VarRef | ast.Deref | ast.Index | ast.Member | ast.StringConst | ast.CompoundLiteral,
    )
