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
    ``rank`` decides among obligations of one level: the smallest comes first (here: how many steps it
    is from the bad state, if the engine does not say otherwise).
    """

    level: int
    cube: C
    successor: Obligation[C] | None = None
    rank: int = 0

    def before(self, cube: C) -> Obligation[C]:
        """A cube with a step into this one."""
        return Obligation(self.level - 1, cube, self, self.rank + 1)

    def at(self, level: int) -> Obligation[C]:
        """The same obligation for another level."""
        return Obligation(level, self.cube, self.successor, self.rank)

    def chain(self) -> list[Obligation[C]]:
        """From here to the bad state."""
        found: list[Obligation[C]] = []
        current: Obligation[C] | None = self
        while current is not None:
            found.append(current)
            current = current.successor
        return found


class Obligations(Generic[C]):
    """A queue: lowest level first, then the lowest rank, then the newest."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Obligation[C]]] = []
        self._order = count(0, -1)

    def add(self, obligation: Obligation[C]) -> None:
        heappush(self._heap, (obligation.level, obligation.rank, next(self._order), obligation))

    def pop(self) -> Obligation[C]:
        return heappop(self._heap)[3]

    def __len__(self) -> int:
        return len(self._heap)
