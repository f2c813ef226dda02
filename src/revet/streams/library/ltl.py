"""Bounded future-time temporal logic: the next n instants.

These look ahead with ``drop``, so their arguments need that many values in their buffers: to watch an
extern, delay it first.
"""

from __future__ import annotations

from typing import Any

from revet.streams.language import boolean, conjunction, disjunction
from revet.streams.places import error
from revet.streams.stream import Stream


def _bound(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise error(f"the bound is a number of instants, not {n!r}")
    return n


def next_(s: Any) -> Stream:
    return boolean(s, "the argument of next_").drop(1)


def always(n: int, s: Any) -> Stream:
    """s holds now and at the n next instants."""
    stream = boolean(s, "the argument of always")
    return conjunction([stream.drop(k) for k in range(_bound(n) + 1)])


def eventually(n: int, s: Any) -> Stream:
    """s holds now or at one of the n next instants."""
    stream = boolean(s, "the argument of eventually")
    return disjunction([stream.drop(k) for k in range(_bound(n) + 1)])


def until(n: int, left: Any, right: Any) -> Stream:
    """``right`` holds within n instants, and ``left`` at every instant before that."""
    keeps, ends = boolean(left, "the left side of until"), boolean(right, "the right side of until")
    result = ends.drop(_bound(n))
    for k in reversed(range(n)):
        result = ends.drop(k) | (keeps.drop(k) & result)
    return result


def release(n: int, left: Any, right: Any) -> Stream:
    """``right`` holds for n instants, or up to and with the first at which ``left`` holds."""
    return ~until(n, ~boolean(left, "the left side of release"), ~boolean(right, "the right side of release"))
