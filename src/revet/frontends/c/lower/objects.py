"""Objects with bounds and a life: what accesses through pointers and ``free`` need.

Kept only where a check needs it. Every object begins at a multiple of a large number (``spacing``), so a
pointer that leaves its object leads into none: an address has its object in the high bits and the offset in
the low ones (D. Kroening and others describe this for CBMC). How large an object is, is known by

* its type, for variables and strings;
* a variable of the model, for an allocation that is made at most once in a run: its size plus one, and zero
  before it is made and after it is freed;
* an SMT array from the address to the same, for all other allocations.

A local variable that a pointer may outlive (:mod:`revet.frontends.c.analysis.dangling`) has a variable of
the model for its state. If such a variable is declared again after its life, a pointer to the earlier one
would seem valid: the model ends there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.frontends.c import ast
from revet.frontends.c.analysis.block_operations import is_on_stack
from revet.frontends.c.analysis.call_graph import notable
from revet.frontends.c.analysis.dangling import Dangling
from revet.frontends.c.analysis.once import calls_made_once
from revet.frontends.c.checks import Check
from revet.frontends.c.lower import leaks
from revet.frontends.c.types import Array, Int, Record, size_of
from revet.logic import build as b
from revet.logic.terms import FALSE, TRUE, Op, Term

if TYPE_CHECKING:
    from revet.errors import Position
    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.lower.places import Cell

_UNBORN, _ALIVE, _DEAD = range(3)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An object that a pointer may lead to: where it begins, its size plus one (as a term of the address
    type), and the condition under which it is there. ``constant``: it must not be written. ``block``: the
    call that allocates it."""

    base: Term
    end: Term
    there: Term
    constant: bool = False
    block: ast.Call | None = None


