"""Clocks: Booleans that hold once a period, at a phase."""

from __future__ import annotations

from revet.streams.language import mux, recursive
from revet.streams.places import error
from revet.streams.stream import Stream
from revet.streams.types import Bool, Scalar


def _checked(period: int, phase: int) -> None:
    if period < 1 or not 0 <= phase < period:
        raise error(f"a clock has a period of at least 1 and a phase below it, not {period} and {phase}")


def clock(period: int, phase: int = 0) -> Stream:
    """True at instants phase, phase + period, …: a ring of bits."""
    _checked(period, phase)
    ring = [instant == phase for instant in range(period)]
    return recursive(Bool, lambda r: ring @ r, "clock")


def counting_clock(type_: Scalar, period: int, phase: int = 0) -> Stream:
    """The same with a counter, for long periods."""
    _checked(period, phase)
    if not type_.is_integral or (type_.width and period - 1 > type_.high):
        raise error(f"a {type_} cannot count to {period - 1}")
    ticks = recursive(type_, lambda n: [0] @ mux(n == period - 1, 0, n + 1), "ticks")
    return ticks == phase
