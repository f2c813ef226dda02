"""Allocation and the library functions that work on blocks of memory.

``malloc`` never fails (SV-COMP's rule) and gives addresses that were never given before; ``free``
does nothing, because using freed memory is undefined. New memory holds any values: the SMT
arrays start unconstrained and fresh addresses were never written. Blocks of constant size are
filled and copied by single stores, others by a loop in the automaton.
"""

from __future__ import annotations

from collections.abc import Callable

from revet.frontends.c import ast
from revet.frontends.c.analysis.classes import Kind
from revet.frontends.c.analysis.storage import Mode
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.flow import Held
from revet.frontends.c.lower.memory import HEAP
from revet.frontends.c.lower.places import Cell
from revet.frontends.c.types import CType, Floating, Int, Pointer, Void
from revet.logic import build as b
from revet.logic.terms import Op, Term

_UNROLLED = 256  # bytes that are filled or copied without a loop
_CHAR = Int(8, True, name="char")


class Heap:
    def __init__(self, context: Context) -> None:
        self.context = context
        plain = ("malloc", "alloca", "valloc")
        self.handlers: dict[str, Callable[[ast.Call], Term | None]] = {
            **dict.fromkeys((*plain, "__builtin_malloc", "__builtin_alloca"), self._malloc),
            "calloc": self._calloc, "__builtin_calloc": self._calloc,
            "memset": self._memset, "__builtin_memset": self._memset,
            **dict.fromkeys(("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove"), self._memcpy),
        }

    # ---- allocation -------------------------------------------------------------------------

    @property
    def _pointer(self) -> Term:
        heap = self.context.symbols.own("$heap", self.context.symbols.address_type)
        self.context.memory.layout.heap = heap
        return heap

    def start(self) -> None:
        """At the start of the run, if anything is ever allocated."""
        self.context.flow.assign(self._pointer, self._constant(HEAP))

    def _constant(self, value: int) -> Term:
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def _size(self, argument: ast.Expr) -> Term:
        value = self.context.expressions.value(argument)
        type = self.context.symbols.address_type
        return self.context.expressions.convert(value, argument.type, type, argument.at)

    def _allocate(self, node: ast.Call, size: Term) -> Term:
        context = self.context
        type = context.symbols.address_type
        context.assumptions.setdefault("memory allocation never fails")
        block = context.temporary(node, "block", Pointer(Void(), type.size))
        heap = self._pointer
        context.flow.assume(context.arithmetic.compare("<=", type, self._constant(HEAP), heap))
        context.flow.assign(block, heap)
        limit = (1 << type.bits) - 1
        if size.op == Op.CONST:
            step = self._constant((size.payload % (limit + 1) + 47) // 16 * 16)
        else:
            step = b.plus(size, self._constant(32))
            context.flow.assume(context.arithmetic.compare("<=", type, size, self._constant(1 << 28)))
        context.flow.assume(
            context.arithmetic.compare("<=", type, heap, self._constant(limit - (1 << 29)))
        )
        context.flow.assign(heap, b.plus(heap, step))
        return block

    def _malloc(self, node: ast.Call) -> Term:
        variable = self.context.storage.points_to.static_blocks.get(node)
        if variable is not None:  # made at most once: see analysis/once.py
            self.context.assumptions.setdefault("memory allocation never fails")
            place = self.context.places.of_variable(variable, 0)
            self.context.places.havoc(place)
            self.context.statements.remember(variable, place)
            return self._constant(self.context.memory.variable_base(variable, 0))
        block = self._allocate(node, self._size(node.arguments[0]))
        self.context.flow.draw(Held(block, self.context.memory.region_of_call(node), node.at))
        return block

    def _calloc(self, node: ast.Call) -> Term:
        count, each = (self._size(argument) for argument in node.arguments)
        type = self.context.symbols.address_type
        size = self.context.arithmetic.binary("*", type, count, each, self.context.require)
        block = self._allocate(node, size)
        region = self.context.memory.region_of_call(node)
        self._fill(node, region, block, size, None)
        return block

    # ---- blocks -----------------------------------------------------------------------------

    def _memset(self, node: ast.Call) -> Term:
        context = self.context
        target, value, _ = context.expressions.sequence(node.arguments)
        target = context.expressions.save((node, "target"), target, node.arguments[0].type)
        region = context.memory.region_of_pointer(node.arguments[0])
        zero = value.op == Op.CONST and value.payload == 0
        element: Term | None = None
        if not zero:
            argument = node.arguments[1]
            element = context.expressions.convert(value, argument.type, _CHAR, node.at)
        self._fill(node, region, target, self._size(node.arguments[2]), element)
        return target

    def _fill(self, node: ast.Call, region: int, start: Term, size: Term, element: Term | None) -> None:
        """Set every byte of a block: to zero, or to ``element`` where all scalars are bytes."""
        context = self.context
        types = self._types(region)
        if element is not None and any(type != _CHAR for type in types):
            raise context.unsupported(node.at, f"{_name(node)} with this value is not modelled here")

        def write(offset: Term) -> None:
            for type in types:
                value = element if element is not None else context.expressions.zero(type)
                context.memory.store(Cell(b.plus(start, offset), region, type), value)

        self._each(node, types, size, write)

    def _memcpy(self, node: ast.Call) -> Term:
        context = self.context
        target, source, _ = context.expressions.sequence(node.arguments)
        target = context.expressions.save((node, "target"), target, node.arguments[0].type)
        source = context.expressions.save((node, "source"), source, node.arguments[1].type)
        region = context.memory.region_of_pointer(node.arguments[0])
        types = self._types(region)

        def copy(offset: Term) -> None:
            for type in types:
                value = context.memory.load(Cell(b.plus(source, offset), region, type))
                context.memory.store(Cell(b.plus(target, offset), region, type), value)

        self._each(node, types, self._size(node.arguments[2]), copy)
        return target

    def _types(self, region: int) -> list[CType]:
        """One scalar type for every kind of scalar in a class of memory."""
        memory = self.context.memory
        if memory.mode_of(region) is Mode.BYTES:
            return [_CHAR]
        return [self._type(kind) for kind in memory.kinds(region)] or [_CHAR]

    def _type(self, kind: Kind) -> CType:
        name, bits = kind
        if name == "int":
            return Int(bits, True)
        if name == "float":
            return Floating(bits, bits // 8)
        return Pointer(Void(), self.context.model.pointer_size)

    def _each(
        self, node: ast.Call, types: list[CType], size: Term, action: Callable[[Term], None]
    ) -> None:
        """``action`` at every offset at which a scalar may start."""
        from revet.frontends.c.types import size_of

        context = self.context
        step = min(4, *(size_of(type) for type in types), 4)
        if size.op == Op.CONST and size.payload <= _UNROLLED * step:
            for offset in range(0, size.payload, step):
                action(self._constant(offset))
            return
        type = context.symbols.address_type
        total = context.expressions.save((node, "size"), size, type)
        index = context.temporary(node, "offset", type)
        context.flow.assign(index, self._constant(0))
        head, body, end = (context.flow.split(context.function) for _ in range(3))
        context.flow.start(head)
        context.flow.branch(context.arithmetic.compare("<", type, index, total), body, end)
        context.flow.resume(body)
        action(index)
        context.flow.assign(index, b.plus(index, self._constant(step)))
        context.flow.jump(head)
        context.flow.resume(end)


def _name(node: ast.Call) -> str:
    return node.function.name if isinstance(node.function, ast.FunctionRef) else "this call"
