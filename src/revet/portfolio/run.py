"""The portfolio as a whole: what is loaded before the forks, and what happens at the model's ends."""

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
    start = time.monotonic()

    def left() -> Limits:
        if limits.seconds is None:
            return limits
        return replace(limits, seconds=limits.seconds - (time.monotonic() - start))

    answer = _first_confirmed(program, configurations, left(), observe, interrupt)
    if isinstance(answer.verdict, Safe) and not is_complete(program, answer.verdict, answer.checked):
        # The errors are not reachable in the model; is everything in the model that can run?
        again = _first_confirmed(program.closed(), configurations, left(), observe, interrupt)
        again.program, again.seconds = program, time.monotonic() - start
        if isinstance(again.verdict, Unsafe) and isinstance(again.verdict.trace, InputTrace):
            return again  # a run of the program itself, beyond the model's ends
        if again.status != "safe":
            again.verdict = Unknown(program.beyond())
            again.checked = None
        return again
    return answer


def _first_confirmed(
    program: Program,
    configurations: Sequence[Configuration],
    limits: Limits,
    observe: Observer,
    interrupt: Interrupt | None,
) -> Answer:
    first: Worker | None = None
    start = time.monotonic()
    if has_head_start(program, configurations, limits):
        found = HeadStart(program, configurations[0], limits, observe, interrupt).run()
        if isinstance(found, Answer):
            return found
        first = found
    elif may_run_alone(program, configurations, limits):
        answer = run_alone(program, configurations[0], limits, observe)
        if answer is not None:
            return answer
    from revet.portfolio.schedule import Schedule  # processes, pipes and pickles: not needed before

    head = time.monotonic() - start
    _preload(configurations[: limits.jobs], program.model.of_terms)
    seconds = None if limits.seconds is None else limits.seconds - head
    run = Schedule(program, configurations, replace(limits, seconds=seconds), observe, interrupt)
    try:
        if first is not None:
            run.adopt(first)
        run.begin()
        answer = run.answer()
        answer.seconds += head
        return answer
    finally:
        run.kill_all()
        gc.unfreeze()  # whoever calls again and again wants the garbage collected


def _preload(configurations: Sequence[Configuration], of_terms: bool) -> None:
    """Import once what the first workers and the check will all need: forks share it."""
    if of_terms:  # most work on circuits is a SAT solver's
        load_library()
    for configuration in configurations:
        engine(configuration.engine).load()
