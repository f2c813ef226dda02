"""Assignments: ``=``, ``op=``, ``++`` and ``--``, of scalars and of whole records.

Where it makes no difference when the left side's address is computed, the right side comes first; where it
does, see ``evaluation.py``. The value of an assignment, where it is wanted, is kept in a temporary: the place
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
        effects = self.context.effects(node.target)
        value = self.expressions.saved(node.value) if effects else self.expressions.value(node.value)
        place = self.context.evaluation.watch(node, places.place(node.target))
        return self._stored(node, place, value, wanted)

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

            def kept(part: str, term: Term | None) -> Term | None:
                return None if term is None else self.expressions.save((owner, part), term, address_type)

            address = self.expressions.save((owner, "address"), place.address, address_type)
            record, pointer = kept("record", place.record), kept("pointer", place.pointer)
            root = kept("root", place.root)
            return replace(place, address=address, record=record, pointer=pointer, root=root)
        if place.index is not None:
            return replace(place, index=self.expressions.save((owner, "index"), place.index, address_type))
        return place

    def assign_record(self, node: ast.Assign) -> Place:
        source = self.expressions.record(node.value)
        places = self.context.places
        if self.context.effects(node.target):  # which may change or move what the source is
            kept = places.of_variable(self.context.calls.spill_variable((node, "source"), node.type))
            places.copy(kept, source)
            source = kept
        place = self.context.evaluation.watch(node, places.place(node.target))
        places.copy(place, source)
        return place

    def compound_assign(self, node: ast.CompoundAssign, wanted: bool = True) -> Term | None:
        places = self.context.places
        place = places.place(node.target)
        if self.context.effects(node.target) or self.context.effects(node.value):
            place = self.stable(place, node)
        place = self.context.evaluation.watch(node, place)
        right = self.expressions.value(node.value)
        old = places.load(place)  # with the writing one evaluation (C17 6.5.16.2), so after all calls
        self._require_written(place, node.target)
        if isinstance(node.target.type, Pointer):
            pointer, down = node.target.type, node.op == "-"
            new = self.expressions.moved(node, pointer, old, right, node.value.type, down, node.at)
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
        place = self.context.evaluation.watch(node, place)
        old = places.load(place)
        self._require_written(place, node.target)
        if wanted and not node.prefix:
            old = self.expressions.save(node, old, node.type)
        stored = self._stored(node, place, self._incremented(node, old), wanted and node.prefix)
        return stored if node.prefix else old

    def _require_written(self, place: Place, target: ast.Expr) -> None:
        """What is changed is read, too."""
        if self.context.written is not None:
            self.context.written.require(place, target.at)

    def _incremented(self, node: ast.Increment, old: Term) -> Term:
        type = node.type
        int_type = self.context.model.int
        if isinstance(type, Pointer):
            one = self.arithmetic.constant(int_type, 1)
            return self.expressions.moved(node, type, old, one, int_type, node.delta < 0, node.at)
        if isinstance(type, Floating):
            return floating.binary(self.context, "+", old, floating.number(type, node.delta))
        assert isinstance(type, Int)
        wide = int_type if type.bits < int_type.bits or type.boolean else type
        one = self.arithmetic.constant(wide, 1)
        left = self.arithmetic.convert(type, wide, old)
        op = "+" if node.delta > 0 else "-"
        result = self.expressions.operate(op, wide, left, one, wide, node.at)
        return self.arithmetic.convert(wide, type, result)
