"""What the workers say about their progress."""

from __future__ import annotations

import itertools
from pathlib import Path

from revet.api import check
from revet.events import Event, Progress, Tick, Turn

LOCK = Path(__file__).parents[2] / "examples" / "spa" / "lock.spa"


def test_a_worker_reports_its_totals() -> None:
    seen: list[Event] = []
    answer = check(LOCK, engine="pdr-cfa", observe=seen.append, timeout=60)
    progress = [event for event in seen if isinstance(event, Progress)]
    assert answer.status == "safe" and progress
    for earlier, later in itertools.pairwise(progress):
        assert earlier.queries <= later.queries and earlier.lemmas <= later.lemmas
    last = progress[-1]
    assert last.engine == "pdr-cfa"
    assert last.level is not None and last.level >= 1
    assert last.queries == answer.stats.counts["queries"]


def test_turns_begin_and_end() -> None:
    seen: list[Event] = []
    check(LOCK, engine="pdr-cfa", observe=seen.append, timeout=60)
    turns = [(event.engine, event.state, event.text) for event in seen if isinstance(event, Turn)]
    assert turns == [("pdr-cfa", "runs", ""), ("pdr-cfa", "answers", "safe")]
    assert any(isinstance(event, Tick) and event.left is not None for event in seen)
