"""``setjmp`` and ``longjmp`` in runs: where a run goes on is kept by number.

The numbers are those of :mod:`revet.frontends.c.reader.jumps`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from revet.frontends.c.reader.jumps import LEAVE, MARK, SET

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.errors import Position
    from revet.frontends.c.interpret.machine import Frame, Machine


@dataclass(frozen=True, slots=True)
class Return:
    """Where ``setjmp`` returns to: an activation, its next block, and the operands that wait."""

    height: int
    frame: Frame
    pc: int
    stack: tuple[Any, ...]


def _mark(m: Machine, arguments: list[Any], at: Position) -> int:
    m.last_jump += 1
    return m.last_jump


def _set(m: Machine, arguments: list[Any], at: Position) -> int:
    m.jumps[arguments[0]] = Return(len(m.frames), m.frame, m.pc, tuple(m.stack))
    return 0


def _leave(m: Machine, arguments: list[Any], at: Position) -> int:
    number, value = arguments
    found = m.jumps.get(number)
    if found is None or len(m.frames) < found.height or m.frames[found.height - 1] is not found.frame:
        raise m.stuck("call", "longjmp to no active setjmp", at)
    while len(m.frames) > found.height:
        for target in m.frames.pop().objects:
            m.memory.release(target)
    m.frame, m.blocks, m.pc = found.frame, found.frame.code.blocks, found.pc
    m.frame.rejoined = True
    m.stack[:] = found.stack
    return int(value) or 1


JUMPS: dict[str, Callable[[Machine, list[Any], Position], int]] = {MARK: _mark, SET: _set, LEAVE: _leave}
