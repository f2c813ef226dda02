"""The portfolio as a whole: what is loaded before the forks, and what happens at the model's ends.

A run may be left for a while, for another question: its workers wait, and keep what they know.
"""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.driver.answer import Answer
from revet.driver.run import is_complete
from revet.engines.registry import engine
from revet.events import ignore
from revet.portfolio.head_start import HeadStart, has_head_start
from revet.portfolio.run_alone import may_run_alone, run_alone
from revet.result.trace import InputTrace
from revet.result.verdict import Safe, Unknown, Unsafe
from revet.smt import load_library

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.events import Observer
    from revet.frontends.program import Program
    from revet.portfolio.configuration import Configuration
    from revet.portfolio.interrupt import Interrupt
    from revet.portfolio.limits import Limits
    from revet.portfolio.schedule import Schedule
    from revet.portfolio.worker import Worker


def run_portfolio(
    program: Program,
    configurations: Sequence[Configuration],
    limits: Limits,
    observe: Observer = ignore,
    interrupt: Interrupt | None = None,
) -> Answer:
    """The first confirmed answer of any configuration, or *unknown* with all their reasons.

    With an ``interrupt``, signals end the run with what is known; without, Ctrl-C raises.
    """
    run = PortfolioRun(program, configurations, limits, observe, interrupt)
    try:
        answer = run.answer()
        assert answer is not None, "it was not to be left"
        return answer
    finally:
        run.end()


class PortfolioRun:
    """A run of the portfolio that may be left, while its workers wait, and taken up again."""

    def __init__(
        self,
        program: Program,
        configurations: Sequence[Configuration],
        limits: Limits,
        observe: Observer = ignore,
        interrupt: Interrupt | None = None,
    ) -> None:
        self.program = program
        self.configurations = configurations
        self.limits = limits
        self.observe = observe
        self.interrupt = interrupt
        self.start = time.monotonic()
        self._seconds = 0.0  # that the run had so far
        self._about = program  # with its open ends among the errors, later
        self._schedule: Schedule | None = None

    @property
    def _left(self) -> Limits:
        if self.limits.seconds is None:
            return self.limits
        return replace(self.limits, seconds=self.limits.seconds - (time.monotonic() - self.start))

    def answer(self, until: float | None = None) -> Answer | None:
        """The answer; None if there is none at the time ``until``."""
        start = time.monotonic()
        found = self._found(until)
        self._seconds += time.monotonic() - start
        if found is not None:
            found.seconds = self._seconds
        return found

    def _found(self, until: float | None) -> Answer | None:
        found = self._first_confirmed(until)
        if found is not None and self._about is not self.program:
            return self._beyond(found)
        if found is None or not isinstance(found.verdict, Safe):
            return found
        if is_complete(self.program, found.verdict, found.checked):
            return found
        # The errors are not reachable in the model; is everything in the model that can run?
        self.end()
        self._about, self._schedule = self.program.closed(), None
        return self._found(until)

    def _beyond(self, closed: Answer) -> Answer:
        """What the answer for the model with its open ends as errors says about the program."""
        closed.program = self.program
        if isinstance(closed.verdict, Unsafe) and isinstance(closed.verdict.trace, InputTrace):
            return closed  # a run of the program itself, beyond the model's ends
        if closed.status != "safe":
            closed.verdict = Unknown(self.program.beyond())
            closed.checked = None
        return closed

    def given_up(self) -> Answer:
        """*Unknown*, with the reasons known so far."""
        if self._schedule is None:
            found = Answer(self.program, Unknown("not asked: time is up"), "portfolio")
        else:
            found = self._schedule.given_up()
            if self._about is not self.program:
                found = self._beyond(found)
        found.seconds = self._seconds
        return found

    def memory(self) -> int:
        """Bytes of all workers together."""
        return self._schedule.memory() if self._schedule is not None else 0

    def end(self) -> None:
        if self._schedule is not None:
            self._schedule.kill_all()
            gc.unfreeze()  # whoever calls again and again wants the garbage collected

    # ------------------------------------------------------------------ one model

    def _first_confirmed(self, until: float | None) -> Answer | None:
        if self._schedule is None:
            found = self._begun()
            if isinstance(found, Answer):
                return found
            self._schedule = found
        return self._schedule.answer(until)

    def _begun(self) -> Answer | Schedule:
        """What needs no other process may answer at once."""
        first: Worker | None = None
        if has_head_start(self._about, self.configurations, self._left):
            found = HeadStart(
                self._about, self.configurations[0], self._left, self.observe, self.interrupt
            ).run()
            if isinstance(found, Answer):
                return found
            first = found
        elif may_run_alone(self._about, self.configurations, self._left):
            answer = run_alone(self._about, self.configurations[0], self._left, self.observe)
            if answer is not None:
                return answer
        from revet.portfolio.schedule import Schedule  # processes, pipes and pickles: not needed before

        limits = self._left
        _preload(self.configurations[: limits.jobs], self._about.model.of_terms)
        run = Schedule(self._about, self.configurations, limits, self.observe, self.interrupt)
        try:
            if first is not None:
                run.adopt(first)
            run.begin()
        except BaseException:
            run.kill_all()
            raise
        return run


def _preload(configurations: Sequence[Configuration], of_terms: bool) -> None:
    """Import once what the first workers and the check will all need: forks share it."""
    if of_terms:  # most work on circuits is a SAT solver's
        load_library()
    for configuration in configurations:
        engine(configuration.engine).load()
