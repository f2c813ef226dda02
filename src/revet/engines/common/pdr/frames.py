"""Frames in delta encoding: a lemma is stored once, at the highest level where it is known to hold.

The frame F_i is the conjunction of the lemmas stored at levels i, i+1, …, infinity; F_0 is the
initial states and holds no lemmas here. A lemma is kept as the *cube* it blocks (the lemma is the
cube's negation). A cube with fewer literals blocks more states, so ``a`` subsumes ``b`` when a's
literals are among b's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

from revet.engines.common.pdr.answers import INFINITY, Level


class Cube(Protocol):
    """A conjunction of literals, known to the frames only as a set."""

    @property
    def members(self) -> frozenset[Any]: ...


C = TypeVar("C", bound=Cube)


class Frames(Generic[C]):
    """Levels 1 … ``top`` and infinity. Ordered throughout: the same run gives the same frames.

    Without ``subsumption``, a lemma replaces and answers for no other than itself."""

    def __init__(self, subsumption: bool = True) -> None:
        self._subsumption = subsumption
        self._deltas: list[dict[C, None]] = [{}]  # index 0 stays empty
        self._always: dict[C, None] = {}
        self._level: dict[C, Level] = {}  # of every cube, which is stored at one level only
        # Each cube under one of its literals: it can subsume only cubes that have it.
        self._under: dict[Any, dict[C, None]] = {}
        self._anchor: dict[C, Any] = {}

    @property
    def top(self) -> int:
        return len(self._deltas) - 1

    def open(self) -> int:
        """Add a frame (true, but for the lemmas at infinity); returns its level."""
        self._deltas.append({})
        return self.top

    def delta(self, level: Level) -> list[C]:
        """The cubes stored exactly at ``level``."""
        return list(self._delta(level))

    def _delta(self, level: Level) -> dict[C, None]:
        return self._always if level == INFINITY else self._deltas[int(level)]

    def above(self, level: Level) -> Iterator[tuple[Level, C]]:
        """Everything that holds in F_level: the cubes stored at ``level`` or higher."""
        yield from ((INFINITY, cube) for cube in self._always)
        if level != INFINITY:
            for number in range(len(self._deltas) - 1, int(level) - 1, -1):
                yield from ((number, cube) for cube in self._deltas[number])

    def blocks(self, cube: C, level: Level) -> bool:
        """Is the cube blocked in F_level by one lemma? (Syntactic: spares a query.)"""
        members = cube.members
        for anchor in (None, *members):
            for lemma in self._under.get(anchor, ()):
                if self._level[lemma] >= level and self._subsumes(lemma.members, members):
                    return True
        return False

    def _subsumes(self, lemma: frozenset[Any], other: frozenset[Any]) -> bool:
        return lemma <= other if self._subsumption else lemma == other

    def add(self, cube: C, level: Level) -> bool:
        """Block ``cube`` up to ``level``; what it subsumes there goes. False: it was known."""
        if self.blocks(cube, level):
            return False
        members = cube.members
        last = self.top if level == INFINITY else int(level)
        for delta in self._deltas[1 : last + 1]:
            for known in [known for known in delta if self._subsumes(members, known.members)]:
                self._forget(known, delta)
        if level == INFINITY:
            for known in [known for known in self._always if self._subsumes(members, known.members)]:
                self._forget(known, self._always)
        self._delta(level)[cube] = None
        self._level[cube] = level
        anchor = min(members, key=lambda each: len(self._under.get(each, ())), default=None)
        self._anchor[cube] = anchor
        self._under.setdefault(anchor, {})[cube] = None
        return True

    def remove(self, cube: C, level: Level) -> None:
        if cube in self._delta(level):
            self._forget(cube, self._delta(level))

    def _forget(self, cube: C, delta: dict[C, None]) -> None:
        del delta[cube], self._level[cube]
        del self._under[self._anchor.pop(cube)][cube]

    def __contains__(self, entry: tuple[C, Level]) -> bool:
        cube, level = entry
        return cube in self._delta(level)

    def fixpoint(self) -> int | None:
        """The first level i with F_i = F_(i+1), that is, whose delta is empty; None if there is none."""
        for level in range(1, self.top):
            if not self._deltas[level]:
                return level
        return None

    def count(self) -> int:
        return len(self._always) + sum(len(delta) for delta in self._deltas)
