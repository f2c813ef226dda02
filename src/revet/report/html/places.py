"""The way of a run through the automaton, found by the lines that the run visits.

Runs of the program itself (``InputTrace``) have no locations. To draw them, the automaton is read as one
that accepts sequences of lines: in a step of the run, edges on its line may be taken, and at its end
the run must be at the violated error. Of all such ways, Viterbi's algorithm gives one that takes an
edge at exactly the statement of as many steps as possible; the next statements tell which branch was
taken. It is for a picture: nothing rests on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from revet.frontends.kit.source_run import SourceStep
from revet.model.cfa import Cfa, Edge, Location

_MOST_ENTRIES = 400_000  # partial ways: a fraction of a second


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A way from the start to a location; ``edge`` is its last, taken in ``step``."""

    score: float
    exact: bool  # an edge at the statement of the current step has been taken
    before: _Way | None = None
    edge: Edge | None = None
    step: int = -1


def edges_by_lines(
    cfa: Cfa, steps: Sequence[SourceStep], violated: str
) -> tuple[tuple[Edge, ...], list[int | None]] | None:
    """The edges in order, and for each step the first that it takes; None if there is no such way."""
    outgoing: dict[Location, list[Edge]] = {location: [] for location in cfa.locations}
    for edge in cfa.edges:
        outgoing[edge.source].append(edge)
    ways = {cfa.initial: _Way(0.0, False)}
    entries = 0
    for number, step in enumerate(steps):
        ways = _after(ways, number, step, outgoing)
        entries += len(ways)
        if entries > _MOST_ENTRIES:
            return None
    ends = [way for location, way in ways.items() if location in cfa.errors and location.name == violated]
    if not ends:
        return None
    return _in_order(max(ends, key=lambda way: way.score), len(steps))


def _after(
    ways: dict[Location, _Way], number: int, step: SourceStep, outgoing: dict[Location, list[Edge]]
) -> dict[Location, _Way]:
    best = {location: replace(way, exact=False) for location, way in ways.items()}
    waiting = deque(best)
    while waiting:
        location = waiting.popleft()
        way = best[location]
        for edge in outgoing[location]:
            price = _price(edge, step)
            if price is None:
                continue
            gain = 1.0 if price == 0.0 and not way.exact else 0.0
            score = way.score + gain - price
            known = best.get(edge.target)
            if known is None or score > known.score:
                best[edge.target] = _Way(score, way.exact or price == 0.0, way, edge, number)
                waiting.append(edge.target)
    return best


def _price(edge: Edge, step: SourceStep) -> float | None:
    """0 at the step's statement, a little on its line or for edges without statements, else None."""
    here, there = edge.position, step.position
    if here is not None and there is not None and here.line == there.line:
        return 0.0 if here.column == there.column else 0.01
    return 0.001 if here is None or not edge.statements else None


def _in_order(way: _Way, steps: int) -> tuple[tuple[Edge, ...], list[int | None]]:
    taken: list[tuple[Edge, int]] = []
    at: _Way | None = way
    while at is not None:
        if at.edge is not None:
            taken.append((at.edge, at.step))
        at = at.before
    taken.reverse()
    firsts: list[int | None] = [None] * steps
    for n, (_, step) in enumerate(taken):
        if firsts[step] is None:
            firsts[step] = n
    return tuple(edge for edge, _ in taken), firsts
