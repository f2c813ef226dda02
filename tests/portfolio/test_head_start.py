"""The first configuration on a small circuit: in this process, then in a worker that goes on with it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from revet.api import as_program
from revet.engines import pdr
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.events import Event, FrameOpened, Progress, Turn
from revet.portfolio import Configuration, Limits, head_start, run_portfolio
from revet.portfolio.configuration import CIRCUITS
from revet.portfolio.interrupt import Interrupt
from revet.result import CircuitInvariant, Safe, Unknown, Verdict
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

EXAMPLES = Path(__file__).parents[2] / "examples/aiger"
SAFE, UNSAFE = EXAMPLES / "arbiter.aag", EXAMPLES / "counter.aag"
PDR, BMC = CIRCUITS


def no_fork() -> int:
    raise AssertionError("there is no need for another process")


def swap(monkeypatch: pytest.MonkeyPatch, check: Any) -> None:
    """Engine pdr with another ``check``."""
    monkeypatch.setattr(pdr, "check", check)


@pytest.mark.parametrize(("file", "status"), [(SAFE, "safe"), (UNSAFE, "unsafe")])
def test_a_quick_answer_needs_no_other_process(
    file: Path, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_start, "HEAD_START", 60.0)
    monkeypatch.setattr(os, "fork", no_fork)
    seen: list[Event] = []
    answer = run_portfolio(as_program(file), CIRCUITS, Limits(60), seen.append)
    assert answer.status == status and answer.checked is not None and answer.checked.accepted
    assert [one.name for one in answer.participants] == ["pdr"]
    assert answer.stats.counts["queries"] > 0 and answer.peak_memory > 0
    turns = [(one.state, one.text) for one in seen if isinstance(one, Turn)]
    assert turns == [("runs", ""), ("answers", status)]
    assert any(isinstance(one, FrameOpened) for one in seen) and isinstance(seen[-2], Progress)


@pytest.mark.parametrize(("file", "status"), [(SAFE, "safe"), (UNSAFE, "unsafe")])
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_work_is_handed_over(
    file: Path, status: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head_start, "HEAD_START", 0.0)
    begun: list[int] = []

    def slow(model: Any, options: Any, context: Context) -> Verdict:
        begun.append(os.getpid())
        context.stats.counts["begun here"] = os.getpid()
        context.budget.poll()  # here the process becomes two
        assert os.getpid() != begun[0]
        return original(model, options, context)

    original = pdr.check
    swap(monkeypatch, slow)
    seen: list[Event] = []
    answer = run_portfolio(as_program(file), [PDR], Limits(60, jobs=jobs), seen.append)
    assert answer.status == status and answer.engine == "pdr"
    assert begun == [os.getpid()]  # once, and here
    assert answer.stats.counts["begun here"] == os.getpid() and answer.stats.counts["queries"] > 0
    assert [one.state for one in seen if isinstance(one, Turn)] == ["runs", "answers"]


def test_others_start_when_the_first_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(model: Any, options: Any, context: Context) -> Verdict:
        while True:
            context.budget.poll()
            time.sleep(0.01)

    swap(monkeypatch, endless)
    start = time.monotonic()
    answer = run_portfolio(as_program(UNSAFE), CIRCUITS, Limits(60))
    assert answer.status == "unsafe" and answer.engine == "bmc" and time.monotonic() - start < 30
    outcomes = {one.name: one.outcome for one in answer.participants}
    assert outcomes == {"pdr": "another was faster", "bmc": "unsafe"}
    answer = run_portfolio(as_program(UNSAFE), [PDR], Limits(1.5))
    assert answer.status == "unknown" and answer.seconds >= 1.4


def test_an_interrupt_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(model: Any, options: Any, context: Context) -> Verdict:
        interrupt._note(2, None)
        while True:
            context.budget.poll()
            time.sleep(0.01)

    monkeypatch.setattr(head_start, "HEAD_START", 60.0)
    swap(monkeypatch, interrupted)
    interrupt = Interrupt()
    with interrupt:
        answer = run_portfolio(as_program(UNSAFE), CIRCUITS, Limits(60), interrupt=interrupt)
    assert answer.status == "unknown" and answer.reason == "interrupted"


def test_failures_are_the_portfolios_business(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(model: Any, options: Any, context: Context) -> Verdict:
        raise ZeroDivisionError("on purpose")

    def quit(model: Any, options: Any, context: Context) -> Verdict:
        return Unknown("no idea")

    def lie(model: Any, options: Any, context: Context) -> Verdict:
        return Safe(CircuitInvariant(()))

    for check, said in ((crash, "ZeroDivisionError"), (quit, "no idea"), (lie, "not accepted")):
        swap(monkeypatch, check)
        alone = run_portfolio(as_program(UNSAFE), [PDR], Limits(60))
        assert alone.status == "unknown" and said in str(alone.reason)
        assert run_portfolio(as_program(UNSAFE), CIRCUITS, Limits(60)).engine == "bmc"


def test_an_exception_after_the_fork_is_reported_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(model: Any, options: Any, context: Context) -> Verdict:
        context.budget.poll()
        raise ZeroDivisionError(f"in {os.getpid()}")

    monkeypatch.setattr(head_start, "HEAD_START", 0.0)
    swap(monkeypatch, crash)
    answer = run_portfolio(as_program(UNSAFE), [PDR], Limits(60))
    assert answer.status == "unknown"
    assert "ZeroDivisionError: in " in str(answer.reason) and f"in {os.getpid()}" not in str(answer.reason)


def test_who_has_a_head_start() -> None:
    program = as_program(SAFE)
    bmc = Configuration("bmc", "bmc")
    assert head_start.has_head_start(program, [PDR], Limits(60))
    assert head_start.has_head_start(program, [bmc], Limits())
    assert not head_start.has_head_start(program, [Configuration("spacer", "spacer")], Limits())
    assert not head_start.has_head_start(program, [PDR], Limits(0.5))
    assert not head_start.has_head_start(program, [PDR], Limits(60, memory=64 << 20))
    large = replace(program.model, left=[2] * 70_000, right=[2] * 70_000, bad={"b0": 0})
    assert not head_start.has_head_start(as_program(large), [PDR], Limits(60))
    assert {name for name, info in REGISTRY.items() if info.circuits} == {"pdr", "kind", "bmc"}  # they poll


@pytest.mark.parametrize("seconds", [60.0, 0.0, 0.002])
def test_random_circuits(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_start, "HEAD_START", seconds)
    for seed in range(15):
        circuit = random_circuit(Random(seed), 6)
        answer = run_portfolio(as_program(circuit), CIRCUITS, Limits(60))
        expected = "safe" if shortest_violation(circuit) is None else "unsafe"
        assert answer.status == expected, seed
