"""What library functions need of their arguments, as a run sees it: see ``library/preconditions.py``.

And what a program asks about its memory (``conventions.QUESTIONS``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from revet.errors import Position
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import InvalidAccess, MemoryObject, SizeUnknown
from revet.frontends.c.interpret.outcome import Stop
from revet.frontends.c.library.conventions import (
    APART,
    IS_READABLE,
    IS_WRITABLE,
    OBJECT_SIZE,
    READABLE,
    REQUIRE,
    WRITABLE,
)


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


def _is_readable(m: Machine, arguments: list[Any], at: Position) -> int:
    """A program asks whether so many bytes are there; no bytes are."""
    return int(not arguments[1] or _found(m, arguments[0], arguments[1], at) is not None)


def _is_writable(m: Machine, arguments: list[Any], at: Position) -> int:
    found = _found(m, arguments[0], arguments[1], at)
    return int(not arguments[1] or (found is not None and not found.constant))


def _object_size(m: Machine, arguments: list[Any], at: Position) -> int:
    """The size of the object that a pointer leads to, or just behind; 0 if there is none."""
    found = _found(m, arguments[0], 0, at) or (_found(m, arguments[0] - 1, 1, at) if arguments[0] else None)
    return found.size if found is not None else 0


def _found(m: Machine, address: int, size: int, at: Position) -> MemoryObject | None:
    """The object that has so many bytes at an address, and is no function."""
    try:
        target, _ = m.memory.locate(address, size)
    except SizeUnknown as error:
        raise Stop("unsupported", str(error), at) from None
    except InvalidAccess:
        return None
    return target if target.kind != "function" else None


QUESTIONS: dict[str, Callable[[Machine, list[Any], Position], Any]] = {
    IS_READABLE: _is_readable, IS_WRITABLE: _is_writable, OBJECT_SIZE: _object_size,
}
PRECONDITIONS: dict[str, Callable[[Machine, list[Any], Position], Any]] = {
    REQUIRE: _require, READABLE: _readable, WRITABLE: _to_be_written, APART: _apart,
}
