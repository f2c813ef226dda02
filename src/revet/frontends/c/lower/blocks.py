"""``memset``, ``memcpy`` and ``memmove``.

Where the block consists of whole objects of a type (see ``analysis/block_operations.py``), its scalars are
written; memory that is kept as bytes is written byte by byte. Small blocks of constant size are one
assignment, so that all is read before anything is written; others are a loop in the automaton, which
``memmove`` runs from whichever end is safe.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import block_element, is_zero
from revet.frontends.c.analysis.storage import Mode
from revet.frontends.c.checks import Check
from revet.frontends.c.library.conventions import APART, READABLE, WRITABLE
from revet.frontends.c.lower.context import VALID, Context
from revet.frontends.c.lower.places import Cell
from revet.frontends.c.types import CType, Int, size_of
from revet.logic import build as b
from revet.logic.terms import Op, Term

_MOST_SCALARS = 256  # that are filled or copied without a loop
_BYTE = Int(8, False, name="unsigned char")


class Blocks:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.handlers: dict[str, Callable[[ast.Call], Term | None]] = {
            **dict.fromkeys(("memset", "__builtin_memset"), self._memset),
            **dict.fromkeys(("memcpy", "__builtin_memcpy"), self._memcpy),
            **dict.fromkeys(("memmove", "__builtin_memmove"), self._memmove),
            READABLE: self._block, WRITABLE: self._block, APART: self._differ,
        }

    # ---- arguments --------------------------------------------------------------------------

    def _arguments(self, node: ast.Call) -> tuple[Term, Term, Term]:
        """The three arguments, each evaluated once, in temporaries; the last one as a number of bytes."""
        context = self.context
        if len(node.arguments) != 3:
            raise context.unsupported(node.at, "this call does not have three arguments")
        if context.checks.isdisjoint((Check.POINTER, Check.LIBRARY)):
            context.assumptions.setdefault(VALID)
        values = context.expressions.sequence(node.arguments)
        first, second = (
            context.expressions.save((node, number), values[number], node.arguments[number].type)
            for number in (0, 1)
        )
        address = context.symbols.address_type
        size = context.expressions.convert(values[2], node.arguments[2].type, address, node.at)
        return first, second, context.expressions.save((node, "size"), size, address)

    def _constant(self, value: int) -> Term:
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def _element(self, node: ast.Call, region: int, pointers: tuple[ast.Expr, ...]) -> CType:
        if self.context.memory.mode_of(region) is Mode.BYTES:
            return _BYTE
        return block_element(pointers, node.arguments[2]) or _BYTE

    def _there(self, call: ast.Call, pointer: ast.Expr, address: Term, size: Term, write: bool) -> None:
        zero, objects = self._constant(0), self.context.objects
        with self.context.builtin(_name(call), call.at):
            if objects is not None and self.context.looks_at_pointers:
                node = self.context.storage.points_to.target(pointer)
                objects.block(node, address, size, call.at, write)
                return
            self.context.require(b.or_(b.eq(size, zero), b.not_(b.eq(address, zero))), Check.POINTER)

    def _apart(self, call: ast.Call, target: Term, source: Term, size: Term) -> None:
        """Two blocks of so many bytes have none in common, where that is checked."""
        compare, address = self.context.arithmetic.compare, self.context.symbols.address_type
        before = compare("<=", address, b.plus(target, size), source)
        behind = compare("<=", address, b.plus(source, size), target)
        with self.context.builtin(_name(call), call.at):
            fact = b.disjunction((b.eq(size, self._constant(0)), before, behind))
            self.context.require_if_checked(fact, Check.LIBRARY, call.at)

    def _block(self, node: ast.Call) -> Term:
        """A model of the library says that a pointer leads to so many bytes."""
        context, (pointer, count) = self.context, node.arguments
        values = context.expressions.sequence(node.arguments)
        address = context.symbols.address_type
        size = context.expressions.convert(values[1], count.type, address, node.at)
        if context.objects is not None:
            target = context.storage.points_to.target(pointer)
            context.objects.block(target, values[0], size, node.at, _name(node) == WRITABLE)
        return self._constant(0)

    def _differ(self, node: ast.Call) -> Term:
        """A model of the library says that two pointers do not lead to the same byte."""
        left, right = self.context.expressions.sequence(node.arguments)
        self.context.require(b.not_(b.eq(left, right)), Check.LIBRARY, node.at)
        return self._constant(0)

    # ---- filling ----------------------------------------------------------------------------

    def _memset(self, node: ast.Call) -> Term:
        context = self.context
        start, value, size = self._arguments(node)
        pointer, filling = node.arguments[:2]
        region = context.memory.region_of_pointer(pointer)
        byte = None
        if not is_zero(filling):
            byte = context.expressions.convert(value, filling.type, _BYTE, node.at)
        element = self._element(node, region, (pointer,))
        self._there(node, pointer, start, size, True)

        def write(offset: Term) -> None:
            for part in context.places.parts(Cell(b.plus(start, offset), region, element)):
                assert isinstance(part, Cell)
                context.memory.store(part, self._filled(part.type, byte))

        self._each(node, element, size, write)
        return start

    def _filled(self, type: CType, byte: Term | None) -> Term:
        """A scalar all of whose bytes are the same."""
        context = self.context
        if byte is None:
            return context.expressions.zero(type)
        assert isinstance(type, Int)  # see Node.filled
        arithmetic, wide = context.arithmetic, Int(type.bits, False)
        ones = arithmetic.constant(wide, sum(1 << shift for shift in range(0, type.bits, 8)))
        value = arithmetic.convert(_BYTE, wide, byte)
        if type.size > 1:
            value = arithmetic.binary("*", wide, value, ones, context.require)
        return arithmetic.convert(wide, type, value)

    # ---- copying ----------------------------------------------------------------------------

    def _memcpy(self, node: ast.Call) -> Term:
        """The blocks do not overlap, or the behaviour is undefined."""
        return self._copied(node, either_way=False)

    def _memmove(self, node: ast.Call) -> Term:
        return self._copied(node, either_way=True)

    def _copied(self, node: ast.Call, either_way: bool) -> Term:
        context = self.context
        target, source, size = self._arguments(node)
        pointers = node.arguments[:2]
        region = context.memory.region_of_pointer(pointers[0])
        element = self._element(node, region, pointers)
        for pointer, address, write in ((pointers[0], target, True), (pointers[1], source, False)):
            self._there(node, pointer, address, size, write)
        if not either_way:
            self._apart(node, target, source, size)

        def pairs(offset: Term) -> list[tuple[Cell, Cell]]:
            cells = [
                [part for part in context.places.parts(Cell(b.plus(start, offset), region, element))
                 if isinstance(part, Cell)]
                for start in (target, source)
            ]
            return list(zip(*cells, strict=True))

        count = self._count(element, size)
        if count is not None:
            context.memory.whole.move(
                [pair for n in range(count) for pair in pairs(self._constant(n * size_of(element)))]
            )
            return target

        def copy(offset: Term) -> None:
            context.memory.whole.move(pairs(offset))

        if not either_way:
            self._loop(node, element, size, copy)
            return target
        up, down, end = (context.flow.split(context.function) for _ in range(3))
        below = context.arithmetic.compare("<=", context.symbols.address_type, target, source)
        context.flow.branch(below, up, down)
        for start, backwards in ((up, False), (down, True)):
            context.flow.resume(start)
            self._loop(node, element, size, copy, backwards)
            context.flow.jump(end)
        context.flow.resume(end)
        return target

    # ---- every element ----------------------------------------------------------------------

    def _count(self, element: CType, size: Term) -> int | None:
        """The number of elements, if it is constant and small."""
        if size.op != Op.CONST:
            return None
        count: int = size.payload // size_of(element)
        parts = sum(1 for _ in self.context.places.parts(Cell(self._constant(0), 0, element)))
        return count if count * parts <= _MOST_SCALARS else None

    def _each(self, node: ast.Call, element: CType, size: Term, action: Callable[[Term], None]) -> None:
        count = self._count(element, size)
        if count is None:
            self._loop(node, element, size, action)
            return
        for number in range(count):
            action(self._constant(number * size_of(element)))

    def _loop(
        self, node: ast.Call, element: CType, size: Term, action: Callable[[Term], None],
        backwards: bool = False,
    ) -> None:
        """``action`` at the offset of every element, from the first to the last or the other way round."""
        context = self.context
        type = context.symbols.address_type
        step, zero = self._constant(size_of(element)), self._constant(0)
        index = context.temporary(node, "offset", type)
        context.flow.assign(index, size if backwards else zero)
        head, body, end = (context.flow.split(context.function) for _ in range(3))
        context.flow.start(head)
        more = ("<", zero, index) if backwards else ("<", index, size)
        context.flow.branch(context.arithmetic.compare(more[0], type, more[1], more[2]), body, end)
        context.flow.resume(body)
        if backwards:
            context.flow.assign(index, b.minus(index, step))
        action(index)
        if not backwards:
            context.flow.assign(index, b.plus(index, step))
        context.flow.jump(head)
        context.flow.resume(end)


def _name(node: ast.Call) -> str:
    return node.function.name if isinstance(node.function, ast.FunctionRef) else ""
