"""What a program asks about its memory: is it there, how large is an object (``__CPROVER_r_ok``)."""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c import ast
from revet.frontends.c.library.conventions import IS_READABLE, IS_WRITABLE, OBJECT_SIZE
from revet.frontends.c.lower.context import Context
from revet.logic import build as b
from revet.logic.terms import Term


class Questions:
    """The answers are terms of type ``size_t``; nothing is required of the pointer."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.handlers: dict[str, Callable[[ast.Call], Term | None]] = {
            IS_READABLE: lambda node: self._is_there(node, write=False),
            IS_WRITABLE: lambda node: self._is_there(node, write=True),
            OBJECT_SIZE: self._size,
        }

    def _is_there(self, node: ast.Call, write: bool) -> Term:
        """Are so many bytes inside of an object? No bytes are."""
        context, objects = self.context, self.context.objects
        assert objects is not None  # see Context.tracks
        address, size = context.expressions.sequence(node.arguments)
        size = context.memory.as_index(size, context.model.size_type)
        target = context.storage.points_to.target(node.arguments[0])
        there = objects.inside(target, address, size, address, write)
        yes, no = (context.arithmetic.constant(context.model.size_type, value) for value in (1, 0))
        return b.ite(b.or_(b.eq(size, objects.constant(0)), there), yes, no)

    def _size(self, node: ast.Call) -> Term:
        """The size of the living object that the pointer leads to, or just behind; 0 if there is none."""
        context, objects = self.context, self.context.objects
        assert objects is not None
        (address,) = context.expressions.sequence(node.arguments)
        target = context.storage.points_to.target(node.arguments[0])
        size = objects.size_of(target, address)
        return context.arithmetic.convert(context.symbols.address_type, context.model.size_type, size)
