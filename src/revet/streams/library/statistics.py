"""Statistics of the last n values; before there are n, ``before`` stands for those missing."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from revet.streams import language
from revet.streams.language import false, mux, recursive
from revet.streams.places import error
from revet.streams.stream import Stream


def window(n: int, s: Stream, before: Any) -> list[Stream]:
    """The stream now, one instant ago, …, n values in all."""
    if n < 1:
        raise error("a window has at least one value")
    found = [s]
    for _ in range(n - 1):
        found.append([before] @ found[-1])
    return found


def _fold(operator: Callable[[Any, Any], Any], streams: list[Stream]) -> Stream:
    result: Stream = reduce(operator, streams)
    return result


def maximum(n: int, s: Stream, before: Any) -> Stream:
    return _fold(language.maximum, window(n, s, before))


def minimum(n: int, s: Stream, before: Any) -> Stream:
    return _fold(language.minimum, window(n, s, before))


def total(n: int, s: Stream, before: Any = 0) -> Stream:
    """The sum of the window."""
    return _fold(lambda x, y: x + y, window(n, s, before))


def mean(n: int, s: Stream, before: Any = 0) -> Stream:
    """The mean of the window (on integers rounded down)."""
    if s.type.kind != "float" and s.type.width and n > s.type.high:
        raise error(f"{n} is not a {s.type}")
    whole = total(n, s, before)
    return whole / float(n) if s.type.kind == "float" else whole // n


def maximum_so_far(s: Stream) -> Stream:
    """The largest value since the start."""
    return _so_far(language.maximum, s)


def minimum_so_far(s: Stream) -> Stream:
    """The smallest value since the start."""
    return _so_far(language.minimum, s)


def _so_far(operator: Callable[[Any, Any], Stream], s: Stream) -> Stream:
    first = [True] @ false()
    initial = 0.0 if s.type.kind == "float" else 0
    return recursive(
        s.type, lambda r: mux(first, s, operator(s, [initial] @ r)), "so_far"
    )
