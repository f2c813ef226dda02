"""What library functions need of their arguments, as a run sees it: see ``library/preconditions.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.library.conventions import APART, READABLE, REQUIRE, WRITABLE


def writable(m: Machine, address: int, size: int, at: Position) -> tuple[MemoryObject, int]:
    """Where so many bytes may be written."""
    target, offset = m.locate(address, size, at)
    if target.kind == "function" or target.constant:
        raise m.stuck("dereference", f"{target.name} is written to", at)
    if m.recorder is not None:
        m.recorder.filled(m, target, offset, size)
    return target, offset


def _require(m: Machine, arguments: list[Any], at: Position) -> int:
    """A model says what its function needs."""
    if not arguments[0]:
        raise m.stuck("library", "that is not so here", at)
    return 0


def _apart(m: Machine, arguments: list[Any], at: Position) -> int:
    """A model says that two pointers do not lead to the same byte."""
    if arguments[0] == arguments[1]:
        raise m.stuck("library", "source and target overlap", at)
    return 0


def _readable(m: Machine, arguments: list[Any], at: Position) -> int:
    """A model says that a pointer leads to so many bytes."""
    if arguments[1]:
        m.locate(arguments[0], arguments[1], at)
    return 0


def _to_be_written(m: Machine, arguments: list[Any], at: Position) -> int:
    if arguments[1]:
        writable(m, arguments[0], arguments[1], at)
    return 0


PRECONDITIONS: dict[str, Callable[[Machine, list[Any], Position], Any]] = {
    REQUIRE: _require, READABLE: _readable, WRITABLE: _to_be_written, APART: _apart,
}
