"""State machines: a table of transitions becomes a stream of states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revet.streams.language import boolean, mux, recursive
from revet.streams.places import error
from revet.streams.stream import Stream, constant
from revet.streams.types import Scalar, Word8


def state_machine(
    initial: int,
    transitions: Sequence[tuple[int, Any, int]],
    otherwise: int | None = None,
    type_: Scalar = Word8,
) -> Stream:
    """The state *before* this instant's transition.

    ``transitions`` are (state, condition, next state), tried in order. With none that applies the
    machine goes to ``otherwise``, or stays where it is.
    """
    if not type_.is_integral:
        raise error(f"states are integers, not {type_}s")
    for source, _, target in transitions:
        constant(source, type_), constant(target, type_)
    conditions = [boolean(condition, "a condition") for _, condition, _ in transitions]

    def machine(state: Stream) -> Stream:
        following = state if otherwise is None else constant(otherwise, type_)
        for (source, _, target), condition in reversed(list(zip(transitions, conditions, strict=True))):
            following = mux((state == source) & condition, constant(target, type_), following)
        return [initial] @ following

    return recursive(type_, machine, "state")
