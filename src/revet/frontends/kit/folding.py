"""Repeated rounds of a loop in a run, folded: the first round, what so many more changed, the last round.

Rounds are found in the steps themselves: the same places several times in a row, short periods first, so that
inner loops are folded before the rounds of the outer one are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from revet.frontends.kit.source_run import SourceRun, SourceStep

T = TypeVar("T")

LEAST = 4  # rounds in a row that are folded
_LONGEST = 40  # steps of a round


def fold(
    steps: Sequence[T], key: Callable[[T], Hashable], merge: Callable[[Sequence[T], int], T]
) -> list[T]:
    """The steps with rounds folded. Steps with equal keys are the same place; ``merge`` makes one step of all
    steps of some rounds, whose number it is given. Of ``r`` rounds the first and the last are kept."""
    rows = [(step, key(step)) for step in steps]
    period = 1
    while period <= _LONGEST:
        folded = _fold(rows, period, merge)
        period = 1 if len(folded) < len(rows) else period + 1
        rows = folded
    return [step for step, _ in rows]


def _fold(
    rows: list[tuple[T, Hashable]], period: int, merge: Callable[[Sequence[T], int], T]
) -> list[tuple[T, Hashable]]:
    """One pass over the steps, for rounds of this many steps."""
    keys = [row[1] for row in rows]
    found: list[tuple[T, Hashable]] = []
    at = 0
    while at < len(rows):
        rounds = _rounds(keys, at, period)
        if rounds < LEAST:
            found.append(rows[at])
            at += 1
            continue
        inner = rows[at + period : at + (rounds - 1) * period]
        merged = merge([step for step, _ in inner], rounds - 2)
        found += [*rows[at : at + period], (merged, ("rounds", *keys[at : at + period]))]
        found += rows[at + (rounds - 1) * period : at + rounds * period]
        at += rounds * period
    return found


def _rounds(keys: Sequence[Hashable], at: int, period: int) -> int:
    """How often the next ``period`` steps come one after the other."""
    first, count = keys[at : at + period], 1
    if len(first) < period or any(isinstance(key, tuple) and key[:1] == ("rounds",) for key in first[:1]):
        return 1
    while keys[at + count * period : at + (count + 1) * period] == first:
        count += 1
    return count


def folded(run: SourceRun) -> SourceRun:
    """A run for people; the steps that were left out stay where they are."""
    if run.left_out:
        return run
    steps = fold(run.steps, lambda step: (step.position, step.function, step.depth, step.text), rounds_step)
    return SourceRun(tuple(steps), run.ending, run.start)


def rounds_step(steps: Sequence[SourceStep], count: int) -> SourceStep:
    """One step for some rounds: what they changed, each with its last value."""
    changes: dict[str, str] = {}
    for step in steps:
        changes.update(step.changes)
    first = steps[0]
    return SourceStep(rounds_text(count), first.position, tuple(changes.items()), first.function, first.depth,
                      first.edge)


def rounds_text(count: int) -> str:
    return f"… {count} more rounds like this"
