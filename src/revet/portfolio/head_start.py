"""A small circuit's first configuration runs in this process, for a fifth of a second at most.

Most circuits need no longer, and then two processes (a worker, and the checker of what it says), the
modules that make and hear them and the pages that they copy would cost more than the answer did
(decision 52). If it does take longer, the process forks in the middle of the engine's work: the child
is a worker and goes on with it, the parent leaves the engine by an exception and becomes the portfolio
that listens to the worker and starts the others. Nothing is done twice.

What is not plain is left to the portfolio, which then begins as if nothing had been: an engine that
gives up or fails, evidence that is refused or takes long to check.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.driver.answer import Answer, Participant
from revet.driver.options import parse_options
from revet.driver.run import confirm, run_engine
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.events import Turn
from revet.model.circuit import Circuit
from revet.portfolio.limits import HEAD_START
from revet.portfolio.sender import Sender
from revet.result.verdict import Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.engines.common.context import Statistics
    from revet.events import Event, Observer
    from revet.frontends.program import Program
    from revet.portfolio.channel import Channel
    from revet.portfolio.configuration import Configuration
    from revet.portfolio.interrupt import Interrupt
    from revet.portfolio.limits import Limits
    from revet.portfolio.worker import Worker
    from revet.result.verdict import Verdict

_LARGEST = 60_000
"""Gates: on larger circuits the reductions alone, which nothing interrupts, take longer."""
_CHECK = 1.0
"""Seconds for the check of the evidence; most take a hundredth of that."""
_LEAST_SECONDS, _LEAST_MEMORY = 1.0, 256 << 20
"""Narrower limits are for processes that can be killed."""


class _HandedOver(BaseException):
    """Takes the parent out of the engine. No engine shall catch it: it is no ``Exception``."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker


def has_head_start(
    program: Program, configurations: Sequence[Configuration], limits: Limits
) -> bool:
    return (
        isinstance(program.model, Circuit)
        and program.model.gates <= _LARGEST
        and bool(configurations)
        and not configurations[0].team  # it would not hear the others
        and engine(configurations[0].engine).circuits
        and (limits.seconds is None or limits.seconds >= _LEAST_SECONDS)
        and (limits.memory is None or limits.memory >= _LEAST_MEMORY)
    )


def confirmed_here(
    program: Program, claim: Verdict, how: Configuration, stats: Statistics, budget: Budget, start: float
) -> Answer | None:
    """The answer of a configuration that ran in this process, if its evidence is accepted."""
    verdict, checked = confirm(program, claim, budget)
    if isinstance(verdict, Unknown):
        return None
    answer = Answer(program, verdict, how.engine, checked)
    answer.seconds = time.monotonic() - start
    answer.stats = stats
    import resource

    memory, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, time.process_time()
    answer.participants = (Participant(how.name, answer.engine, answer.status, stats, cpu, memory),)
    answer.peak_memory = memory
    return answer


class HeadStart(Budget):
    """The engine's budget: its polls are the places where the work changes hands."""

    def __init__(
        self,
        program: Program,
        configuration: Configuration,
        limits: Limits,
        observe: Observer,
        interrupt: Interrupt | None,
    ) -> None:
        super().__init__(limits.seconds)
        self.program = program
        self.configuration = configuration
        self.limits = limits
        self.observe = observe
        self.interrupt = interrupt
        self.sender = Sender(self._hear, configuration.name, limits.verbose)
        self.context = Context(self, self.sender)
        self.start = time.monotonic()
        # Seconds of work: others may keep the machine busy. But nobody shall wait for long.
        self._until, self._latest = time.process_time() + HEAD_START, self.start + 5 * HEAD_START
        self._channel: Channel | None = None  # to the parent, once this is a worker

    def run(self) -> Answer | Worker | None:
        """An answer, a worker that goes on, or None: let the portfolio begin."""
        self.observe(Turn(self.configuration.name, "runs"))
        how = self.configuration
        try:
            options = parse_options(engine(how.engine), how.options)
            outcome: Verdict | Exception = run_engine(
                self.program, how.engine, options, self.context, how.preparation
            )
            self.sender.progress()
        except _HandedOver as over:
            return over.worker
        except Exception as error:
            outcome = error
        if self._channel is not None:
            self._end_as_worker(self._channel, outcome)
        return None if isinstance(outcome, (Exception, Unknown)) else self._confirmed(outcome)

    def _hear(self, message: tuple[str, Event]) -> None:
        event = message[1]
        name = self.configuration.name
        self.observe(event if event.engine == name else replace(event, engine=name))

    def _confirmed(self, claim: Verdict) -> Answer | None:
        stats = self.context.stats
        answer = confirmed_here(self.program, claim, self.configuration, stats, Budget(_CHECK), self.start)
        if answer is not None:
            self.observe(Turn(self.configuration.name, "answers", answer.status))
        return answer

    # ------------------------------------------------------------------ when it takes longer

    def poll(self) -> None:
        super().poll()
        if self._channel is None and (
            time.process_time() >= self._until or time.monotonic() >= self._latest or self._interrupted
        ):
            self._hand_over()

    @property
    def _interrupted(self) -> bool:
        return self.interrupt is not None and self.interrupt.happened

    def _hand_over(self) -> None:
        from revet.portfolio.worker import Worker, report_regularly

        limits = self.limits
        worker = Worker(
            self.program, self.configuration, limits.seconds, limits.memory, limits.verbose, here=True
        )
        if worker.pid:
            raise _HandedOver(worker)
        self._channel = worker.channel
        self.sender.post = worker.channel.send
        report_regularly(worker.channel, self.context.stats)

    def _end_as_worker(self, channel: Channel, outcome: Verdict | Exception) -> None:
        """Never returns: above this there is only what the parent does."""
        from revet.portfolio.channel import Gone
        from revet.portfolio.worker import tell

        code = 1
        try:
            tell(channel, self.program, self.context.stats, outcome)
            code = 0
        except Gone:
            pass
        finally:
            os._exit(code)
