"""Running the workers: time slices, limits, and the first confirmed answer.

With more configurations than cores, workers take turns: a turn ends after its slice, and a
worker's next one is longer, so quick answers come quickly and long runs lose little. After the first
round, slices are as long as the configurations' shares say; one that ``stays`` keeps its core, if there is
another. A worker that
claims an answer hands its core to the checker; the others go on meanwhile.

Limits hold for the whole family. Time: workers stop by themselves at the deadline and are killed
a moment later. Memory: each process has the whole limit as its own, and when the family is above
it, the largest worker is killed; the others go on.
"""

from __future__ import annotations

import gc
import math
import os
import select
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.run import is_complete
from revet.events import BoundReached, Note, Tick, Turn
from revet.frontends.program import has_procedures
from revet.portfolio.confirmation import Claim, opposed
from revet.portfolio.exchange import Exchange
from revet.portfolio.limits import HEAD_START
from revet.portfolio.process import memory_of
from revet.portfolio.reasons import LATE, reasons
from revet.portfolio.worker import Worker
from revet.result.serialize import verdict_from_data
from revet.result.verdict import Safe, Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.events import Event, Observer
    from revet.frontends.program import Program
    from revet.portfolio.configuration import Configuration
    from revet.portfolio.interrupt import Interrupt
    from revet.portfolio.limits import Limits

_FIRST_SLICE = 1.0
_LONGER = 1.5  # each turn of a worker is so much longer than its last one
_GRACE = 0.5  # seconds after the deadline in which workers report and evidence is checked
_LAST_MOMENT = 0.7  # seconds after the deadline at which everybody is killed
_MEASURE_EVERY = 0.2


