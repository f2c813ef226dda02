"""Assignments: ``=``, ``op=``, ``++`` and ``--``, of scalars and of whole records.

C leaves open when the left side's address is computed; here the right side comes first, as gcc and our
interpreter have it. The value of an assignment, where it is wanted, is kept in a temporary: the place
itself may be read through what was just written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.lower import floating
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.places import Cell, Place
from revet.frontends.c.types import Floating, Int, Pointer
from revet.logic.terms import Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.expressions import Expressions


class Assignments:
    def __init__(self, context: Context, expressions: Expressions) -> None:
        self.context = context
        self.arithmetic = context.arithmetic
        self.expressions = expressions

    def assign(self, node: ast.Assign, wanted: bool = True) -> Term | None:
        """Stored; the value, if it is wanted, in a temporary (the place itself may be read
        through what was just written)."""
        if self.context.calls.assign_input(node):
            return self.expressions.load(node.target) if wanted else None
        places = self.context.places
        # The right side first, as gcc and our interpreter do; C leaves the order open.
        effects = self.context.effects(node.target)
        value = self.expressions.saved(node.value) if effects else self.expressions.value(node.value)
        return self._stored(node, places.place(node.target), value, wanted)

    def _stored(self, node: ast.Expr, place: Place, value: Term, wanted: bool) -> Term | None:
        value = self.context.places.narrowed(place, value)
        if wanted:
            value = self.expressions.save((node, "stored"), value, node.type)
        self.context.places.store(place, value)
        return value if wanted else None

    def stable(self, place: Place, owner: object) -> Place:
        """A place whose address or index no later side effect can change."""
        address_type = self.context.symbols.address_type
        if isinstance(place, Cell):
            address = self.expressions.save((owner, "address"), place.address, address_type)
            record = place.record and self.expressions.save((owner, "record"), place.record, address_type)
            pointer = place.pointer and self.expressions.save((owner, "pointer"), place.pointer, address_type)
            return replace(place, address=address, record=record, pointer=pointer)
        if place.index is not None:
            return replace(place, index=self.expressions.save((owner, "index"), place.index, address_type))
        return place

    def assign_record(self, target: ast.Expr, value: ast.Expr) -> Place:
        source = self.expressions.record(value)
        place = self.context.places.place(target)
        self.context.places.copy(place, source)
        return place

    def compound_assign(self, node: ast.CompoundAssign, wanted: bool = True) -> Term | None:
        places = self.context.places
        place = places.place(node.target)
        if self.context.effects(node.target) or self.context.effects(node.value):
            place = self.stable(place, node)
        right = self.expressions.value(node.value)
        old = places.load(place)  # last, as our interpreter does; C leaves the order open
        if isinstance(node.target.type, Pointer):
            pointer, down = node.target.type, node.op == "-"
            new = self.expressions.moved(pointer, old, right, node.value.type, down, node.at)
            return self._stored(node, place, new, wanted)
        left = self.expressions.convert(old, node.target.type, node.computation, node.at)
        result = self.expressions.operate(node.op, node.computation, left, right, node.value.type, node.at)
        new = self.expressions.convert(result, node.computation, node.target.type, node.at)
        return self._stored(node, place, new, wanted)

    def increment(self, node: ast.Increment, wanted: bool = True) -> Term | None:
        places = self.context.places
        place = places.place(node.target)
        if self.context.effects(node.target):
            place = self.stable(place, node)
        old = places.load(place)
        if wanted and not node.prefix:
            old = self.expressions.save(node, old, node.type)
        stored = self._stored(node, place, self._incremented(node, old), wanted and node.prefix)
        return stored if node.prefix else old

    def _incremented(self, node: ast.Increment, old: Term) -> Term:
        type = node.type
        int_type = self.context.model.int
        if isinstance(type, Pointer):
            one = self.arithmetic.constant(int_type, 1)
            return self.expressions.moved(type, old, one, int_type, node.delta < 0, node.at)
        if isinstance(type, Floating):
            return floating.binary("+", old, floating.number(self.context, type, node.delta))
        assert isinstance(type, Int)
        wide = int_type if type.bits < int_type.bits or type.boolean else type
        one = self.arithmetic.constant(wide, 1)
        left = self.arithmetic.convert(type, wide, old)
        op = "+" if node.delta > 0 else "-"
        result = self.expressions.operate(op, wide, left, one, wide, node.at)
        return self.arithmetic.convert(wide, type, result)
