"""The first difference between a run of the automaton and one of the compiled program."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from revet.frontends.c.native.search import CRASHED, ENDED, EXHAUSTED, LIMIT, REACHED, STOPPED
from revet.frontends.c.types import Floating, Int
from revet.frontends.c.validation.runs import as_bits

if TYPE_CHECKING:
    from revet.frontends.c.native.search import Traced
    from revet.frontends.c.validation.checkpoints import Checkpoint
    from revet.frontends.c.validation.runs import ModelRun, Seen

_ENDINGS = {
    ENDED: "ends", STOPPED: "breaks an assumption", CRASHED: "does something undefined", LIMIT: "goes on",
    REACHED: "reaches the error", EXHAUSTED: "asks for more values",
}


def difference(model: ModelRun, compiled: Traced) -> str | None:
    """In words; None if the two agree as far as they can be compared. A compiled run may end early,
    where C says that it is undefined, and either may reach its limit."""
    at, words = 0, compiled.words
    for number, seen in enumerate(model.seen):
        here = f"{_place(seen.checkpoint)} (step {number})"
        if at >= len(words):
            if compiled.how in (CRASHED, LIMIT):
                return None
            return f"the compiled program {_ENDINGS[compiled.how]} before {here}"
        if words[at] != seen.checkpoint.number:
            return f"the model comes to {here}, the compiled program to another place"
        values = words[at + 1 : at + 1 + len(seen.values)]
        if len(values) < len(seen.values):
            return None  # the limit of what is written down
        problem = _values_differ(seen, values)
        if problem is not None:
            return f"at {here} {problem}"
        at += 1 + len(seen.values)
    return None if model.ended in ("limit", "open") else _endings_differ(model, compiled, at)


def _endings_differ(model: ModelRun, compiled: Traced, at: int) -> str | None:
    if compiled.how == EXHAUSTED:
        return f"the compiled program asks for more than the model's {compiled.drawn} values"
    if compiled.how == REACHED and model.ended != "error":
        return "the compiled program reaches the error"
    if at < len(compiled.words):
        return f"the compiled program goes on after the {len(model.seen)} places of the model"
    if model.ended == "end" and compiled.how == ENDED and compiled.drawn != len(model.calls):
        return f"the model asks for {len(model.calls)} values, the compiled program for {compiled.drawn}"
    return None


def _values_differ(seen: Seen, words: tuple[int, ...]) -> str | None:
    for watched, expected, word in zip(seen.checkpoint.watched, seen.values, words, strict=True):
        if expected is None:
            continue
        if isinstance(watched.type, Floating):
            found = as_bits(struct.unpack("<d", struct.pack("<q", word))[0], watched.type)
        else:
            assert isinstance(watched.type, Int)
            found = watched.type.wrap(word)
        if found != expected:
            return f"{watched.text} is {expected} in the model and {found} in the compiled program"
    return None


def _place(checkpoint: Checkpoint) -> str:
    return str(checkpoint.statement.span.start)
