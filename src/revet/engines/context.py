"""What an engine is given besides the model: time, an audience, statistics, news."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from revet.budget import Budget
from revet.events import Observer, ignore
from revet.logic.terms import Term
from revet.model.cfa import Location


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
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class Fact:
    """A formula that holds in every reachable state (at a location), says another engine. Prove
    it again before use: then it is part of the proof, and nothing depends on who said it."""

    formula: Term
    location: Location | None = None


def no_news() -> list[Fact]:
    return []


def no_bound() -> int:
    return -1


@dataclass
class Context:
    """``news`` returns the facts that arrived since it was last called; engines that can use
    invariants from outside ask now and then.

    ``bound``: no run of at most so many steps violates the property, says another engine. It saves
    a search whose result the checker of certificates makes again."""

    budget: Budget = field(default_factory=Budget)
    observe: Observer = ignore
    stats: Statistics = field(default_factory=Statistics)
    news: Callable[[], list[Fact]] = no_news
    bound: Callable[[], int] = no_bound
