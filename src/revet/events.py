"""What engines report while they run.

An engine gets an :data:`Observer` and calls it with one of these events. Nothing in an engine
prints; ``--log``, the live view, ``--stats`` and the report are all observers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FrameOpened:
    """PDR opened frame ``level``; BMC and k-induction reached depth ``level``."""

    engine: str
    level: int


@dataclass(frozen=True, slots=True)
class LemmaLearnt:
    """A lemma (a clause over the state variables) now holds up to ``level`` (None: always)."""

    engine: str
    lemma: Any
    level: int | None
    location: str | None = None


@dataclass(frozen=True, slots=True)
class ObligationOpened:
    """A state set that must be shown unreachable within ``level`` steps."""

    engine: str
    level: int
    cube: Any
    location: str | None = None


@dataclass(frozen=True, slots=True)
class PredicateFound:
    """Refinement added a predicate to the abstraction."""

    engine: str
    predicate: Any
    location: str | None = None


@dataclass(frozen=True, slots=True)
class InvariantFound:
    """A formula proved to hold in every reachable state (other engines may use it)."""

    engine: str
    invariant: Any
    location: str | None = None


@dataclass(frozen=True, slots=True)
class BoundReached:
    """No run of at most ``depth`` steps violates the property."""

    engine: str
    depth: int


@dataclass(frozen=True, slots=True)
class Note:
    """Free text for the log: a phase begins, a method is switched."""

    engine: str
    text: str


Event = (
    FrameOpened
    | LemmaLearnt
    | ObligationOpened
    | PredicateFound
    | InvariantFound
    | BoundReached
    | Note
)
Observer = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The observer for when nobody watches."""
