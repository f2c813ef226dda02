"""What parts of an expression touch in a run: whether another order of evaluation could have mattered.

Atoms that may interfere (:mod:`revet.frontends.c.sequencing`) are told apart by what pointers *may* lead to.
A run knows what they did lead to: while such an expression is evaluated, each access is listed with its
object and bytes, and at its end the lists of the two atoms of every pair are compared. If no atom wrote what
another one touched, each would have read the same values in any order and interleaving, and so done the same:
the run does not depend on the order. Library functions that are done at once count as touching everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.frontends.c.interpret.memory import InvalidAccess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from revet.frontends.c.ast import Expr
    from revet.frontends.c.interpret.access import Access
    from revet.frontends.c.interpret.machine import Instruction, Machine
    from revet.frontends.c.interpret.memory import MemoryObject

    Find = Callable[[Machine], MemoryObject]

Touch = tuple["MemoryObject | None", int, int, bool]
"""An object (None: all there are), the first byte, the first byte behind, and whether it is written."""

EVERYTHING: Touch = (None, 0, 0, True)


def variable(find: Find, access: Access, *, writes: bool) -> Instruction:
    """A named variable is about to be read or written."""
    start, end = access.skip, access.skip + access.size

    def run(m: Machine) -> None:
        if m.watching:
            m.touched.append((find(m), start, end, writes))

    return run


def element(find: Find, access: Access, *, writes: bool) -> Instruction:
    """(index): that element of a named array is about to be read or written."""
    size = access.size

    def run(m: Machine) -> None:
        if m.watching:
            start = m.stack[-1] * size
            m.touched.append((find(m), start, start + size, writes))

    return run


def place(access: Access, *, writes: bool) -> Instruction:
    """(place): what is there is about to be read or written."""
    size, skip = access.size, access.skip

    def run(m: Machine) -> None:
        if m.watching:
            try:
                target, offset = m.memory.locate(m.stack[-1] + skip, size)
            except InvalidAccess:
                return  # which ends the run
            m.touched.append((target, offset, offset + size, writes))

    return run


def begin(e: Expr) -> Instruction:
    """An atom of a watched expression begins."""

    def run(m: Machine) -> None:
        m.frame.kept[e, "begun"] = len(m.touched)

    return run


def finish(e: Expr) -> Instruction:
    """It has been evaluated."""

    def run(m: Machine) -> None:
        m.frame.kept[e, "touched"] = frozenset(m.touched[m.frame.kept[e, "begun"] :])

    return run


def conflict(one: Iterable[Touch], other: Iterable[Touch]) -> bool:
    """Does one of the two write what the other one touches?"""
    ranges: dict[MemoryObject | None, list[tuple[int, int, bool]]] = {}
    for target, start, end, writes in one:
        ranges.setdefault(target, []).append((start, end, writes))
    for target, start, end, writes in other:
        if (target is None and ranges) or None in ranges:
            return True
        for first, last, wrote in ranges.get(target, ()):
            if (writes or wrote) and first < end and start < last:
                return True
    return False