class Schedule:
    """One run of some configurations on a program."""

    def __init__(
        self,
        program: Program,
        configurations: Sequence[Configuration],
        limits: Limits,
        observe: Observer,
        interrupt: Interrupt | None,
    ) -> None:
        self.program = program
        self.waiting = list(configurations)
        self.closing: list[Configuration] = []  # to be run again with the open ends as errors
        self.subjects: dict[Worker, Program] = {}
        self.limits = limits
        self.observe = observe
        self.interrupt = interrupt
        self.budget = Budget(limits.seconds)
        self.start = time.monotonic()
        self.exchange = Exchange(program.model) if limits.exchange and len(configurations) > 1 else None
        self.workers: list[Worker] = []  # all that were ever started, in order
        self.running: list[Worker] = []
        self.suspended: list[Worker] = []
        self.claims: list[Claim] = []  # not yet decided
        self.accepted: list[Claim] = []
        self.turn_ends: dict[Worker, float] = {}
        self.outcomes: dict[str, str] = {}
        self.bound: int | None = None
        self.peak_memory = 0
        self._measured = self.start  # the memory of what ends at once is known from its end
        self._alone_until = self.start + HEAD_START if not program.model.of_terms else 0.0

    # ------------------------------------------------------------------ the loop

    def begin(self) -> None:
        """Start the first workers, and use the time until one of them answers."""
        gc.freeze()  # what is here now stays: no collector need look at it, and forks share its pages
        self._fill()
        self.program.warm()

    def adopt(self, worker: Worker) -> None:
        """One that runs already, and has had its head start; its configuration is not to be started."""
        self.waiting.remove(worker.configuration)
        self._alone_until = 0.0
        self._joined(worker, self.program)
        self.running.append(worker)
        self._turn_begins(worker)

    def answer(self, until: float | None = None) -> Answer | None:
        """Listen to the workers until there is an answer, or no more time. None at the time ``until``: the
        workers wait to be heard again."""
        while not (self._interrupted or self._late(_LAST_MOMENT)):
            if until is not None and time.monotonic() >= until and not (self.claims or self.accepted):
                self._leave()
                return None
            if self.accepted:
                self._end_workers()
                if not any(opposed(self.accepted[0], claim) for claim in self.claims):
                    return self._answer(self.accepted[0])
            self._fill()
            if not self.running and not self.claims:
                return self._unknown()
            if self._late(_GRACE):
                self._end_workers()
            self.observe(Tick("portfolio", self.budget.remaining()))
            for child in self._ready():
                if isinstance(child, Claim):
                    self._settle(child)
                else:
                    self._receive(child)
            self._rotate()
            self._measure()
        if self.accepted:
            return self._answer(self.accepted[0])
        return self._unknown("interrupted" if self._interrupted else LATE)

    def given_up(self) -> Answer:
        """Nobody is heard any more: *unknown*, with the reasons of all."""
        self._end_workers()
        return self._unknown("interrupted" if self._interrupted else None)

    @property
    def _interrupted(self) -> bool:
        return self.interrupt is not None and self.interrupt.happened

    def _late(self, seconds: float) -> bool:
        limit = self.limits.seconds
        return limit is not None and time.monotonic() > self.start + limit + seconds

    def _ready(self) -> list[Worker | Claim]:
        """Wait until a process has something to say, a turn ends or it is time to look around."""
        children: dict[int, Worker | Claim] = {worker.channel.reading: worker for worker in self.running}
        children.update((claim.channel.reading, claim) for claim in self.claims)
        poll = select.poll()
        for number in children:
            poll.register(number, select.POLLIN)
        if self.interrupt is not None:
            poll.register(self.interrupt.descriptor, select.POLLIN)
        pause = _MEASURE_EVERY
        if self._contended and self.turn_ends:
            turn_ends = min(self.turn_ends.values())
            if self._has_head_start:
                turn_ends = min(turn_ends, self._alone_until)
            pause = min(pause, turn_ends - time.monotonic())
        found = poll.poll(max(1.0, 1000 * pause))
        return [children[number] for number, _ in found if number in children]

    # ------------------------------------------------------------------ turns

    @property
    def _contended(self) -> bool:
        return bool(self.waiting or self.closing or self.suspended)

    @property
    def _has_head_start(self) -> bool:
        """The first configuration runs, or its answer is being checked, and the others still wait."""
        return bool(self.running or self.claims) and time.monotonic() < self._alone_until

    def _fill(self) -> None:
        """Give free slots to workers that have not run yet, then to those that wait."""
        while len(self.running) + len(self.claims) < self.limits.jobs and self._contended:
            if self.budget.exhausted or self.accepted or self._has_head_start:
                return
            if self.waiting:
                worker = self._started(self.waiting.pop(0), self.program)
            elif self.closing:
                worker = self._started(self.closing.pop(0), self.program.closed())
            else:
                worker = self.suspended.pop(0)
                worker.resume()
            self.running.append(worker)
            self._turn_begins(worker)
            self.observe(Turn(worker.name, "runs"))

    def _turn_begins(self, worker: Worker) -> None:
        """The first turns are short, since most answers are quick; then the shares count."""
        how = worker.configuration
        if how.stays and self.limits.jobs > 1:
            self.turn_ends[worker] = math.inf
            return
        length = how.share * _LONGER**worker.turns if worker.turns else how.first
        self.turn_ends[worker] = time.monotonic() + _FIRST_SLICE * length
        worker.turns += 1

    def _started(self, configuration: Configuration, program: Program) -> Worker:
        worker = Worker(
            program, configuration, self.budget.remaining(), self.limits.memory, self.limits.verbose
        )
        self._joined(worker, program)
        return worker

    def _joined(self, worker: Worker, program: Program) -> None:
        self.workers.append(worker)
        self.subjects[worker] = program
        if self.exchange is not None and program is self.program:
            self.exchange.join(worker)

    def _rotate(self) -> None:
        """End the turns that are over, when somebody waits for the slot."""
        now = time.monotonic()
        for worker in list(self.running):
            if self._contended and now >= self.turn_ends[worker]:
                self._suspend(worker)
                self._fill()
                self.suspended.append(worker)

    def _leave(self) -> None:
        """Everybody waits; who was in the middle of a turn comes first again."""
        for worker in reversed(self.running):
            self._suspend(worker)
            self.suspended.insert(0, worker)

    def _suspend(self, worker: Worker) -> None:
        worker.suspend()
        self.observe(Turn(worker.name, "waits"))
        self._remove(worker)

    # ------------------------------------------------------------------ messages

    def _receive(self, worker: Worker) -> None:
        """Everything that a worker has said since."""
        for message in worker.channel.receive():
            match message:
                case ("event", event):
                    self._pass_on(worker, event)
                case ("candidates" | "predicates" | "lemmas" as kind, data):
                    if self.exchange is not None:
                        self.exchange.formulas(worker, kind, data)
                case ("statistics", snapshot):
                    worker.snapshot = snapshot
                case ("failed", text, snapshot):
                    worker.snapshot = snapshot
                    self._drop(worker, text)
                    return
                case ("verdict", data, snapshot):
                    worker.snapshot = snapshot
                    self._conclude(worker, data)
                    return
        if worker.channel.closed:
            self._drop(worker, "the process died (out of memory?)")

    def _pass_on(self, worker: Worker, event: Event) -> None:
        if isinstance(event, BoundReached):
            self.bound = max(self.bound or 0, event.depth)
            if self.exchange is not None:
                self.exchange.bound(worker, event.depth)
        if event.engine != worker.name:
            event = replace(event, engine=worker.name)
        self.observe(event)

    def _conclude(self, worker: Worker, data: bytes) -> None:
        """A verdict: reasons are noted, claims are confirmed."""
        verdict = verdict_from_data(data, self.program.model)
        if isinstance(verdict, Unknown):
            if verdict.bound is not None:
                self.bound = max(self.bound or 0, verdict.bound)
            self._drop(worker, verdict.reason)
            return
        subject = self.subjects[worker]
        if isinstance(verdict, Safe) and has_procedures(subject) and not is_complete(subject, verdict):
            # Others may prove it for calls of any depth: they go on, while this one tries to show
            # that the calls are never deeper than the model has them.
            self._drop(worker, "safe where recursive calls are unrolled")
            self.closing.append(worker.configuration)
            return
        left = self.budget.remaining()
        seconds = None if left is None else left + _GRACE
        self.outcomes[worker.name] = "its answer was not confirmed in time"
        self._remove(worker)
        worker.kill()
        self.claims.append(Claim(subject, verdict, worker, seconds, self.limits.memory))

    def _settle(self, claim: Claim) -> None:
        if not claim.settle():
            return
        self.claims.remove(claim)
        if not claim.accepted:
            self.outcomes[claim.worker.name] = claim.reason
            self.observe(Note(claim.worker.name, claim.reason))
            self.observe(Turn(claim.worker.name, "ended", claim.reason))
            return
        for other in self.accepted:
            if opposed(claim, other):
                from revet.portfolio.contradiction import contradiction

                raise contradiction(other, claim)
        self.outcomes[claim.worker.name] = claim.status
        self.accepted.append(claim)
        self.observe(Turn(claim.worker.name, "answers", claim.status))

    # ------------------------------------------------------------------ memory

    def _measure(self) -> None:
        """Look at the family's memory now and then; kill the largest worker when it is too much."""
        now = time.monotonic()
        if now < self._measured + _MEASURE_EVERY:
            return
        if self.exchange is not None:
            self.exchange.flush()
        family: list[Worker | Claim] = [*self.running, *self.suspended, *self.claims]
        used = {child: child.memory() for child in family}
        total = memory_of(os.getpid()) + sum(used.values())
        self.peak_memory = max(self.peak_memory, total)
        if self.limits.memory is not None and total > self.limits.memory and used:
            largest = max(used, key=lambda child: used[child])
            if isinstance(largest, Worker):
                self._drop(largest, "out of memory: the processes together used more than the limit")
            else:
                largest.kill()
                self._settle(largest)
        # A large process takes a while to measure: that must not become the main occupation.
        self._measured = now + 20 * (time.monotonic() - now)

    # ------------------------------------------------------------------ ends

    def _remove(self, worker: Worker) -> None:
        if worker in self.running:
            self.running.remove(worker)
        if worker in self.suspended:
            self.suspended.remove(worker)
        self.turn_ends.pop(worker, None)

    def _drop(self, worker: Worker, outcome: str) -> None:
        self.outcomes[worker.name] = outcome
        self._remove(worker)
        worker.kill()
        self.observe(Turn(worker.name, "ended", outcome))

    def _end_workers(self) -> None:
        why = "another was faster" if self.accepted else LATE
        self.waiting.clear()
        for worker in (*self.running, *self.suspended):
            self._receive(worker)  # the last statistics, perhaps another answer
            if worker in self.running or worker in self.suspended:
                self._drop(worker, why)

    def memory(self) -> int:
        """Bytes of all workers together."""
        return sum(child.memory() for child in (*self.running, *self.suspended, *self.claims))

    def kill_all(self) -> None:
        for child in (*self.running, *self.suspended, *self.claims):
            child.kill()

    def _answer(self, claim: Claim) -> Answer:
        return self._complete(
            Answer(self.program, claim.verdict, claim.worker.configuration.engine, claim.checked),
        )

    def _unknown(self, reason: str | None = None) -> Answer:
        if reason is None and len(set(self.outcomes.values())) == 1:
            reason = next(iter(self.outcomes.values()))
        elif reason is None:
            reason = reasons(self.outcomes)
        verdict = Unknown(reason or "nothing ran", self.bound)
        return self._complete(Answer(self.program, verdict, "portfolio"))

    def _complete(self, answer: Answer) -> Answer:
        """Who took part and what it cost."""
        late = [claim.worker for claim in self.claims] if self.accepted else []
        for worker in (*self.running, *self.suspended, *late):
            self.outcomes[worker.name] = answer.reason or "another was faster"
        self.kill_all()  # now, so that what they used is known
        for worker in self.workers:
            self.peak_memory = max(self.peak_memory, worker.peak_memory)
        answer.participants = tuple(
            worker.participant(self.outcomes.get(worker.name, "")) for worker in self.workers
        )
        answer.peak_memory = self.peak_memory
        answer.seconds = time.monotonic() - self.start
        winner = self.accepted[0].worker if self.accepted else None
        if winner is None and len(self.workers) == 1:
            winner = self.workers[0]
        if winner is not None:
            answer.stats = winner.snapshot.statistics
        return answer
