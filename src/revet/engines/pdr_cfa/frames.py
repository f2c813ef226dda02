"""Frames: lemmas with a level at each location, delta-encoded.

A lemma is the negation of a blocked cube. It is stored once, at the highest level at which it is
known to hold, behind that level's activation literal; F[i, l] is what the activation literals
of level i and above switch on.
"""

from __future__ import annotations

from collections.abc import Iterator

from revet.logic.core import disjunction, not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.cfa import Location

Cube = tuple[Term, ...]


def clause_of(cube: Cube) -> Term:
    """The lemma that blocks a cube."""
    return disjunction(not_(literal) for literal in cube)


class Frames:
    def __init__(self, locations: list[Location]) -> None:
        self.top = 0
        self._numbers = {location: number for number, location in enumerate(locations)}
        self.lemmas: dict[Location, list[dict[frozenset[Term], Cube]]] = {
            location: [{}] for location in locations
        }
        self._active: dict[tuple[Location, int], Term] = {}

    def open(self) -> None:
        """Add a level on top."""
        self.top += 1
        for levels in self.lemmas.values():
            levels.append({})

    def activation(self, location: Location, level: int) -> Term:
        key = (location, level)
        found = self._active.get(key)
        if found is None:
            found = self._active[key] = var(f"frame!{self._numbers[location]}!{level}", BOOL)
        return found

    def assumptions(self, location: Location, level: int) -> list[Term]:
        """What switches F[level, location] on; levels without lemmas need no literal."""
        levels = self.lemmas[location]
        return [
            self.activation(location, above)
            for above in range(max(level, 0), self.top + 1)
            if levels[above]
        ]

    def blocks(self, location: Location, level: int, cube: Cube) -> bool:
        """Does a lemma of this level or above already exclude the cube, syntactically?"""
        literals = frozenset(cube)
        return any(
            known <= literals
            for lemmas in self.lemmas[location][level:]
            for known in lemmas
        )

    def add(self, location: Location, level: int, cube: Cube) -> None:
        """Record a lemma; lemmas it makes superfluous are forgotten (they stay in the solver)."""
        literals = frozenset(cube)
        for lemmas in self.lemmas[location][: level + 1]:
            for known in [known for known in lemmas if literals <= known]:
                del lemmas[known]
        self.lemmas[location][level][literals] = cube

    def delta(self, location: Location, level: int) -> list[Cube]:
        """The cubes stored exactly at ``level``."""
        return list(self.lemmas[location][level].values())

    def above(self, location: Location, level: int) -> Iterator[Cube]:
        """Everything that holds in F[level, location]: the cubes stored at ``level`` or higher."""
        for lemmas in self.lemmas[location][level:]:
            yield from lemmas.values()

    def fixpoint(self, first: int) -> int | None:
        """The first level i, from ``first`` on, with F_i = F_(i+1) everywhere; None if there is none."""
        levels = range(first, self.top)
        return next((i for i in levels if not any(each[i] for each in self.lemmas.values())), None)
