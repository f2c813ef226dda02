"""Evidence about safety games: why the system can go on forever, or why the environment stops it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revet.logic.terms import Term
    from revet.result.trace import State


@dataclass(frozen=True, eq=False)
class Viable:
    """A set of states that has the initial ones, and in which the system can always stay."""

    states: Term


@dataclass(frozen=True, eq=False)
class Region:
    """States from which the environment wins, and its ``moves``, a formula over states and inputs: after one
    of them, whatever the system does leads into an earlier region, if it can do anything."""

    states: Term
    moves: Term


@dataclass(frozen=True, eq=False)
class Losing:
    """Regions in the order in which the environment relies on them, and a run that ends in a deadlock.

    ``states`` are those of the run, one for each of its instants; ``inputs`` and ``outputs`` what the two
    chose. At the last instant the environment chose, and there is no answer to it.
    """

    regions: tuple[Region, ...]
    states: tuple[State, ...]
    inputs: tuple[State, ...]
    outputs: tuple[State, ...]
