"""Proof obligations: cubes from which the property can be violated, to be blocked at a level."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

C = TypeVar("C")


@dataclass(frozen=True, slots=True, eq=False)
class Obligation(Generic[C]):
    """``cube`` must be unreachable within ``level`` steps.

    ``successor`` is the obligation that this one leads to in one step; None for a bad state.
    ``depth`` counts the steps to the bad state.
    """

    level: int
    cube: C
    successor: Obligation[C] | None = None
    depth: int = 0

    def at(self, level: int) -> Obligation[C]:
        """The same obligation for another level."""
        return Obligation(level, self.cube, self.successor, self.depth)

    def chain(self) -> list[Obligation[C]]:
        """From here to the bad state."""
        found: list[Obligation[C]] = []
        current: Obligation[C] | None = self
        while current is not None:
            found.append(current)
            current = current.successor
        return found


class Obligations(Generic[C]):
    """A queue: lowest level first, then the shallowest, then the newest."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Obligation[C]]] = []
        self._order = count(0, -1)

    def add(self, obligation: Obligation[C]) -> None:
        heappush(self._heap, (obligation.level, obligation.depth, next(self._order), obligation))

    def pop(self) -> Obligation[C]:
        return heappop(self._heap)[3]

    def __len__(self) -> int:
        return len(self._heap)
