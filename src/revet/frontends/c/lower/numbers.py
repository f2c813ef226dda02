"""The numbers of addresses: what a pointer is as an integer, and what an integer is as a pointer.

The addresses of the model tell objects apart; where a machine puts an object is not theirs to say. So every
object has a *place*, the number of its first byte, about which only this is known:

* a pointer into an object has the place's number plus the offset;
* the place is a multiple of the alignment of the object;
* no object is in the first or the last page of the address space (null is zero, ``(void *)-1`` is no object);
* objects that live at the same time have no byte in common.

A local variable has another place in every activation of its function. The way back is a table from numbers
to pointers, filled whenever a pointer becomes a number: its entry counts if the object is still there and has
that number. Any other number gives any pointer. Numbers in the first and the last page, and all numbers where
no object can be meant, stand for themselves in both directions.

Memory that is kept as bytes holds numbers where some of it may be read as pointers and as something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from revet.errors import Unsupported
from revet.frontends.c.analysis.points_to import FUNCTIONS
from revet.frontends.c.analysis.written_addresses import PAGE
from revet.frontends.c.types import Int, Record, innermost, size_of
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Op, Term

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c import ast
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.lower.context import Context

_MOST_SEARCHED = 8
_MOST_ALIGNED = 64  # as the addresses of the model are
CODE = (0x400, 0x10000)  # where the functions of the model are


class Numbers:
    def __init__(self, context: Context) -> None:
        assert context.objects is not None
        self.context = context
        self.objects = context.objects
        self.points_to = context.storage.points_to
        self.type = Int(8 * context.model.pointer_size, False, name="uintptr_t")

    @property
    def _places(self) -> Term:
        """The number of the first byte of every object (of a function: its own), by its address."""
        symbols = self.context.symbols
        return symbols.own_array("$places", symbols.index_sort, self.type)

    @property
    def _pointers(self) -> Term:
        """The pointer that had a number when it was last made a number; null: there was none."""
        symbols = self.context.symbols
        number = self.context.arithmetic.sort(self.type)
        return symbols.own_array("$pointers", number, symbols.address_type)

    def start(self) -> None:
        self._forget()

    def _forget(self) -> None:
        table = self._pointers
        self.context.flow.assign(table, b.const_array(table.sort, self.context.memory.constant(0)))

    def leave(self, variables: Iterable[ast.Variable], depth: int) -> None:
        """Local variables are gone: the next ones of these names are elsewhere, perhaps where others were, so
        what is known about the dead ones is forgotten."""
        context = self.context
        for variable in variables:
            if variable not in self.points_to.address_taken or not self._is_shown(variable):
                continue
            base = context.memory.constant(context.memory.variable_base(variable, depth))
            place = context.temporary(variable, "place", self.type)
            context.flow.havoc(place)
            context.assume_range(self.type, place)
            context.flow.assign(self._places, b.store(self._places, base, place))
            self._forget()

    def _is_shown(self, variable: ast.Variable) -> bool:
        """Is its address ever made a number?"""
        return self.context.storage.bytes_are_numbers or self.points_to.object_of(variable).numbered

    # ---- what may be meant ------------------------------------------------------------------

    def _has_objects(self, nodes: Iterable[Node]) -> bool:
        return any(self.context.storage.has_objects(node) for node in nodes)

    def _code(self) -> Node:
        return self.points_to.object_of(FUNCTIONS)

    def _alignment(self, nodes: Iterable[Node]) -> int:
        """Of all objects of these classes."""
        found = [_MOST_ALIGNED]
        for node in nodes:
            if node.foreign or node.strings or node is self._code():
                return 1
            found += map(self._aligned, self.context.storage.addressed(node))
            found += [2 * self.context.model.pointer_size] if node.blocks else []
        return min(found)

    def _aligned(self, variable: ast.Variable) -> int:
        if variable.alignment is not None:
            return variable.alignment
        type = innermost(variable.type)
        if isinstance(type, Record):
            return type.align
        size = size_of(type)
        return min(size & -size, self.context.model.pointer_size)

    # ---- from pointers to numbers -----------------------------------------------------------

    def of(self, pointer: Term, nodes: list[Node], at: Position) -> Term:
        """The number of a pointer into one of these classes, as an unsigned integer."""
        context = self.context
        if not self._has_objects(nodes):
            return self._itself(pointer, at)
        number = context.temporary(object(), "number", self.type)  # each its own
        context.flow.assign(number, self._number(pointer, nodes, at))
        context.assume(b.implies(self._is_own(pointer, nodes), self._facts(number, pointer, nodes)))
        if not any(node.strings for node in nodes):  # which may have bytes in common
            known = b.select(self._pointers, number)
            same = b.and_(self._counts(known, number, nodes), self._inside(pointer, nodes))
            context.assume(b.implies(same, b.eq(known, pointer)))
        context.flow.assign(self._pointers, b.store(self._pointers, number, pointer))
        return number

    def _itself(self, pointer: Term, at: Position) -> Term:
        context = self.context
        if context.symbols.unbounded:
            fits = context.arithmetic.in_range(self.type, pointer)
            context.end_unless(fits, "an address beyond all integers", at)
        return context.arithmetic.convert(context.symbols.address_type, self.type, pointer)

    def _number(self, pointer: Term, nodes: list[Node], at: Position) -> Term:
        return b.ite(
            self._is_own(pointer, nodes), self._moved(pointer, nodes),
            pointer if self.context.symbols.unbounded else self._itself(pointer, at),
        )

    def _base(self, pointer: Term, nodes: list[Node]) -> Term:
        base = self.objects.beginning(pointer)
        return b.ite(self._is_code(pointer), pointer, base) if self._code() in nodes else base

    def _moved(self, pointer: Term, nodes: list[Node]) -> Term:
        """The place of the pointer's object, plus the offset."""
        base = self._base(pointer, nodes)
        return b.plus(b.select(self._places, base), b.minus(pointer, base))

    def _facts(self, number: Term, pointer: Term, nodes: list[Node]) -> Term:
        step = self._alignment(nodes)
        if self.context.arithmetic.name == "int":
            aligned = b.eq(b.mod(b.minus(number, pointer), b.integer(step)), b.integer(0))
        else:
            low = b.bv(step - 1, self.type.bits)
            aligned = b.eq(b.bvand(number, low), b.bvand(pointer, low))
        place = b.select(self._places, self._base(pointer, nodes))
        inner = [b.not_(self._is_outermost(one)) for one in (place, number)]
        return b.and_(*inner, aligned if step > 1 else TRUE)

    def _is_outermost(self, number: Term) -> Term:
        """Is it in the first or the last page? There is no object."""
        below = self._compare("<", self.type, number, PAGE)
        return b.or_(below, self._compare(">=", self.type, number, (1 << self.type.bits) - PAGE))

    def _compare(self, op: str, type: Int, value: Term, bound: int) -> Term:
        if self.context.arithmetic.name == "int":
            return {"<": b.lt, ">=": b.ge}[op](value, b.integer(bound))
        return self.context.arithmetic.compare(op, type, value, self.context.arithmetic.constant(type, bound))

    def _is_code(self, pointer: Term) -> Term:
        type, (first, end) = self.context.symbols.address_type, CODE
        return b.and_(self._compare(">=", type, pointer, first), self._compare("<", type, pointer, end))

    def _is_own(self, pointer: Term, nodes: list[Node]) -> Term:
        """May an object of the model be there, or a function? Other pointers are numbers from the start."""
        type, end = self.context.symbols.address_type, 1 << self.type.bits
        last = self._compare(">=", type, pointer, end - PAGE)
        if self.context.symbols.unbounded:
            last = b.and_(last, self._compare("<", type, pointer, end))
        own = b.and_(self._compare(">=", type, pointer, self.objects.spacing), b.not_(last))
        return b.or_(own, self._is_code(pointer)) if self._code() in nodes else own

    # ---- and back ---------------------------------------------------------------------------

    def pointer(self, number: Term, nodes: list[Node]) -> Term:
        """The pointer that a number stands for, which may lead into these classes."""
        context = self.context
        itself = context.arithmetic.convert(self.type, context.symbols.address_type, number)
        below = number.op == Op.CONST and number.payload < self.objects.spacing
        if below or not self._has_objects(nodes):
            return itself
        void = context.symbols.address_type
        any_ = context.temporary(object(), "pointer", void)
        context.flow.havoc(any_)
        context.assume_range(void, any_)
        known = b.select(self._pointers, number)
        found = b.ite(self._counts(known, number, nodes), known, self._searched(number, nodes, any_))
        result = context.temporary(object(), "pointer", void)
        context.flow.assign(result, b.ite(self._is_outermost(number), itself, found))
        return result

    def _searched(self, number: Term, nodes: list[Node], otherwise: Term) -> Term:
        """The object in whose bytes a number is, if there are few."""
        try:
            objects = [each for node in nodes for each in self.objects.candidates(node)]
        except Unsupported:  # an object of unknown size
            return otherwise
        found, one, compare = otherwise, self.context.memory.constant(1), self.context.arithmetic.compare
        last = self.context.arithmetic.constant(self.type, (1 << self.type.bits) - PAGE)
        for each in objects if len(objects) <= _MOST_SEARCHED else ():
            place, size = b.select(self._places, each.base), b.minus(each.end, one)
            offset = b.minus(number, place)
            made = self._compare(">=", self.type, each.end, 1)  # where there is no block its end is zero
            there = b.and_(each.there, made)
            above = self._compare(">=", self.type, place, PAGE)
            below = compare("<=", self.type, place, b.minus(last, size))
            self.context.assume(b.implies(there, b.and_(above, below)))
            near = [there, compare("<", self.type, offset, size)]
            if self.context.arithmetic.name == "int":
                near.append(b.integer(0) <= offset)
            found = b.ite(b.and_(*near), b.plus(each.base, offset), found)
        return found

    def _counts(self, known: Term, number: Term, nodes: list[Node]) -> Term:
        """Is an entry of the table a pointer into an object that is there, and has the number?"""
        inside = self._inside(known, nodes)
        return b.and_(inside, b.eq(self._moved(known, nodes), number)) if inside is not FALSE else FALSE

    def _inside(self, pointer: Term, nodes: list[Node]) -> Term:
        one = self.context.memory.constant(1)
        found = [self._is_code(pointer)] if self._code() in nodes else []
        try:
            found += [self.objects.inside(node, pointer, one, pointer, False) for node in nodes]
        except Unsupported:  # an object of unknown size
            return FALSE
        return b.disjunction(found)
