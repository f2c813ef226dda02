"""Candidates about blocks of memory in the order of their addresses: lists that are arrays in disguise.

For all blocks k up to a pointer, or from there on: what an array holds at (an offset from) k, which is a
constant, the next block or the one before, with another value for the first or the last; or null or any
other block. See :class:`revet.invariants.memory.Memory` for blocks, pointers and parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from revet.invariants.memory import Memory
from revet.logic.arith import add, le, mul, sub
from revet.logic.arrays import select
from revet.logic.core import and_, const, eq, not_, or_
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Term
from revet.model.cfa import Location

_ZERO = const(0, INT)


def about_blocks(memory: Memory, location: Location) -> list[Term]:
    """With parameters; those that the samples do not refute."""
    if memory.growth is None:
        return []
    candidates: dict[Term, None] = {}
    for array in memory.arrays:
        for offset in memory.offsets(array):
            place = memory.parameters[array]
            block = sub(place, const(offset, INT))
            claims = list(_claims(memory, array, place, block))
            for inside in _ranges(memory, block, location):
                candidates.update(dict.fromkeys(or_(not_(inside), claim) for claim in claims))
    return [c for c in candidates if c not in (TRUE, FALSE) and memory.survives(c, location)]


def _ranges(memory: Memory, block: Term, location: Location) -> list[Term]:
    """All blocks, those up to a pointer's, and those from there on."""
    pointers = memory.pointers_at(location)
    sides = [side for p in pointers for side in (le(block, p), and_(le(p, block), not_(eq(p, _ZERO))))]
    return [memory.block(block), *(and_(side, memory.block(block)) for side in sides)]


def _claims(memory: Memory, array: Term, place: Term, block: Term) -> Iterator[Term]:
    assert memory.growth is not None
    value, start, step = select(array, place), memory.growth.first(), const(memory.growth.step, INT)
    first, last = eq(block, start), eq(block, memory.growth.last())
    equal = [eq(value, const(c, INT)) for c in memory.constants(array)]
    yield from (*equal, or_(*equal)) if len(equal) > 1 else equal
    if len(equal) > 1:  # marks of the first or the last block
        for end in (first, last):
            for claim in equal:
                yield from (or_(not_(end), claim), or_(end, claim), or_(end, not_(claim)))
    yield eq(mul(step, value), sub(block, start))  # its number
    if not memory.holds_pointers(array):
        return
    null = eq(value, _ZERO)
    neighbours = [eq(value, sub(block, step)), eq(value, add(block, step))]
    for end in (first, last):
        yield or_(not_(end), null)
        yield from (or_(end, neighbour) for neighbour in neighbours)
    yield from (or_(null, neighbour) for neighbour in neighbours)
    yield or_(null, memory.block(value))
    for other in memory.arrays:
        there = [eq(select(other, value), const(c, INT)) for c in memory.constants(other) if c]
        yield from (or_(null, claim) for claim in there)
