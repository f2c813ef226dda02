"""Folds and scans over the next n values of a stream.

They look ahead with ``drop``, so the stream needs n values in its buffers: to fold over the past of an
extern, delay it first, or use :mod:`revet.streams.library.statistics`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate
from typing import Any

from revet.streams.places import error
from revet.streams.stream import Stream

Operator = Callable[[Any, Any], Any]


def ahead(n: int, s: Any) -> list[Any]:
    """The stream now, one instant ahead, …: n streams."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise error(f"a fold is over a number of instants, not {n!r}")
    return [s.drop(k) for k in range(n)]


def fold_left(n: int, operator: Operator, initial: Any, s: Any) -> Any:
    """``operator(… operator(operator(initial, s0), s1) …, s(n-1))``."""
    return reduce(operator, ahead(n, s), initial)


def fold_left1(n: int, operator: Operator, s: Any) -> Any:
    """The same, from the first value."""
    return reduce(operator, ahead(n, s))


def fold_right(n: int, operator: Operator, initial: Any, s: Any) -> Any:
    """``operator(s0, operator(s1, … operator(s(n-1), initial)))``."""
    return reduce(lambda found, one: operator(one, found), reversed(ahead(n, s)), initial)


def fold_right1(n: int, operator: Operator, s: Any) -> Any:
    """The same, from the last value."""
    return reduce(lambda found, one: operator(one, found), reversed(ahead(n, s)))


def scan_left(n: int, operator: Operator, initial: Any, s: Any) -> list[Any]:
    """The initial value and all intermediate results of :func:`fold_left`, n + 1 in all."""
    return list(accumulate(ahead(n, s), operator, initial=initial))


def scan_left1(n: int, operator: Operator, s: Any) -> list[Any]:
    """All intermediate results of :func:`fold_left1`, n in all."""
    return list(accumulate(ahead(n, s), operator))


def scan_right(n: int, operator: Operator, initial: Any, s: Any) -> list[Any]:
    """The results of :func:`fold_right` over the values from each on, and the initial value at the end."""
    found = accumulate(reversed(ahead(n, s)), lambda made, one: operator(one, made), initial=initial)
    return list(found)[::-1]


def scan_right1(n: int, operator: Operator, s: Any) -> list[Any]:
    """The results of :func:`fold_right1` over the values from each on."""
    found = accumulate(reversed(ahead(n, s)), lambda made, one: operator(one, made))
    return list(found)[::-1]


def total(n: int, s: Stream) -> Stream:
    """The sum of the next n values."""
    result: Stream = fold_left1(n, lambda x, y: x + y, s)
    return result


def over(operator: Operator, streams: Sequence[Any]) -> Any:
    """One stream from several (or from an array), by an operator between them."""
    if not len(streams):
        raise error("a fold needs at least one stream")
    return reduce(operator, streams)
