"""What engines report while they run.

An engine gets an :data:`Observer` and calls it with one of these events. Nothing in an engine
prints; ``--log``, the live view, ``--stats`` and the report are all observers.
"""

from __future__ import annotations

from revet.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias


class FrameOpened(Record):
    """PDR opened frame ``level``; BMC and k-induction reached depth ``level``."""

    engine: str
    level: int


class LemmaLearnt(Record):
    """A lemma (a clause over the state variables) now holds up to ``level`` (None: always)."""

    engine: str
    lemma: Any
    level: int | None
    location: str | None = None


class ObligationOpened(Record):
    """A state set that must be shown unreachable within ``level`` steps."""

    engine: str
    level: int
    cube: Any
    location: str | None = None


class PredicateFound(Record):
    """Refinement added a predicate to the abstraction."""

    engine: str
    predicate: Any
    location: str | None = None


class Refined(Record):
    """An abstract counterexample of ``length`` steps was excluded; ``nodes`` of the tree are left."""

    engine: str
    number: int
    length: int
    nodes: int


class TreeBuilt(Record):
    """The abstract reachability tree at the end (a ``revet.engines.cegar.art.Art``)."""

    engine: str
    tree: Any


class InvariantFound(Record):
    """A formula proved to hold in every reachable state (other engines may use it)."""

    engine: str
    invariant: Any
    location: str | None = None


class CandidateFound(Record):
    """A formula that helped one engine and may be an invariant; others prove it before use."""

    engine: str
    formula: Any


class BoundReached(Record):
    """No run of at most ``depth`` steps violates the property."""

    engine: str
    depth: int


class Note(Record):
    """Free text for the log: a phase begins, a method is switched."""

    engine: str
    text: str


class Progress(Record):
    """How far a configuration is: sent by its worker now and then, ever more rarely.

    ``level`` is the frame or depth it works on (None before the first). The counts are totals of
    the run so far.
    """

    engine: str  # the configuration's name: two of them may run the same engine
    level: int | None
    lemmas: int
    predicates: int
    queries: int


class Turn(Record):
    """A configuration begins to run, waits for its next turn, or has ended (``text``: why)."""

    engine: str  # the configuration's name
    state: Literal["runs", "waits", "ended", "answers"]
    text: str = ""


class Tick(Record):
    """The scheduler looked around; ``left`` seconds remain (None: no limit)."""

    engine: str
    left: float | None


class Box(Record):
    """A node of a drawing. ``key`` identifies it; ``kind``: initial, error, covered or nothing."""

    key: str
    title: str
    lines: tuple[str, ...] = ()
    kind: str = ""


class Arrow(Record):
    """An edge of a drawing, between the boxes' keys. ``kind``: covered, run or nothing."""

    source: str
    target: str
    label: str = ""
    kind: str = ""


class Explained(Record):
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
