"""Running the workers: time slices, limits, and the first confirmed answer.

With more configurations than cores, workers take turns: a turn ends after its slice, which
doubles with every round, so quick answers come quickly and long runs lose little.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait

from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.run import confirm
from revet.engines.registry import engine
from revet.events import BoundReached, Event, Note, Observer, Tick, Turn, ignore
from revet.frontends.program import Program
from revet.model.circuit import Circuit
from revet.portfolio.configuration import Configuration
from revet.portfolio.worker import Worker
from revet.result.serialize import load_verdict
from revet.result.verdict import Safe, Unknown, Verdict
from revet.smt import load_library

_FIRST_SLICE = 2.0
_GRACE = 0.7  # seconds a worker may take to end by itself after its deadline


@dataclass(frozen=True, slots=True)
class Limits:
    """For the whole family of processes. ``memory`` in bytes, per worker."""

    seconds: float | None = None
    memory: int | None = None
    jobs: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))
    verbose: bool = False  # every event comes through, for --log


def run_portfolio(
    program: Program,
    configurations: Sequence[Configuration],
    limits: Limits,
    observe: Observer = ignore,
) -> Answer:
    """The first confirmed answer of any configuration, or *unknown* with all their reasons."""
    _preload(configurations[: limits.jobs], isinstance(program.model, Circuit))
    start = time.monotonic()
    answer = _first_confirmed(program, configurations, limits, observe)
    if answer.status == "safe" and program.open_ends:
        # The errors are not reachable in the model; is everything in the model that can run?
        left = None if limits.seconds is None else limits.seconds - (time.monotonic() - start)
        closed = program.closed()
        again = _first_confirmed(closed, configurations, replace(limits, seconds=left), observe)
        again.program, again.seconds = program, time.monotonic() - start
        if again.status != "safe":
            ends = ", ".join(location.name for location in program.open_ends)
            again.verdict = Unknown(f"no violation in the model, which ends at {ends}")
            again.checked = None
        return again
    return answer


def _first_confirmed(
    program: Program,
    configurations: Sequence[Configuration],
    limits: Limits,
    observe: Observer,
) -> Answer:
    run = _Run(program, configurations, limits, observe)
    try:
        return run.answer()
    finally:
        run.kill_all()


def _preload(configurations: Sequence[Configuration], circuit: bool) -> None:
    """Import once what the first workers and the check will all need: forks share it."""
    if not circuit:  # most work on circuits is a SAT solver's
        load_library()
    for configuration in configurations:
        engine(configuration.engine).load()


class _Run:
    def __init__(
        self,
        program: Program,
        configurations: Sequence[Configuration],
        limits: Limits,
        observe: Observer,
    ) -> None:
        self.program = program
        self.waiting = list(configurations)
        self.limits = limits
        self.observe = observe
        self.budget = Budget(limits.seconds)
        self.start = time.monotonic()
        self.running: list[Worker] = []
        self.suspended: list[Worker] = []
        self.turn_ends: dict[Worker, float] = {}
        self.slice = _FIRST_SLICE
        self.reasons: dict[str, str] = {}
        self.bound: int | None = None

    def answer(self) -> Answer:
        while True:
            self._fill()
            if not self.running:
                return self._unknown()
            remaining = self.budget.remaining()
            if remaining is not None and remaining <= 0 and self._overdue():
                self.reasons.setdefault("time", "time is up")
                return self._unknown()
            turn = min(self.turn_ends.values()) - time.monotonic() if self._contended else 1.0
            timeout = max(0.01, min(turn, 1.0 if remaining is None else max(remaining, 0.05)))
            by_connection = {worker.connection: worker for worker in self.running}
            for connection in wait(list(by_connection), timeout):
                answer = self._receive(by_connection[connection])  # type: ignore[index]
                if answer is not None:
                    return answer
            self._rotate()
            self.observe(Tick("portfolio", remaining))

    @property
    def _contended(self) -> bool:
        return bool(self.waiting or self.suspended)

    def _overdue(self) -> bool:
        assert self.limits.seconds is not None
        return time.monotonic() > self.start + self.limits.seconds + _GRACE

    def _fill(self) -> None:
        """Give free slots to workers that have not run yet, then to those that wait."""
        while len(self.running) < self.limits.jobs and self._contended:
            if self.budget.exhausted:
                return
            if self.waiting:
                worker = Worker(
                    self.program,
                    self.waiting.pop(0),
                    self.budget.remaining(),
                    self.limits.memory,
                    self.limits.verbose,
                )
            else:
                worker = self.suspended.pop(0)
                worker.resume()
            self.running.append(worker)
            self.turn_ends[worker] = time.monotonic() + self.slice
            self.observe(Turn(worker.name, "runs"))

    def _rotate(self) -> None:
        """End the turns that are over, when somebody waits for the slot."""
        if not self._contended:
            return
        now = time.monotonic()
        for worker in list(self.running):
            if now >= self.turn_ends[worker] and self._contended:
                if not self.waiting:
                    self.slice *= 1.5
                worker.suspend()
                self.observe(Turn(worker.name, "waits"))
                self.running.remove(worker)
                del self.turn_ends[worker]
                self._fill()
                self.suspended.append(worker)

    def _receive(self, worker: Worker) -> Answer | None:
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._drop(worker, "the process died (out of memory?)")
            return None
        match message:
            case ("event", event):
                worker.last_event = event
                self._note(event)
                self.observe(event)
                return None
            case ("failed", text):
                self._drop(worker, text)
                return None
            case ("verdict", data, statistics):
                worker.statistics = statistics
                verdict = load_verdict(data, self.program.model)
                return self._conclude(worker, verdict)
        return None

    def _note(self, event: Event) -> None:
        if isinstance(event, BoundReached):
            self.bound = max(self.bound or 0, event.depth)

    def _conclude(self, worker: Worker, verdict: Verdict) -> Answer | None:
        """Confirm a worker's verdict while the others stand still."""
        if isinstance(verdict, Unknown):
            if verdict.bound is not None:
                self.bound = max(self.bound or 0, verdict.bound)
            self._drop(worker, verdict.reason)
            return None
        others = [other for other in self.running if other is not worker]
        for other in others:
            other.suspend()
        verdict, checked = confirm(self.program, verdict, self.budget)
        if isinstance(verdict, Unknown):
            self.observe(Note(worker.name, verdict.reason))
            self._drop(worker, verdict.reason)
            for other in others:
                other.resume()
            return None
        self.observe(Turn(worker.name, "answers", "safe" if isinstance(verdict, Safe) else "unsafe"))
        seconds = time.monotonic() - self.start
        return Answer(
            self.program, verdict, worker.configuration.engine, checked, seconds, worker.statistics
        )

    def _drop(self, worker: Worker, reason: str) -> None:
        self.reasons[worker.name] = reason
        self.observe(Turn(worker.name, "ended", reason))
        self.running.remove(worker)
        self.turn_ends.pop(worker, None)
        worker.kill()

    def _unknown(self) -> Answer:
        if len(set(self.reasons.values())) == 1:
            reason = next(iter(self.reasons.values()))
        else:
            reason = "; ".join(f"{name}: {text}" for name, text in self.reasons.items())
        seconds = time.monotonic() - self.start
        stats = self.running[0].statistics if self.running else None
        verdict = Unknown(reason or "nothing ran", self.bound)
        answer = Answer(self.program, verdict, "portfolio", None, seconds)
        if stats is not None:
            answer.stats = stats
        return answer

    def kill_all(self) -> None:
        for worker in (*self.running, *self.suspended):
            worker.kill()
