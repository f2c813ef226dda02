"""What engines report while they run.

An engine gets an :data:`Observer` and calls it with one of these events. Nothing in an engine
prints; ``--log``, the live view, ``--stats`` and the report are all observers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias


@dataclass(frozen=True)
class FrameOpened:
    """PDR opened frame ``level``; BMC and k-induction reached depth ``level``."""

    engine: str
    level: int


@dataclass(frozen=True)
class LemmaLearnt:
    """A lemma (a clause over the state variables) now holds up to ``level`` (None: always)."""

    engine: str
    lemma: Any
    level: int | None
    location: str | None = None


@dataclass(frozen=True)
class ObligationOpened:
    """A state set that must be shown unreachable within ``level`` steps."""

    engine: str
    level: int
    cube: Any
    location: str | None = None


@dataclass(frozen=True)
class PredicateFound:
    """Refinement added a predicate to the abstraction."""

    engine: str
    predicate: Any
    location: str | None = None


@dataclass(frozen=True)
class Refined:
    """An abstract counterexample of ``length`` steps was excluded; ``nodes`` of the tree are left."""

    engine: str
    number: int
    length: int
    nodes: int


@dataclass(frozen=True)
class TreeBuilt:
    """The abstract reachability tree at the end (a ``revet.engines.cegar.art.Art``)."""

    engine: str
    tree: Any


@dataclass(frozen=True)
class InvariantFound:
    """A formula proved to hold in every reachable state (other engines may use it)."""

    engine: str
    invariant: Any
    location: str | None = None


@dataclass(frozen=True)
class CandidateFound:
    """A formula that helped one engine and may be an invariant; others prove it before use."""

    engine: str
    formula: Any


@dataclass(frozen=True)
class BoundReached:
    """No run of at most ``depth`` steps violates the property."""

    engine: str
    depth: int


@dataclass(frozen=True)
class Note:
    """Free text for the log: a phase begins, a method is switched."""

    engine: str
    text: str


@dataclass(frozen=True)
class Progress:
    """How far a configuration is: sent by its worker now and then, ever more rarely.

    ``level`` is the frame or depth it works on (None before the first). The counts are totals of
    the run so far.
    """

    engine: str  # the configuration's name: two of them may run the same engine
    level: int | None
    lemmas: int
    predicates: int
    queries: int


@dataclass(frozen=True)
class Turn:
    """A configuration begins to run, waits for its next turn, or has ended (``text``: why)."""

    engine: str  # the configuration's name
    state: Literal["runs", "waits", "ended", "answers"]
    text: str = ""


@dataclass(frozen=True)
class Tick:
    """The scheduler looked around; ``left`` seconds remain (None: no limit)."""

    engine: str
    left: float | None


@dataclass(frozen=True)
class Box:
    """A node of a drawing. ``key`` identifies it; ``kind``: initial, error, covered or nothing."""

    key: str
    title: str
    lines: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True)
class Arrow:
    """An edge of a drawing, between the boxes' keys. ``kind``: covered, run or nothing."""

    source: str
    target: str
    label: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Explained:
    """What the engine knows at this moment, for a person: frames per location, a tree.

    Made only when the engine's option ``explain`` is on. ``text`` reads without the drawing;
    only the last drawing of a run is kept. Plain strings, because it goes through a pipe.
    """

    engine: str
    title: str
    text: str
    boxes: tuple[Box, ...] = ()
    arrows: tuple[Arrow, ...] = ()


Event = (
    FrameOpened
    | LemmaLearnt
    | ObligationOpened
    | PredicateFound
    | Refined
    | TreeBuilt
    | InvariantFound
    | CandidateFound
    | BoundReached
    | Note
    | Progress
    | Turn
    | Tick
    | Explained
)
Observer: TypeAlias = "Callable[[Event], None]"


def ignore(event: Event) -> None:
    """The observer for when nobody watches."""
