"""Candidates about blocks that have not been freed, in whatever order that happens.

Where allocation writes something (a size) at the address of a block, and ``free`` a zero, a block *lives*
while that is not zero. Of all living blocks is guessed:

* what is in them leads to null or to a living block, always before or always behind; not to where a variable
  leads; back again (``k->next->prev == k``);
* a variable's block is one of them, and another one than that of another variable; there is none where it is
  null;
* no two of them lead to the same block: lists and trees are not shared.

They have one parameter or two (:class:`revet.invariants.memory.Memory`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from revet.invariants.memory import Memory
from revet.logic.arith import add, le, lt, mod, sub
from revet.logic.arrays import select
from revet.logic.core import and_, const, eq, implies, not_, or_
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Term
from revet.model.cfa import Location

_ZERO = const(0, INT)
_FIELDS = 4  # that hold pointers, at most


@dataclass(frozen=True)
class _Field:
    """What lies so far from the beginning of each block, in an array that holds pointers."""

    array: Term
    offset: int

    def of(self, block: Term) -> Term:
        return select(self.array, add(block, const(self.offset, INT)))


def about_living(memory: Memory, location: Location, but_one: bool = False) -> list[Term]:
    """With parameters; those that the samples do not refute. With ``but_one``, also of all but the block
    that a variable leads to, which may be new and not yet filled in."""
    if memory.growth is None:
        return []
    holding = [x for x in memory.arrays if memory.holds_pointers(x)]
    fields = [_Field(x, d) for x in holding for d in memory.offsets(x)][:_FIELDS]
    candidates: dict[Term, None] = {}
    for lives in (x for x in memory.arrays if _tells_life(memory, x)):
        pointers = memory.pointers_at(location)
        guess = _Guess(memory, lives, fields, pointers)
        candidates.update(dict.fromkeys((*guess.where(), *guess.inside(location))))
        for but in (None, *pointers) if but_one else (None,):
            candidates.update(dict.fromkeys((*guess.led_to(but), *guess.unshared(but))))
    return [c for c in candidates if c not in (TRUE, FALSE) and memory.survives(c, location)]


def _tells_life(memory: Memory, array: Term) -> bool:
    """Is it zero at blocks that were freed, and something else at the others?"""
    return not memory.holds_pointers(array) and memory.written(array) == {0} and 0 in memory.constants(array)


@dataclass(frozen=True)
class _Guess:
    """``sizes``: not zero at the blocks that live. ``pointers`` are variables."""

    memory: Memory
    sizes: Term
    fields: list[_Field]
    pointers: list[Term]

    def lives(self, block: Term) -> Term:
        return not_(eq(select(self.sizes, block), _ZERO))

    def allocated(self, block: Term) -> Term:
        """It has been some time. That a block begins there, too, is hard on solvers, and needed only to tell
        one field of a block from another one of the next."""
        growth = self.memory.growth
        assert growth is not None
        if len({field.array for field in self.fields}) < len(self.fields):
            return self.memory.block(block)
        return and_(le(growth.first(), block), lt(block, growth.variable))

    def positive(self) -> list[Term]:
        return [const(c, INT) for c in self.memory.constants(self.sizes) if c > 0]

    def where(self) -> Iterator[Term]:
        """Where living blocks are."""
        block = self.memory.blocks[0]
        lives = self.lives(block)
        yield implies(lives, self.allocated(block))
        yield from (implies(lives, eq(select(self.sizes, block), size)) for size in self.positive())
        for p in self.pointers:
            null = eq(p, _ZERO)
            yield implies(and_(lives, null), FALSE)
            yield or_(null, self.allocated(p))
            yield from (or_(null, eq(select(self.sizes, p), size)) for size in self.positive())
        yield from (or_(eq(p, _ZERO), not_(eq(p, q))) for p, q in combinations(self.pointers, 2))

    def inside(self, location: Location) -> Iterator[Term]:
        """Where pointers to fields of blocks lead (``&node->next``)."""
        growth = self.memory.growth
        assert growth is not None
        for x, offset, others in self.memory.inside(location):
            elsewhere = [eq(x, const(value, INT)) for value in others]
            yield or_(*elsewhere, eq(mod(x, const(growth.step, INT)), const(offset, INT)))
            sizes = select(self.sizes, sub(x, const(offset, INT)))
            yield from (or_(*elsewhere, eq(sizes, size)) for size in self.positive())

    def excluded(self, block: Term, but: Term | None) -> Term:
        """It does not live, or is the one that nothing is said about."""
        dead = not_(self.lives(block))
        return dead if but is None else or_(dead, eq(block, but))

    def led_to(self, but: Term | None) -> Iterator[Term]:
        """Where the fields of a living block lead."""
        block = self.memory.blocks[0]
        dead = self.excluded(block, but)
        for field in self.fields:
            value = field.of(block)
            null = eq(value, _ZERO)
            claims = [self.allocated(value)]
            claims += [lt(value, block), lt(block, value)]
            claims += [eq(select(self.sizes, value), size) for size in self.positive()]
            claims += [eq(other.of(value), block) for other in self.fields if other is not field]
            yield or_(dead, null)
            yield from (or_(dead, null, claim) for claim in claims)
            for p in self.pointers:
                yield or_(dead, eq(p, _ZERO), not_(eq(value, p)))
                yield or_(dead, not_(null), eq(block, p))  # the only one that leads nowhere

    def unshared(self, but: Term | None) -> Iterator[Term]:
        """No two living blocks lead to the same one."""
        block, other = self.memory.blocks
        some = or_(self.excluded(block, but), self.excluded(other, but))
        for field in self.fields:
            value = field.of(block)
            for second in self.fields:
                same = eq(block, other) if second is field else FALSE
                yield or_(some, eq(value, _ZERO), same, not_(eq(value, second.of(other))))
