"""Addresses that are multiples of what their types ask for.

An access through a pointer, ``*p``, ``p[i]`` or ``p->member``, is aligned if the address is a multiple of the
alignment of what the pointer points to (of the whole structure for ``p->member``: that is what compilers rely
on and what UBSan looks at). The objects of the model begin at multiples of a large power of two, so here an
address is as aligned as its offset in the object. The machine promises less: an object is aligned as its type
or its declaration asks, a block as ``malloc`` promises, and not more. So an access whose object may be less
aligned than the access needs counts as one that breaks the check, whatever the offset: a proof holds wherever
the machine puts objects. The interpreter, which sees which object it is, tells what is wrong everywhere from
what depends on the place (``interpret/alignment.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.checks import Check
from revet.frontends.c.types import align_of, block_alignment
from revet.logic import build as b
from revet.logic.linear import linear_form
from revet.logic.terms import FALSE, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revet.frontends.c.analysis.classes import Node
    from revet.frontends.c.lower.context import Context
    from revet.frontends.c.lower.places import Cell
    from revet.frontends.c.types import CType


def needed(context: Context, type: CType) -> int:
    """The alignment that is checked where something of this type is accessed; 1 where none is."""
    if Check.ALIGNMENT not in context.checks:
        return 1
    if context.program.aligned_types:
        what = "a name of a type with an alignment of its own, where alignment is checked"
        raise context.unsupported(context.program.aligned_types[0], what)
    return align_of(type, context.model.pointer_size)


def check_alignment(context: Context, place: Cell) -> None:
    """A place that a pointer leads to is read or written."""
    if place.needs > 1 and place.root is not None and place.target is not None:
        fact = _is_aligned(context, place.target, place.root, place.needs)
        context.require(fact, Check.ALIGNMENT, place.at)


def _is_aligned(context: Context, node: Node, address: Term, needs: int) -> Term:
    """Is the address a multiple of this wherever its object, one of the class, is?"""
    if node.find().blocks and block_alignment(context.model.pointer_size) < needs:
        return FALSE
    elsewhere = [b.not_(_is_inside(context, address, base)) for base in _weak(context, node, needs)]
    return b.conjunction([_is_multiple(context, address, needs), *elsewhere])


def _is_multiple(context: Context, address: Term, needs: int) -> Term:
    if context.arithmetic.name == "int":
        coefficients, constant = linear_form(address)
        rest = [b.times(b.integer(int(factor) % needs), base) for base, factor in coefficients.items()
                if factor % needs]
        total = b.add(*rest, b.integer(int(constant) % needs))
        return b.eq(b.mod(total, b.integer(needs)), b.integer(0))
    bits = context.symbols.address_type.bits
    return b.eq(b.bvand(address, b.bv(needs - 1, bits)), b.bv(0, bits))


def _is_inside(context: Context, address: Term, base: Term) -> Term:
    """Does an address belong to the object that begins here?"""
    objects = context.objects
    assert objects is not None
    if context.arithmetic.name == "int":
        return b.and_(base <= address, address < b.plus(base, b.integer(objects.spacing)))
    return objects.is_same(address, base)


def _weak(context: Context, node: Node, needs: int) -> Iterator[Term]:
    """Where the objects of a class begin that the machine may align less; blocks are not among them."""
    memory, size = context.memory, context.model.pointer_size
    blocks = set(context.storage.points_to.static_blocks.values())
    for variable in context.storage.addressed(node):
        own = variable.alignment or align_of(variable.type, size)
        if (block_alignment(size) if variable in blocks else own) < needs:
            for depth in range(context.storage.activations(variable)):
                yield memory.constant(memory.variable_base(variable, depth))
    for string in node.find().strings:
        if align_of(string.type, size) < needs:
            yield memory.string(string).address
