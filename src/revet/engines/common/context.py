"""What an engine is given besides the model: time, an audience, statistics, news."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.events import ignore

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from revet.events import Observer
    from revet.logic.terms import Term
    from revet.model.cfa import Location

    class Meter(Protocol):
        """A backend that counts what it is asked."""

        queries: int
        seconds: float


class Counts(dict[str, int]):
    """Counters by name; what was never counted is 0."""

    def __missing__(self, name: str) -> int:
        return 0

    def copy(self) -> Counts:
        return Counts(self)


class Statistics:
    """Counters (queries, lemmas, predicates …) and seconds by phase, printed by ``--stats``."""

    def __init__(self, counts: Counts | None = None, seconds: dict[str, float] | None = None) -> None:
        self.counts = Counts() if counts is None else counts
        self.seconds: dict[str, float] = {} if seconds is None else seconds

    def phase(self, name: str) -> _Phase:
        """``with stats.phase("encode"): …``"""
        return _Phase(self, name)

    def solving(self, meter: Meter) -> _Solving:
        """Add what a backend was asked meanwhile, however the work ends."""
        return _Solving(self, meter)

    def add_seconds(self, name: str, seconds: float) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


class _Phase:
    def __init__(self, stats: Statistics, name: str) -> None:
        self._stats, self._name = stats, name

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *reason: object) -> None:
        self._stats.add_seconds(self._name, time.perf_counter() - self._start)


class _Solving:
    def __init__(self, stats: Statistics, meter: Meter) -> None:
        self._stats, self._meter = stats, meter

    def __enter__(self) -> None:
        self._queries, self._seconds = self._meter.queries, self._meter.seconds

    def __exit__(self, *reason: object) -> None:
        self._stats.counts["queries"] += self._meter.queries - self._queries
        self._stats.add_seconds("solver", self._meter.seconds - self._seconds)


@dataclass(frozen=True)
class Fact:
    """A formula that holds in every reachable state (at a location), says another engine. Prove
    it again before use: then it is part of the proof, and nothing depends on who said it."""

    formula: Term
    location: Location | None = None


@dataclass(frozen=True)
class SharedLemma:
    """A lemma of a colleague that runs the same engine on the same model: it holds up to ``level`` of the
    frames there (None: always). Here it must be shown anew, against one's own frames.

    ``lemma`` is what the engine's :class:`~revet.events.LemmaLearnt` said: a term, or a circuit's cube."""

    lemma: Any
    level: int | None


def no_news() -> list[Fact]:
    return []


def no_lemmas() -> list[SharedLemma]:
    return []


def no_predicates() -> list[Term]:
    return []


def no_bound() -> int:
    return -1


class Context:
    """``news`` returns the facts that arrived since it was last called; engines that can use
    invariants from outside ask now and then.

    ``predicates``: all that other engines' refinements have found so far; any use of them is sound.

    ``bound``: no run of at most so many steps violates the property, says another engine. It saves
    a search whose result the checker of certificates makes again.

    ``lemmas``: what colleagues have learnt since it was last called."""

    def __init__(
        self,
        budget: Budget | None = None,
        observe: Observer = ignore,
        stats: Statistics | None = None,
        news: Callable[[], list[Fact]] = no_news,
        predicates: Callable[[], list[Term]] = no_predicates,
        bound: Callable[[], int] = no_bound,
        lemmas: Callable[[], list[SharedLemma]] = no_lemmas,
    ) -> None:
        self.budget = budget or Budget()
        self.observe = observe
        self.stats = stats or Statistics()
        self.news = news
        self.predicates = predicates
        self.bound = bound
        self.lemmas = lemmas

    def within(self, budget: Budget) -> Context:
        """The same with another budget."""
        return Context(
            budget, self.observe, self.stats, self.news, self.predicates, self.bound, self.lemmas
        )
