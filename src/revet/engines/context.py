"""What an engine is given besides the model: time, an audience, statistics, news."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from revet.budget import Budget
from revet.events import Observer, ignore
from revet.logic.terms import Term
from revet.model.cfa import Location
from revet.records import Record


class Meter(Protocol):
    """A backend that counts what it is asked."""

    queries: int
    seconds: float


@dataclass
class Statistics:
    """Counters (queries, lemmas, predicates …) and seconds by phase, printed by ``--stats``."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add_seconds(name, time.perf_counter() - start)

    @contextmanager
    def solving(self, meter: Meter) -> Iterator[None]:
        """Add what a backend was asked meanwhile, however the work ends."""
        queries, seconds = meter.queries, meter.seconds
        try:
            yield
        finally:
            self.counts["queries"] += meter.queries - queries
            self.add_seconds("solver", meter.seconds - seconds)

    def add_seconds(self, name: str, seconds: float) -> None:
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


class Fact(Record):
    """A formula that holds in every reachable state (at a location), says another engine. Prove
    it again before use: then it is part of the proof, and nothing depends on who said it."""

    formula: Term
    location: Location | None = None


def no_news() -> list[Fact]:
    return []


def no_predicates() -> list[Term]:
    return []


def no_bound() -> int:
    return -1


@dataclass
class Context:
    """``news`` returns the facts that arrived since it was last called; engines that can use
    invariants from outside ask now and then.

    ``predicates``: all that other engines' refinements have found so far; any use of them is sound.

    ``bound``: no run of at most so many steps violates the property, says another engine. It saves
    a search whose result the checker of certificates makes again."""

    budget: Budget = field(default_factory=Budget)
    observe: Observer = ignore
    stats: Statistics = field(default_factory=Statistics)
    news: Callable[[], list[Fact]] = no_news
    predicates: Callable[[], list[Term]] = no_predicates
    bound: Callable[[], int] = no_bound
