"""Metric temporal logic over the past: what held between ``low`` and ``high`` time units ago.

Without a clock a unit is an instant. With one, times are read from a stream of integers that grows by
at least ``distance`` an instant, which bounds how many instants a window can span.
"""

from __future__ import annotations

from typing import Any

from revet.streams.language import boolean, conjunction, disjunction
from revet.streams.places import error
from revet.streams.stream import Stream


def _window(low: int, high: int) -> range:
    if not 0 <= low <= high:
        raise error(f"[{low}, {high}] is not an interval of the past")
    return range(low, high + 1)


def _history(stream: Stream, length: int, before: object) -> list[Stream]:
    """The stream now, one instant ago, … ; ``before`` stands for what was before the start."""
    found = [stream]
    for _ in range(length):
        found.append([before] @ found[-1])
    return found


def once(low: int, high: int, s: Any) -> Stream:
    """s held at some instant between ``low`` and ``high`` instants ago."""
    window = _window(low, high)
    history = _history(boolean(s, "the argument of once"), high, False)
    return disjunction([history[k] for k in window])


def historically(low: int, high: int, s: Any) -> Stream:
    """s held at every instant between ``low`` and ``high`` instants ago (there may be none yet)."""
    window = _window(low, high)
    history = _history(boolean(s, "the argument of historically"), high, True)
    return conjunction([history[k] for k in window])


def since(low: int, high: int, left: Any, right: Any) -> Stream:
    """``right`` held between ``low`` and ``high`` instants ago, and ``left`` ever after."""
    window = _window(low, high)
    starts = _history(boolean(right, "the right side of since"), high, False)
    keeps = _history(boolean(left, "the left side of since"), high, False)
    cases = [conjunction([starts[k], *keeps[:k]]) for k in window]
    return disjunction(cases)


def once_within(low: int, high: int, clock: Stream, distance: int, s: Any) -> Stream:
    """Like :func:`once`, with times read from ``clock``."""
    return disjunction(
        [inside & held for inside, held in _timed(low, high, clock, distance, s, False)]
    )


def historically_within(low: int, high: int, clock: Stream, distance: int, s: Any) -> Stream:
    """Like :func:`historically`, with times read from ``clock``."""
    return conjunction(
        [~inside | held for inside, held in _timed(low, high, clock, distance, s, True)]
    )


def _timed(
    low: int, high: int, clock: Stream, distance: int, s: Any, before: bool
) -> list[tuple[Stream, Stream]]:
    _window(low, high)
    if distance < 1 or not clock.type.is_integral:
        raise error("the clock is a stream of integers that grows by at least distance >= 1 an instant")
    length = high // distance
    held = _history(boolean(s, "the argument"), length, before)
    started = _history(boolean(True, ""), length, False)
    times = _history(clock, length, 0)
    return [
        (past & (clock - time >= low) & (clock - time <= high), value)
        for past, time, value in zip(started, times, held, strict=True)
    ]
