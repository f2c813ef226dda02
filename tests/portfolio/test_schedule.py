"""The scheduler with engines that crash, hang, lie or eat memory."""

from __future__ import annotations

import itertools
import json
import os
import resource
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revet.api import as_program
from revet.driver.answer import Checked
from revet.errors import Contradiction
from revet.events import Event, Turn
from revet.portfolio import Configuration, Limits, confirmation, run_portfolio, schedule
from revet.portfolio.process import memory_of
from tests.portfolio import engines

EXAMPLES = Path(__file__).parents[2] / "examples"
SAFE, UNSAFE = EXAMPLES / "lustre/two_counters.lus", EXAMPLES / "lustre/speed.lus"


def configurations(*names: str) -> list[Configuration]:
    return [Configuration(name, name) for name in names]


@pytest.fixture(autouse=True)
def _engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("liar", "hog", "crasher", "sleeper", "quitter"):
        engines.install(monkeypatch, name, getattr(engines, name))


def test_crashing_and_giving_up_leave_the_others_their_chance() -> None:
    answer = run_portfolio(as_program(SAFE), configurations("crasher", "quitter", "kind"), Limits(60))
    assert answer.status == "safe" and answer.engine == "kind"
    outcomes = {one.name: one.outcome for one in answer.participants}
    assert "ZeroDivisionError" in outcomes["crasher"] and outcomes["quitter"] == "no idea"


def test_nobody_knows() -> None:
    answer = run_portfolio(as_program(SAFE), configurations("crasher", "quitter"), Limits(60))
    assert answer.status == "unknown" and answer.reason is not None
    assert "no idea" in answer.reason and "ZeroDivisionError" in answer.reason
    assert answer.verdict.bound == 3  # type: ignore[union-attr]


def test_a_lie_is_not_believed_and_not_the_end() -> None:
    seen: list[Event] = []
    answer = run_portfolio(as_program(UNSAFE), configurations("liar", "bmc"), Limits(60), seen.append)
    assert answer.status == "unsafe" and answer.engine == "bmc"
    alone = run_portfolio(as_program(UNSAFE), configurations("liar"), Limits(60), seen.append)
    assert alone.status == "unknown" and "not accepted" in str(alone.reason)
    assert any(isinstance(e, Turn) and e.engine == "liar" and "not accepted" in e.text for e in seen)


def test_contradicting_answers_end_loudly_and_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def believe(program: Any, verdict: Any, budget: Any) -> tuple[Any, Checked]:
        time.sleep(1.0)  # long enough for both to be asked about
        return verdict, Checked(True, ("believed",))

    monkeypatch.setattr(confirmation, "confirm_found", believe)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    limits = Limits(60, jobs=2)
    with pytest.raises(Contradiction, match=r"liar: safe.*\n?.*bmc: unsafe|bmc: unsafe.*\n?.*liar: safe"):
        run_portfolio(as_program(UNSAFE), configurations("liar", "bmc"), limits)
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]  # nothing drops into the current folder
    (bundle,) = (tmp_path / "cache" / "revet").iterdir()
    with zipfile.ZipFile(bundle) as kept:
        assert {"safe.json", "unsafe.json", "about.json"} <= set(kept.namelist())
        assert json.loads(kept.read("unsafe.json"))["kind"] == "trace"
        assert json.loads(kept.read("about.json"))["answers"] == {"liar": "safe", "bmc": "unsafe"}


def test_time_is_kept_by_those_who_ignore_it_too() -> None:
    start = time.monotonic()
    answer = run_portfolio(as_program(SAFE), configurations("sleeper", "quitter"), Limits(1.5))
    assert answer.status == "unknown" and time.monotonic() - start < 40  # 2.2 on a quiet machine
    statistics = {one.name: one.stats for one in answer.participants}
    assert statistics["sleeper"].counts["naps"] == 1  # sent while it ran


def test_memory_is_limited_and_the_rest_goes_on() -> None:
    # The limit is for the family, whose head is the process of the tests: large after thousands of them.
    head = memory_of(os.getpid())
    limits = Limits(20, memory=(400 << 20) + head, jobs=2)
    answer = run_portfolio(as_program(SAFE), configurations("hog", "sleeper"), limits)
    assert answer.status == "unknown"
    hog = answer.participants[0]
    assert "memory" in hog.outcome, hog.outcome
    inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # counted in every child's own peak
    assert answer.peak_memory < (600 << 20) + head + inherited
    head = memory_of(os.getpid())
    roomy = Limits(60, memory=(400 << 20) + 3 * head, jobs=2)  # both children copy what they touch
    answer = run_portfolio(as_program(SAFE), configurations("hog", "kind"), roomy)
    assert answer.status == "safe"


def test_more_configurations_than_cores_take_turns() -> None:
    seen: list[Event] = []
    names = ("sleeper", "kind")
    answer = run_portfolio(as_program(SAFE), configurations(*names), Limits(60, jobs=1), seen.append)
    assert answer.status == "safe" and answer.engine == "kind"
    turns = [(event.engine, event.state) for event in seen if isinstance(event, Turn)]
    assert turns[:3] == [("sleeper", "runs"), ("sleeper", "waits"), ("kind", "runs")]


def test_no_process_and_no_descriptor_is_left() -> None:
    before = sorted(os.listdir("/proc/self/fd"))
    run_portfolio(as_program(SAFE), configurations("sleeper", "kind", "crasher"), Limits(60))
    assert sorted(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_everybody_gets_a_fair_share() -> None:
    """A round is over before anybody's turn is much longer than in the round before."""
    engines = [replace(c, name=f"sleeper {n}") for n in range(4) for c in configurations("sleeper")]
    seen: list[Event] = []
    run_portfolio(as_program(SAFE), engines, Limits(9.5, jobs=1), seen.append)
    runs = [event.engine for event in seen if isinstance(event, Turn) and event.state == "runs"]
    assert runs[:8] == [f"sleeper {n}" for n in range(4)] * 2, runs


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_stays_keeps_a_core_if_there_is_another(jobs: int) -> None:
    [sleeper] = configurations("sleeper")
    engines = [replace(sleeper, name=name, stays=name == "stays") for name in ("stays", "first", "second")]
    seen: list[Event] = []
    run_portfolio(as_program(SAFE), engines, Limits(3.5, jobs=jobs), seen.append)
    waits = {event.engine for event in seen if isinstance(event, Turn) and event.state == "waits"}
    assert waits == ({"first", "second"} if jobs == 2 else {"stays", "first", "second"})


def test_after_the_first_round_turns_are_as_long_as_the_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "_FIRST_SLICE", 0.4)
    [sleeper] = configurations("sleeper")
    engines = [replace(sleeper, name="short", share=1.0), replace(sleeper, name="long", share=3.0)]
    begins: list[tuple[str, float]] = []

    def observe(event: Event) -> None:
        if isinstance(event, Turn) and event.state == "runs":
            begins.append((event.engine, time.monotonic()))

    run_portfolio(as_program(SAFE), engines, Limits(4.5, jobs=1), observe)
    turns = [(name, end - start) for (name, start), (_, end) in itertools.pairwise(begins)][:4]
    assert [name for name, _ in turns] == ["short", "long", "short", "long"], turns
    first, second, third, fourth = (seconds for _, seconds in turns)
    assert second < 2 * first, turns
    assert 2 * third < fourth, turns
