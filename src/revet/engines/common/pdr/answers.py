"""What the solver says about a step from a frame into a cube."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

INFINITY = inf
Level = float  # an int or INFINITY

C = TypeVar("C", covariant=True)
M = TypeVar("M", covariant=True)


@dataclass(frozen=True, slots=True)
class Blocked(Generic[C]):
    """No step from the frame leads into the cube; ``core`` is a part of it for which that is so already.

    ``level``: the highest at which the answer is known to hold, where the query tells.
    """

    core: C
    level: Level = 0


@dataclass(frozen=True, slots=True)
class Reached(Generic[M]):
    """There is such a step; ``by`` is where it starts: a model of it, or predecessors."""

    by: M