class Objects:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.points_to = context.storage.points_to
        entry = context.program.start
        self.dangling = Dangling(context.program, self.points_to, entry)
        self._once = self._alone(calls_made_once(context.program, entry))
        self._static = {variable: call for call, variable in self.points_to.static_blocks.items()}
        self._functions = {
            call: name for name, found in notable(context.program).items()
            for call in found if isinstance(call, ast.Call)
        }
        self._candidates: dict[Node, list[Candidate]] = {}
        self._numbers: dict[ast.Call, int] = {}

    def _alone(self, once: Collection[ast.Call]) -> frozenset[ast.Call]:
        """Those that share their class with no allocation that is made several times: a list's first node is
        a node like the others."""
        mixed = {
            call for node in self.points_to.objects() if any(call not in once for call in node.blocks)
            for call in node.blocks
        }
        return frozenset(once) - mixed

    # ---- the address space ------------------------------------------------------------------

    @property
    def spacing(self) -> int:
        """The distance of objects; none is larger than a quarter of it."""
        return 1 << (20 if self.context.symbols.address_type.bits == 32 else 40)

    @property
    def largest(self) -> int:
        return min(self.spacing // 4, (1 << (8 * self.context.model.pointer_size - 1)) - 1)

    @property
    def heap_start(self) -> int:
        """Where blocks begin whose number is not known: the upper half of the address space."""
        return (1 << (self.context.symbols.address_type.bits - 1)) + self._inside_slot

    @property
    def first(self) -> int:
        """The address of the first object."""
        return self.spacing + self._inside_slot

    @property
    def _inside_slot(self) -> int:
        """Where an object begins in its slot of the address space. Bit-vectors: in the middle, so that a
        pointer that was moved to either side still tells by its high bits whose it is."""
        return 0 if self.context.arithmetic.name == "int" else self.spacing // 2

    def is_same(self, old: Term, new: Term) -> Term:
        """Do two addresses belong to one object? For mathematical integers objects are so far apart that no
        run gets from one to the other."""
        if self.context.arithmetic.name == "int":
            return TRUE
        mask = b.bv(-self.spacing, self.context.symbols.address_type.bits)
        return b.eq(b.bvand(old, mask), b.bvand(new, mask))

    def constant(self, value: int) -> Term:
        return self.context.arithmetic.constant(self.context.symbols.address_type, value)

    def _compare(self, op: str, left: Term, right: Term) -> Term:
        return self.context.arithmetic.compare(op, self.context.symbols.address_type, left, right)

    def is_near(self, index: Term, type: Int, size: int) -> Term:
        """Does moving a pointer by so many elements stay nearer than the next object?"""
        most = self.spacing // 2 // max(size, 1)
        if type.greatest <= most and -type.least <= most:
            return TRUE
        within = getattr(self.context.arithmetic, "within", None)
        if within is not None and within(index, -most, most):
            return TRUE
        arithmetic, wide = self.context.arithmetic, Int(max(type.bits, most.bit_length()) + 2, True)
        value = arithmetic.convert(type, wide, index)
        low, high = (arithmetic.constant(wide, bound) for bound in (-most, most))
        return b.and_(arithmetic.compare("<=", wide, low, value), arithmetic.compare("<=", wide, value, high))

    # ---- state of the model -----------------------------------------------------------------

    def _state(self, variable: ast.Variable, depth: int) -> Term:
        name = f"$life.{variable.function}.{variable.name}.{variable.number}^{depth}"
        return self.context.symbols.own(name, self.context.model.int)

    def block_size(self, call: ast.Call) -> Term:
        """The size plus one of a block that is made at most once; zero while it is not there."""
        number = self._numbers.setdefault(call, len(self._numbers))  # files may have calls at the same place
        name = f"$block.{call.at.line}.{call.at.column}" + (f".{number}" if number else "")
        return self.context.symbols.own(name, self.context.symbols.address_type)

    @property
    def _blocks(self) -> Term:
        """The same by address, for all other blocks."""
        symbols = self.context.symbols
        return symbols.own_array("$blocks", symbols.index_sort, symbols.address_type)

    @property
    def _frames(self) -> Term:
        """The same for those of ``alloca``, which ``free`` must not have."""
        symbols = self.context.symbols
        return symbols.own_array("$frames", symbols.index_sort, symbols.address_type)

    def sites(self) -> list[ast.Call]:
        return [*self.points_to.static_blocks, *(c for n in self.points_to.objects() for c in n.blocks)]

    def start(self) -> None:
        """At the start of the run nothing was allocated or declared."""
        context = self.context
        zero = context.arithmetic.constant(context.model.int, _UNBORN)
        for variable in self.dangling.variables:
            for depth in range(context.storage.activations(variable)):
                context.flow.assign(self._state(variable, depth), zero)
        sites = self.sites()
        for call in sites:
            if self.is_single(call):
                context.flow.assign(self.block_size(call), self.constant(0))
        for array, stack in ((self._blocks, False), (self._frames, True)):
            if any(not self.is_single(call) and is_on_stack(call) == stack for call in sites):
                context.flow.assign(array, b.const_array(array.sort, self.constant(0)))
        if self.counts:
            leaks.start(self)

    @property
    def counts(self) -> bool:
        """Is it checked that blocks are freed?"""
        return not self.context.checks.isdisjoint((Check.LEAK, Check.CLEANUP))

    # ---- local variables --------------------------------------------------------------------

    def born(self, variable: ast.Variable, depth: int) -> None:
        """A declaration is reached, or a parameter gets its value."""
        if variable not in self.dangling.variables:
            return
        context = self.context
        state, type = self._state(variable, depth), context.model.int
        again = b.eq(state, context.arithmetic.constant(type, _DEAD))
        context.end_unless(b.not_(again), f"second life of {variable.name}", variable.position)
        context.flow.assign(state, context.arithmetic.constant(type, _ALIVE))

    def left(self, statement: ast.Stmt) -> None:
        """A block ends, or a jump leaves one."""
        frame = self.context.frame
        self._ended(self.dangling.extents[frame.function.name].ended.get(statement, ()), frame.depth)

    def _ended(self, variables: Collection[ast.Variable], depth: int) -> None:
        for variable in variables:
            self._end(variable, depth)
        if self.context.numbers is not None:
            self.context.numbers.leave(variables, depth)

    def returned(self, function: ast.FunctionDef, depth: int) -> None:
        self._ended(self.dangling.extents[function.name].scopes, depth)
        for call in self.sites():
            if is_on_stack(call) and self._functions.get(call) == function.name:
                if not self.is_single(call):
                    what = "alloca that is called several times, where its life is checked"
                    raise self.context.unsupported(call.at, what)
                self.context.flow.assign(self.block_size(call), self.constant(0))

    def _end(self, variable: ast.Variable, depth: int) -> None:
        if variable in self.dangling.variables:
            state, constant = self._state(variable, depth), self.context.arithmetic.constant
            alive, dead = (constant(self.context.model.int, value) for value in (_ALIVE, _DEAD))
            self.context.flow.assign(state, b.ite(b.eq(state, alive), dead, state))

    def is_alive(self, variable: ast.Variable, depth: int) -> Term:
        if variable in self._static:
            return self._compare("<", self.constant(0), self.block_size(self._static[variable]))
        if variable not in self.dangling.variables:
            return TRUE
        alive = self.context.arithmetic.constant(self.context.model.int, _ALIVE)
        return b.eq(self._state(variable, depth), alive)

    # ---- candidates -------------------------------------------------------------------------

    def is_single(self, call: ast.Call) -> bool:
        """Is this allocation made at most once in a run?"""
        return call in self._once

    def candidates(self, node: Node) -> list[Candidate]:
        """The objects of a class that are known one by one."""
        node = node.find()
        found = self._candidates.get(node)
        if found is None:
            found = self._candidates[node] = [*self._variables(node), *self._strings(node)]
        return [*found, *self._blocks_of(node)]

    def _variables(self, node: Node) -> Iterator[Candidate]:
        context = self.context
        for variable in context.storage.addressed(node):
            for depth in range(context.storage.activations(variable)):
                base = self.constant(context.memory.variable_base(variable, depth))
                if variable in self._static:
                    call = self._static[variable]
                    yield Candidate(base, self.block_size(call), TRUE, block=call)
                else:
                    there = self.is_alive(variable, depth)
                    yield Candidate(base, self._extent(variable, depth), there, variable.is_fixed)

    def _extent(self, variable: ast.Variable, depth: int) -> Term:
        """The size of a variable, plus one."""
        context, type = self.context, variable.type
        if isinstance(type, Record) and not type.complete:
            raise context.unsupported(variable.position, "pointers into an object of unknown size")
        if not isinstance(type, Array) or type.count is not None:
            return self.constant(size_of(type) + 1)
        size = self.constant(size_of(type.element) if variable.rows else 0)
        for length in variable.rows:
            assert isinstance(length, ast.VarRef) and isinstance(length.type, Int)
            count = context.places.load(context.places.of_variable(length.variable, depth))
            size = b.times(context.memory.as_index(count, length.type), size)
        return b.plus(size, self.constant(1))

    def _strings(self, node: Node) -> Iterator[Candidate]:
        for string in node.strings:
            address = self.context.memory.string(string).address
            yield Candidate(address, self.constant(size_of(string.type) + 1), TRUE, constant=True)

    def _blocks_of(self, node: Node) -> Iterator[Candidate]:
        for call in node.find().blocks:
            if self.is_single(call):
                yield Candidate(self.place_of(call), self.block_size(call), TRUE, block=call)

    def place_of(self, call: ast.Call) -> Term:
        """The address of a block that is made at most once."""
        return self.constant(self.context.memory.base((call, "block"), 0, 1))

    def _arrays(self, node: Node) -> list[Term]:
        """The arrays that have the sizes of the other blocks of a class."""
        others = [call for call in node.find().blocks if not self.is_single(call)]
        found = [self._blocks] if any(not is_on_stack(call) for call in others) else []
        return found + ([self._frames] if any(map(is_on_stack, others)) else [])

    # ---- accesses ---------------------------------------------------------------------------

    def access(self, place: Cell, write: bool) -> None:
        """A scalar is read or written through a pointer."""
        if place.pointer is None or place.target is None or not self.context.looks_at_pointers:
            return
        address, size = place.address, size_of(place.type)
        if place.width is not None and place.record is not None and place.field is not None:
            address = place.record
            size = (place.field.offset + place.width + 7) // 8
        fact = self.inside(place.target, address, self.constant(size), place.pointer, write)
        self.context.require(fact, Check.POINTER, place.at)

    def block(self, node: Node, address: Term, size: Term, at: Position, write: bool) -> None:
        """So many bytes are read or written from an address on; none of them: nothing is needed."""
        if self.context.looks_at_pointers:
            fact = self.inside(node, address, size, address, write)
            nothing = b.eq(size, self.constant(0))
            self.context.require(b.or_(nothing, fact), Check.POINTER, at)

    def inside(self, node: Node, address: Term, size: Term, pointer: Term, write: bool) -> Term:
        """Are so many bytes inside of an object of the class? ``pointer`` is where the address comes from:
        most often the beginning of a block."""
        found = [
            b.and_(each.there, self._within(address, size, each.base, each.end))
            for each in self.candidates(node) if not (write and each.constant)
        ]
        for array in self._arrays(node):
            found.append(self._within(address, size, pointer, b.select(array, pointer)))
            if node.find().moved or node.find().computed or node.find().inner:
                base = self.beginning(address)
                found.append(self._within(address, size, base, b.select(array, base)))
        return b.disjunction(found)

    def size_of(self, node: Node, address: Term) -> Term:
        """The size of the living object of the class that has an address, or ends there; zero for none."""
        nothing, one, base = self.constant(0), self.constant(1), self.beginning(address)
        found = [(each.there, each.base, each.end) for each in self.candidates(node)]
        found += [(TRUE, base, b.select(array, base)) for array in self._arrays(node)]
        size = nothing
        for there, start, end in found:
            size = b.ite(b.and_(there, self._within(address, nothing, start, end)), b.minus(end, one), size)
        return size

    def _within(self, address: Term, size: Term, base: Term, end: Term) -> Term:
        """base <= address and address + size <= base + (end - 1), without a sum that could wrap."""
        if size.op == end.op == Op.CONST and size.payload >= end.payload:
            return FALSE
        return b.and_(
            self._compare("<=", base, address), self._compare("<", size, end),
            self._compare("<", b.minus(address, base), b.minus(end, size)),
        )

    def beginning(self, address: Term) -> Term:
        """Where the object of an address begins."""
        if self.context.arithmetic.name == "int":
            return b.minus(address, b.mod(address, b.integer(self.spacing)))
        bits = self.context.symbols.address_type.bits
        slot = b.bvand(address, b.bv(-self.spacing, bits))
        return b.bvor(slot, b.bv(self._inside_slot, bits))

    # ---- allocation -------------------------------------------------------------------------

    def made(self, call: ast.Call, block: Term, size: Term) -> None:
        """A block of so many bytes is there from now on."""
        context = self.context
        end = b.plus(size, self.constant(1))
        if self.is_single(call):
            context.flow.assign(self.block_size(call), end)
        else:
            array = self._frames if is_on_stack(call) else self._blocks
            context.flow.assign(array, b.store(array, block, end))
        if self.counts and not is_on_stack(call):
            leaks.made(self, call)

    def free(self, argument: ast.Expr, pointer: Term, at: Position) -> None:
        """``free(pointer)``: null, or the beginning of a block that was allocated and not freed."""
        context, zero = self.context, self.constant(0)
        node = self.points_to.target(argument)
        null = b.eq(pointer, zero)
        single = self._freeable(node)
        facts = [b.and_(b.eq(pointer, base), self._compare("<", zero, made)) for base, made in single]
        arrays = [array for array in self._arrays(node) if array is self._blocks]
        facts += [self._compare("<", zero, b.select(array, pointer)) for array in arrays]
        self.context.require(b.disjunction([null, *facts]), Check.FREE, at)
        if self.counts:
            leaks.freed(self, node, pointer)
        for base, made in single:
            context.flow.assign(made, b.ite(b.eq(pointer, base), zero, made))
        for array in arrays:
            context.flow.assign(array, b.store(array, pointer, zero))

    def _freeable(self, node: Node) -> list[tuple[Term, Term]]:
        """The blocks of a class that are made at most once: where they begin, and their size plus one."""
        return [
            (each.base, self.block_size(each.block)) for each in self.candidates(node)
            if each.block is not None and not is_on_stack(each.block)
        ]

    def size_of_block(self, argument: ast.Expr, pointer: Term) -> Term:
        """The size of the block at its beginning; zero if there is none."""
        zero, one = self.constant(0), self.constant(1)
        node = self.points_to.target(argument)
        size = zero
        for array in self._arrays(node):
            size = b.select(array, pointer)
        for base, made in self._freeable(node):
            size = b.ite(b.eq(pointer, base), made, size)
        return b.ite(b.eq(size, zero), zero, b.minus(size, one))
