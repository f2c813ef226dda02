"""Bits of machine integers, by their number: 0 is the lowest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from revet.streams.language import cast, mux
from revet.streams.places import error
from revet.streams.stream import Stream, constant
from revet.streams.types import Word8


def _width(s: Stream) -> int:
    if s.type.kind != "int":
        raise error(f"bits are those of machine integers, this is a {s.type}")
    return s.type.width


def bit(s: Stream, number: Any) -> Stream:
    """The integer of which only this bit is set; ``number`` is a constant or a stream of Words."""
    if isinstance(number, int) and not 0 <= number < _width(s):
        raise error(f"a {s.type} has no bit {number}")
    return constant(1, s.type) << number


def test_bit(s: Stream, number: Any) -> Stream:
    """Is the bit set? One beyond the width is not."""
    return (s & bit(s, number)) != 0


def set_bit(s: Stream, number: Any) -> Stream:
    return s | bit(s, number)


def clear_bit(s: Stream, number: Any) -> Stream:
    return s & ~bit(s, number)


def complement_bit(s: Stream, number: Any) -> Stream:
    return s ^ bit(s, number)


def pop_count(s: Stream) -> Stream:
    """How many bits are set, as a Word8."""
    total = constant(0, Word8)
    for number in range(_width(s)):
        total = total + mux(test_bit(s, number), constant(1, Word8), 0)
    return total


def rotate_left(s: Stream, count: int) -> Stream:
    return _rotate(s, count, lambda x, n: x << n, lambda x, n: x >> n)


def rotate_right(s: Stream, count: int) -> Stream:
    return _rotate(s, count, lambda x, n: x >> n, lambda x, n: x << n)


def _rotate(
    s: Stream, count: int, one: Callable[[Stream, int], Stream], other: Callable[[Stream, int], Stream]
) -> Stream:
    if s.type.signed or isinstance(count, bool) or not isinstance(count, int):
        raise error(f"a Word is rotated by a constant number of bits, not a {s.type} by {count!r}")
    count %= _width(s)
    return s if count == 0 else one(s, count) | other(s, s.type.width - count)


def to_bits(s: Stream) -> list[Stream]:
    """All bits, the lowest first."""
    return [test_bit(s, number) for number in range(_width(s))]


def from_bits(bits: list[Stream], type_: Any) -> Stream:
    """The integer of these bits, the lowest first; bits that are not given are 0."""
    if type_.kind != "int" or len(bits) > type_.width:
        raise error(f"{len(bits)} bits do not make a {type_}")
    result = constant(0, type_)
    for number, one in enumerate(bits):
        result = result | (cast(one, type_) << number)
    return result
