"""Choices between many streams: by conditions, by an index, by turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.streams.language import mux, recursive
from revet.streams.places import error
from revet.streams.stream import Stream, lift
from revet.streams.types import Type


def case(conditions: Sequence[Any], alternatives: Sequence[Any]) -> Any:
    """The alternative of the first condition that holds; the last one, which has none, if none does."""
    if len(alternatives) != len(conditions) + 1:
        raise error(
            f"{len(conditions)} conditions need {len(conditions) + 1} alternatives, the last for when none "
            f"holds; given are {len(alternatives)}"
        )
    known = next((one for one in alternatives if isinstance(one, Stream)), None)
    streams = list(alternatives) if known is None else [lift(one, known.type) for one in alternatives]
    found = streams[-1]
    for condition, alternative in reversed(list(zip(conditions, streams, strict=False))):
        found = mux(condition, alternative, found)
    return found


def select(streams: Sequence[Any], index: Stream) -> Any:
    """The stream of this number; an index beyond the end means the last."""
    if not len(streams):
        raise error("there is no stream to choose from")
    if index.type.kind != "int":
        raise error(f"an index is a machine integer, this is a {index.type}")
    known = range(min(len(streams) - 1, index.type.high + 1))
    return case([index == n for n in known], [streams[n] for n in (*known, len(streams) - 1)])


def cycle(values: Sequence[Any], type_: Type) -> Any:
    """The values again and again."""
    if not len(values):
        raise error("a cycle has at least one value")
    return recursive(type_, lambda s: list(values) @ s, "cycle")
