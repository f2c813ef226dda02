"""A stack of fixed depth whose top is a stream."""

from __future__ import annotations

from typing import Any

from revet.streams.language import boolean, declare, mux
from revet.streams.places import error
from revet.streams.stream import Stream, lift
from revet.streams.types import Scalar


def stack(depth: int, type_: Scalar, empty: Any, push: Any, pop: Any, value: Any) -> Stream:
    """The top of a stack after this instant's push or pop; ``empty`` where there is none.

    Push wins if both are asked for. Pushing onto a full stack loses the bottom, popping an empty one
    leaves it empty.
    """
    if depth < 1:
        raise error("a stack has a depth of at least 1")
    pushes, pops = boolean(push, "push"), boolean(pop, "pop")
    new = lift(value, type_)
    cells = [declare(type_, f"stack{level}") for level in range(depth)]
    before = [[empty] @ cell for cell in cells]
    for level, cell in enumerate(cells):
        above = new if level == 0 else before[level - 1]
        below = before[level + 1] if level + 1 < depth else empty
        cell.define(mux(pushes, above, mux(pops, below, before[level])))
    top: Stream = cells[0]
    return top
