"""A run of the portfolio that is left and taken up again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from revet.api import as_program
from revet.portfolio import Configuration, Limits, PortfolioRun
from tests.portfolio import engines

SAFE = Path(__file__).parents[2] / "examples/lustre/two_counters.lus"


@pytest.fixture(autouse=True)
def _sleeper(monkeypatch: pytest.MonkeyPatch) -> None:
    engines.install(monkeypatch, "sleeper", engines.sleeper)


def children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def states() -> set[str]:
    return {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in children()}


def come_to(state: str) -> bool:
    """Do all children come to this state? A signal takes a while on a busy machine."""
    end = time.monotonic() + 30
    while states() != {state} and time.monotonic() < end:
        time.sleep(0.05)
    return states() == {state}


def begun(*names: str) -> PortfolioRun:
    return PortfolioRun(as_program(SAFE), [Configuration(name, name) for name in names], Limits(120, jobs=1))


def test_who_is_left_stops_and_goes_on() -> None:
    run = begun("sleeper", "kind")
    try:
        assert run.answer(time.monotonic() + 0.3) is None
        waiting = children()
        assert len(waiting) == 1 and come_to("T") and run.memory() > 0
        time.sleep(1.5)
        answer = run.answer()
        assert answer is not None and answer.status == "safe" and answer.engine == "kind"
        assert [one.name for one in answer.participants] == ["sleeper", "kind"], "nobody began anew"
    finally:
        run.end()
    assert not children()


def test_an_answer_counts_only_the_time_of_its_own_run() -> None:
    run = begun("sleeper")
    try:
        assert run.answer(time.monotonic() + 0.5) is None
        time.sleep(3)
        answer = run.given_up()
        assert answer.status == "unknown" and answer.reason == "time is up" and answer.seconds < 3
    finally:
        run.end()
    assert not children()
