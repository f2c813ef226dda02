"""Majority vote of Boyer and Moore: one pass for a candidate, one to see whether it is a majority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.streams.language import local, mux
from revet.streams.places import error
from revet.streams.stream import Stream, constant
from revet.streams.types import Word8


def majority(votes: Sequence[Stream]) -> Stream:
    """The value that more than half of the votes have, if there is one; else any of them."""
    if not votes:
        raise error("a vote needs at least one voter")
    if len(votes) > 255:
        raise error("a vote of more than 255 does not fit the counter")
    return _candidate(votes[0], constant(1, Word8), votes[1:])


def _candidate(candidate: Stream, lead: Stream, votes: Sequence[Stream]) -> Stream:
    for vote in votes:
        empty = lead == 0
        candidate, lead = (
            mux(empty, vote, candidate),
            mux(empty | (vote == candidate), lead + 1, lead - 1),
        )
    return candidate


def count(value: Any, votes: Sequence[Stream]) -> Stream:
    """How many of the votes are ``value``."""
    total = constant(0, Word8)
    for vote in votes:
        total = total + mux(vote == value, constant(1, Word8), 0)
    return total


def has_majority(value: Any, votes: Sequence[Stream]) -> Stream:
    """More than half of the votes are ``value``."""
    if len(votes) > 127:
        raise error("a vote of more than 127 does not fit the counter")
    return local(count(value, votes), lambda n: n * 2 > len(votes))
