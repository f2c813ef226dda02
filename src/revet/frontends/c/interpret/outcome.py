"""How a run of compiled C ends, and what it met on the way."""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import Position


@dataclass(frozen=True, slots=True)
class Undefined:
    """Undefined behaviour met on the way: ``kind`` is overflow, shift, division, dereference,
    conversion, library, alignment, free, leak, cleanup, index (outside of an object), subscript (of an array
    in one), address, comparison, uninitialised or call."""

    kind: str
    message: str
    at: Position

    def __str__(self) -> str:
        return f"{self.at}: {self.message}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    ``kind``: error (an error function was called), exit, abort, assume (an assumption failed),
    undefined (no meaning from here on), mismatch (the run asks for other values than recorded),
    limit (steps, time, memory), unsupported. ``broken`` is the kind of undefined behaviour that was the
    error, empty if a function was, ``inside`` the library function that it happened in. ``orders`` are
    the orders of evaluation that the run took where C leaves a choice that makes a difference,
    ``unspecified`` is what else it saw that C leaves open; ``objects`` what those held that were made
    with any contents, as far as the run has looked.
    """

    kind: str
    message: str
    at: Position | None
    function: str | None
    status: int = 0
    undefined: tuple[Undefined, ...] = ()
    steps: int = 0
    draws: int = 0
    orders: tuple[str, ...] = ()
    unspecified: tuple[str, ...] = ()
    broken: str = ""
    objects: tuple[bytes, ...] = ()
    inside: str = ""


class Stop(Exception):
    """Ends the run."""

    def __init__(
        self, kind: str, message: str, at: Position | None = None, status: int = 0, broken: str = ""
    ) -> None:
        super().__init__(message)
        self.broken = broken
        self.kind = kind
        self.message = message
        self.at = at
        self.status = status
