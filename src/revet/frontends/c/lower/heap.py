"""Allocation.

``malloc`` gives addresses that were never given before. When it fails is an option: never (SV-COMP's rule),
for blocks that no address space holds, or whenever it likes, which is then an input of the run. ``free`` does
nothing unless the life of objects is checked, because using freed memory is undefined. New memory holds any
values: the SMT arrays start unconstrained and fresh addresses were never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import ON_STACK
from revet.frontends.c.library.conventions import FAILURE, OBJECT
from revet.frontends.c.lower.blocks import Blocks
from revet.frontends.c.lower.context import Context
from revet.frontends.c.lower.flow import Held, Input
from revet.frontends.c.lower.memory import HEAP
from revet.frontends.c.lower.places import Cell
from revet.frontends.c.lower.questions import Questions
from revet.frontends.c.types import Pointer, Void, size_of
from revet.logic import build as b
from revet.logic.terms import TRUE, Op, Term

if TYPE_CHECKING:
    from revet.frontends.c.lower.objects import Objects

_UNROLLED = 256  # places that are set to zero without a loop
_GAP = 32  # bytes between blocks
_ASSUMED = {
    "never-fails": "memory allocation never fails",
    "if-too-large": "memory allocation fails only for more than half of the address space",
}
_NOT_TOO_LARGE = "no allocation is larger than half of the address space: a run that asks for more ends there"


class Heap:
    def __init__(self, context: Context) -> None:
        self.context = context
        plain = ("malloc", "alloca", "valloc")
        self.handlers: dict[str, Callable[[ast.Call], Term | None]] = {
            **dict.fromkeys((*plain, "__builtin_malloc", "__builtin_alloca"), self._malloc),
            "realloc": self._realloc, "__builtin_realloc": self._realloc,
            "calloc": self._calloc, "__builtin_calloc": self._calloc,
            OBJECT: self._malloc, **Blocks(context).handlers, **Questions(context).handlers,
        }

    # ---- allocation -------------------------------------------------------------------------

    @property
    def _pointer(self) -> Term:
        heap = self.context.symbols.own("$heap", self.context.symbols.address_type)
        self.context.memory.layout.heap = heap
        return heap

    def start(self) -> None:
        """At the start of the run, if anything is ever allocated."""
        objects = self.context.objects
        first = HEAP if objects is None else objects.heap_start
        self.context.flow.assign(self._pointer, self._constant(first))

    def _constant(self, value: int) -> Term:
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def _size(self, argument: ast.Expr) -> Term:
        value = self.context.expressions.value(argument)
        type = self.context.symbols.address_type
        return self.context.expressions.convert(value, argument.type, type, argument.at)

    @property
    def _largest(self) -> int:
        """No object is larger than half of the address space."""
        return (1 << (8 * self.context.model.pointer_size - 1)) - 1

    def _fits(self, size: Term) -> Term:
        type = self.context.symbols.address_type
        return self.context.arithmetic.compare("<=", type, size, self._constant(self._largest))

    def _rule(self, node: ast.Call) -> str:
        """When this allocation fails; noted as an assumption."""
        called = _called(node)
        if called == OBJECT:
            return "never-fails"  # by its definition: nothing is assumed
        rule = "never-fails" if called in ON_STACK else self.context.options.malloc
        if rule in _ASSUMED:
            self.context.assumptions.setdefault(_ASSUMED[rule])
        return rule

    def _allocate(
        self, node: ast.Call, size: Term, possible: Term = TRUE, then: Callable[[Term], None] | None = None
    ) -> Term:
        """A new block of memory, or null where that is the rule; ``possible``: whether there is such a size;
        ``then`` is done with a block that there is."""
        rule = self._rule(node)
        fits = b.and_(possible, self._fits(size))
        if rule == "never-fails":
            if fits is not TRUE and _called(node) != OBJECT:
                self.context.assumptions.setdefault(_NOT_TOO_LARGE)
            fits = TRUE
        return self._unless_failed(node, rule, fits, lambda: self._new(node, size), then or _nothing)

    def _unless_failed(
        self, node: ast.Call, rule: str, fits: Term, make: Callable[[], Term], then: Callable[[Term], None]
    ) -> Term:
        context = self.context
        if rule == "may-fail":
            fits = b.and_(fits, b.not_(self._failure(node)))
        if fits is TRUE:
            block = make()
            then(block)
            return block
        result = context.temporary((node, "result"), "result", node.type)
        made, failed, join = (context.flow.split(context.function) for _ in range(3))
        context.flow.branch(fits, made, failed)
        context.flow.resume(made)
        block = make()
        then(block)
        context.flow.assign(result, block)
        context.flow.jump(join)
        context.flow.resume(failed)
        context.flow.assign(result, self._constant(0))
        context.flow.jump(join)
        context.flow.resume(join)
        return result

    def _failure(self, node: ast.Call) -> Term:
        """Does this allocation fail? An input of the run."""
        context, type = self.context, self.context.model.int
        drawn = context.temporary((node, "failure"), "fails", type)
        context.flow.havoc(drawn)
        context.assume_range(type, drawn)
        context.flow.draw(Input(FAILURE, drawn, node.at))
        return context.arithmetic.truth(type, drawn)

    def _new(self, node: ast.Call, size: Term) -> Term:
        """A block of memory that no other object has. That it is not too large, and that there is room for
        it, is part of the rule."""
        context = self.context
        type = context.symbols.address_type
        if context.objects is not None:
            return self._tracked(node, size, context.objects)
        block = context.temporary(node, "block", Pointer(Void(), type.size))
        heap, compare = self._pointer, context.arithmetic.compare
        context.flow.assume(compare("<=", type, self._constant(HEAP), heap))
        context.flow.assign(block, heap)
        largest = (1 << (type.bits - 1)) - 1
        if size.op == Op.CONST:
            if size.payload > largest:
                context.statements.dead_end()
            step = self._constant((min(size.payload, largest) + _GAP + 15) // 16 * 16)
        else:
            context.flow.assume(compare("<=", type, size, self._constant(largest)))
            step = b.plus(size, self._constant(_GAP))
        end = (1 << type.bits) - 1 - 2 * _GAP  # that this is not reached is part of the rule, too
        if type.bits == 32 and "free" in context.program.declared:
            context.assumptions.setdefault("all blocks of a run, freed or not, fit in the address space")
        context.flow.assume(compare("<=", type, heap, b.minus(self._constant(end), size)))
        context.flow.assign(heap, b.plus(heap, step))
        if context.storage.points_to.reallocates:
            sizes = self._sizes
            context.flow.assign(sizes, b.store(sizes, block, size))
        return block

    def _tracked(self, node: ast.Call, size: Term, objects: Objects) -> Term:
        """The same where objects have bounds and a life."""
        context, compare = self.context, self.context.arithmetic.compare
        type = context.symbols.address_type
        context.flow.assume(self._fits(size))
        if objects.largest < self._largest:
            small = compare("<=", type, size, self._constant(objects.largest))
            context.end_unless(small, "a block larger than the model's objects", node.at)
        if objects.is_single(node):
            block = objects.place_of(node)
        else:
            heap, block = self._pointer, context.temporary(node, "block", Pointer(Void(), type.size))
            context.flow.assume(compare("<=", type, self._constant(objects.heap_start), heap))
            if not context.symbols.unbounded:
                last = self._constant((1 << type.bits) - 2 * objects.spacing)
                context.end_unless(compare("<=", type, heap, last), "too many blocks", node.at)
            context.flow.assign(block, heap)
            context.flow.assign(heap, b.plus(heap, self._constant(objects.spacing)))
        objects.made(node, block, size)
        return block

    @property
    def _sizes(self) -> Term:
        """The size of every block by its address; kept in programs that call ``realloc`` only."""
        symbols = self.context.symbols
        return symbols.own_array("$sizes", symbols.index_sort, symbols.address_type)

    def _malloc(self, node: ast.Call) -> Term:
        variable = self.context.storage.points_to.static_blocks.get(node)
        if variable is not None:  # made at most once: see analysis/once.py
            named = variable
            rule = self._rule(node)
            return self._unless_failed(node, rule, TRUE, lambda: self._named(node, named), _nothing)

        def hold(block: Term) -> None:
            self.context.flow.draw(Held(block, self.context.memory.region_of_call(node), node.at))

        return self._allocate(node, self._size(node.arguments[-1]), then=hold)

    def _named(self, node: ast.Call, variable: ast.Variable) -> Term:
        """A block that is a variable of the model."""
        place = self.context.places.of_variable(variable, 0)
        self.context.places.havoc(place)
        self.context.statements.remember(variable, place)
        block = self._constant(self.context.memory.variable_base(variable, 0))
        if self.context.objects is not None:
            self.context.objects.made(node, block, self._constant(size_of(variable.type)))
        return block

    def _calloc(self, node: ast.Call) -> Term:
        context = self.context
        type = context.symbols.address_type
        values = [
            context.expressions.convert(value, argument.type, type, node.at)
            for value, argument in zip(
                context.expressions.sequence(node.arguments), node.arguments, strict=True
            )
        ]
        count, each = (
            context.expressions.save((node, number), value, type) for number, value in enumerate(values)
        )
        possible = self._product(node, count, each)
        if self._rule(node) == "never-fails":
            context.flow.assume(possible)
        size = context.arithmetic.binary("*", type, count, each, context.require)
        size = context.expressions.save((node, "size"), size, type)
        region = context.memory.region_of_call(node)
        return self._allocate(node, size, possible, lambda block: self._zero(node, region, block, size))

    def _product(self, node: ast.Call, count: Term, each: Term) -> Term:
        """Is the product the size of an object? Elsewhere the allocation fails."""
        type = self.context.symbols.address_type
        largest = self._largest
        if count.op == Op.CONST:
            count, each = each, count
        if each.op == Op.CONST:
            most = largest // each.payload if each.payload else largest
            return self.context.arithmetic.compare("<=", type, count, self._constant(most))
        half = self._constant(1 << (type.bits // 2 - 1))
        small = [self.context.arithmetic.compare("<=", type, factor, half) for factor in (count, each)]
        large = self.context.open_end(f"size-of-block@{node.at.line}", node.at)
        going_on = self.context.flow.split(self.context.function)
        self.context.flow.branch(b.and_(*small), going_on, large)
        self.context.flow.resume(going_on)
        return TRUE

    def _realloc(self, node: ast.Call) -> Term:
        """A new block, with what the old one held as far as both reach. What ``realloc`` does with a size
        of zero is up to the library: the model ends there."""
        context = self.context
        type = context.symbols.address_type
        values = context.expressions.sequence(node.arguments)
        old = context.expressions.save((node, "old"), values[0], node.arguments[0].type)
        size = context.expressions.convert(values[1], node.arguments[1].type, type, node.at)
        size = context.expressions.save((node, "size"), size, type)
        going_on = context.flow.split(context.function)
        end = context.open_end(f"realloc-of-nothing@{node.at.line}", node.at)
        context.flow.branch(b.not_(b.eq(size, self._constant(0))), going_on, end)
        context.flow.resume(going_on)
        return self._allocate(node, size, then=lambda block: self._moved(node, old, block, size))

    def _moved(self, node: ast.Call, old: Term, block: Term, size: Term) -> None:
        """What the old block held is copied, and the old block is gone."""
        context = self.context
        type, compare = context.symbols.address_type, context.arithmetic.compare
        region = context.memory.region_of_call(node)
        context.flow.draw(Held(block, region, node.at))
        before = self._size_before(node.arguments[0], old)
        kept = context.temporary((node, "kept"), "kept", type)
        context.flow.assign(kept, b.ite(compare("<=", type, before, size), before, size))
        context.assume_range(type, kept)
        kinds, step = context.memory.whole.block_layout(region)
        for offset in self._offsets(node, kept, step):
            context.memory.whole.move([
                (Cell(b.plus(block, offset), region, kind), Cell(b.plus(old, offset), region, kind))
                for kind in kinds
            ])
        if context.objects is not None:
            context.objects.free(node.arguments[0], old, node.at)

    def _size_before(self, argument: ast.Expr, old: Term) -> Term:
        objects = self.context.objects
        if objects is not None:
            return objects.size_of_block(argument, old)
        return b.ite(b.eq(old, self._constant(0)), self._constant(0), b.select(self._sizes, old))

    def _zero(self, node: ast.Call, region: int, start: Term, size: Term) -> None:
        """A new block is zero wherever a scalar may be in it."""
        context = self.context
        kinds, step = context.memory.whole.block_layout(region)
        for offset in self._offsets(node, size, step):
            for type in kinds:
                cell = Cell(b.plus(start, offset), region, type)
                context.memory.store(cell, context.expressions.zero(type))

    def _offsets(self, node: ast.Call, size: Term, step: int) -> Iterator[Term]:
        """Every offset that is a multiple of ``step``: one by one, or once inside of a loop."""
        context = self.context
        if size.op == Op.CONST and size.payload <= _UNROLLED * step:
            yield from (self._constant(offset) for offset in range(0, size.payload, step))
            return
        type = context.symbols.address_type
        index = context.temporary(node, "offset", type)
        context.flow.assign(index, self._constant(0))
        head, body, end = (context.flow.split(context.function) for _ in range(3))
        context.flow.start(head)
        context.flow.branch(context.arithmetic.compare("<", type, index, size), body, end)
        context.flow.resume(body)
        yield index
        context.flow.assign(index, b.plus(index, self._constant(step)))
        context.flow.jump(head)
        context.flow.resume(end)


def _nothing(block: Term) -> None:
    """What is done with a block that needs nothing more."""


def _called(node: ast.Call) -> str:
    """The name of the function; empty if it is called through a pointer."""
    return node.function.name if isinstance(node.function, ast.FunctionRef) else ""
