"""The shape of an automaton, and which location of an old one is which of a new one.

Front ends name locations after lines and count statements within them: one line more, and all names
behind it are different. So an outline keeps, in the program's order, each location's name without its
numbers and a digest of what its outgoing edges do, and :func:`matching` aligns two such sequences as
``diff`` aligns the lines of two texts. What was edited is aligned by names alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from revet.model.cfa import Cfa, Edge, Location

_NUMBER = re.compile(r"\d+")
_ALIGNED = 4000
"""Aligning is quadratic at worst; larger automata are matched by name only."""


@dataclass(frozen=True)
class Outline:
    """``skeleton`` has the locations and edges of the automaton; read back, it has nothing else."""

    skeleton: Cfa
    marks: tuple[str, ...]

    @classmethod
    def of(cls, cfa: Cfa) -> Outline:
        return cls(cfa, tuple(_mark(cfa, location) for location in cfa.locations))

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Outline:
        places = tuple(Location(name) for name in data["names"])
        edges = tuple(Edge(places[source], places[target]) for source, target in data["edges"])
        skeleton = Cfa((), places, edges, places[data["initial"]])
        if len(data["marks"]) != len(places):
            raise ValueError("not an outline")
        return cls(skeleton, tuple(data["marks"]))

    def data(self) -> dict[str, Any]:
        numbers = {location: n for n, location in enumerate(self.skeleton.locations)}
        return {
            "names": [location.name for location in self.skeleton.locations],
            "marks": list(self.marks),
            "edges": [[numbers[edge.source], numbers[edge.target]] for edge in self.skeleton.edges],
            "initial": numbers[self.skeleton.initial],
            "variables": [[variable.name, variable.sort.name] for variable in self.skeleton.variables],
            "precondition": str(self.skeleton.precondition),
        }


def _mark(cfa: Cfa, location: Location) -> str:
    digest = hashlib.blake2b(digest_size=9)
    for edge in cfa.outgoing[location]:
        digest.update(str(edge).encode())
        digest.update(b"\0")
    return f"{_plain(location)} {digest.hexdigest()}"


def _plain(location: Location) -> str:
    return _NUMBER.sub("", location.name)


def matching(old: Outline, new: Outline) -> dict[Location, Location]:
    """Old locations with their counterparts; no new location occurs twice."""
    before, after = old.skeleton.locations, new.skeleton.locations
    found: dict[Location, Location] = {}
    if max(len(before), len(after)) <= _ALIGNED:
        for one, other, equal in _aligned(old.marks, new.marks):
            if equal:
                found.update(zip(before[one], after[other], strict=True))
                continue
            inner = _aligned([_plain(x) for x in before[one]], [_plain(x) for x in after[other]])
            for left, right, alike in inner:
                if alike:
                    found.update(zip(before[one][left], after[other][right], strict=True))
    taken = set(found.values())
    by_name = {location.name: location for location in after}
    for location in before:
        same_name = by_name.get(location.name)
        if location not in found and same_name is not None and same_name not in taken:
            found[location] = same_name
            taken.add(same_name)
    return found


def _aligned(one: Sequence[str], other: Sequence[str]) -> list[tuple[slice, slice, bool]]:
    """Pairs of ranges, and whether they are equal."""
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return [
        (slice(i, j), slice(k, m), tag == "equal") for tag, i, j, k, m in matcher.get_opcodes()
    ]
