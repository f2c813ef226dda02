"""The portfolio as a whole: what is loaded before the forks, and what happens at the model's ends."""

from __future__ import annotations

import gc
import time

from revet.driver.run import is_complete
from revet.engines.registry import engine
from revet.events import ignore
from revet.model.circuit import Circuit
from revet.portfolio.schedule import Schedule
from revet.records import replace
from revet.result.trace import InputTrace
from revet.result.verdict import Unknown, Unsafe
from revet.smt import load_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.driver.answer import Answer
    from revet.events import Observer
    from revet.frontends.program import Program
    from revet.portfolio.configuration import Configuration
    from revet.portfolio.interrupt import Interrupt
    from revet.portfolio.schedule import Limits


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

    _preload(configurations[: limits.jobs], isinstance(program.model, Circuit))
    answer = _first_confirmed(program, configurations, left(), observe, interrupt)
    if answer.status == "safe" and not is_complete(program, answer.verdict):
        # The errors are not reachable in the model; is everything in the model that can run?
        again = _first_confirmed(program.closed(), configurations, left(), observe, interrupt)
        again.program, again.seconds = program, time.monotonic() - start
        if isinstance(again.verdict, Unsafe) and isinstance(again.verdict.trace, InputTrace):
            return again  # a run of the program itself, beyond the model's ends
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
    interrupt: Interrupt | None,
) -> Answer:
    run = Schedule(program, configurations, limits, observe, interrupt)
    try:
        run.begin()
        return run.answer()
    finally:
        run.kill_all()
        gc.unfreeze()  # whoever calls again and again wants the garbage collected


def _preload(configurations: Sequence[Configuration], circuit: bool) -> None:
    """Import once what the first workers and the check will all need: forks share it."""
    if not circuit:  # most work on circuits is a SAT solver's
        load_library()
    for configuration in configurations:
        engine(configuration.engine).load()
