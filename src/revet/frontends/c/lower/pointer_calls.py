"""Calls through pointers: a branch for every function that the pointer may point at.

What no branch covers is said (:data:`~revet.frontends.c.lower.context.REACHED`), or ends the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.call_graph import reached_through
from revet.frontends.c.checks import Check
from revet.frontends.c.lower.context import REACHED
from revet.frontends.c.lower.places import Place
from revet.frontends.c.types import CType, Record, Void
from revet.logic import build as b
from revet.logic.terms import FALSE, Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.calls import Calls
    from revet.frontends.c.lower.context import Context
    from revet.model.cfa import Location

Argument = Term | Place


class PointerCalls:
    def __init__(self, context: Context, calls: Calls) -> None:
        self.context = context
        self.calls = calls

    def call(self, node: ast.Call) -> Place | None:
        """One branch for every function that the pointer may point at."""
        context = self.context
        pointer = context.expressions.saved(node.function)
        evaluated = enumerate(self.calls.arguments(node))
        arguments = [self._kept(value, type, (node, n)) for n, (value, type) in evaluated]
        place: Place | None = None
        if not isinstance(node.type, Void):
            place = context.places.of_variable(self.calls.spill_variable(node, node.type))
        join = context.flow.split(context.function)
        context.assumption(REACHED, node.at)
        candidates = self._candidates(node)
        for name in candidates:
            chosen, other = (context.flow.split(context.function) for _ in range(2))
            context.flow.branch(b.eq(pointer, context.memory.function(name)), chosen, other)
            context.flow.resume(chosen)
            result = self.calls.inline(context.program.functions[name], arguments, node)
            if place is not None and result is not None:
                if isinstance(node.type, Record):
                    context.places.copy(place, result)
                else:
                    context.places.store(place, self.calls.converted(result, node))
            context.flow.jump(join)
            context.flow.resume(other)
        self._bodyless(node, pointer, place, join)
        others = [name for name in context.storage.retyped_functions if name not in candidates]
        same = b.disjunction(b.eq(pointer, context.memory.function(name)) for name in others)
        context.end_unless(b.not_(same), "call of a function as if it were another one", node.at)
        if context.storage.points_to.target(node.function).foreign:
            self._from_outside(pointer, place, node)
        else:
            if Check.POINTER in context.checks:
                context.require(FALSE, Check.POINTER, node.at)
            context.statements.dead_end()  # see REACHED
        context.flow.jump(join)
        context.flow.resume(join)
        return place

    def _from_outside(self, pointer: Term, place: Place | None, node: ast.Call) -> None:
        """A function that some other file may have: as one of the user's own without a body."""
        context = self.context
        null = context.arithmetic.constant(context.symbols.address_type, 0)
        context.require(b.not_(b.eq(pointer, null)), Check.POINTER, node.at)
        context.assumption("functions behind pointers from outside: any value, no other effect", node.at)
        if place is not None:
            context.places.havoc(place)

    def _kept(self, value: Argument, type: CType, owner: object) -> tuple[Argument, CType]:
        if isinstance(value, Term):
            return self.context.expressions.save(owner, value, type), type
        return value, type

    def _bodyless(self, node: ast.Call, pointer: Term, place: Place | None, join: Location) -> None:
        """A branch for every function without a body: of the user's own ones any result, as when they are
        called by name; the model ends at those of the C library."""
        context = self.context
        for name in context.storage.functions_with_address:
            if name in context.program.functions:
                continue
            chosen, other = (context.flow.split(context.function) for _ in range(2))
            context.flow.branch(b.eq(pointer, context.memory.function(name)), chosen, other)
            context.flow.resume(chosen)
            if self.calls.library.knows(name, None) or isinstance(node.type, Record):
                context.flow.jump(context.open_end(f"call-through-pointer@{name}", node.at))
            else:
                self.calls.note_external(name, node)
                if place is not None:
                    value = context.temporary((node, name), name, node.type)
                    self.calls.draw(value, node.type, name, node)
                    context.places.store(place, value)
                context.flow.jump(join)
            context.flow.resume(other)

    def _candidates(self, node: ast.Call) -> list[str]:
        return reached_through(self.context.program, node, self.context.storage.functions_with_address)
