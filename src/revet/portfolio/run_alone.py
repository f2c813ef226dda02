"""A program that asks for nothing is run once, in this process, before any other is made.

Such a run is short or it is left to the portfolio, and it mostly decides: two processes, a solver's library
and the turns of the other engines would take longer than the answer. Its evidence is confirmed as always.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from revet.budget import Budget, OutOfBudget
from revet.events import Turn
from revet.frontends.program import Explores, HasOnlyRun
from revet.portfolio.head_start import confirmed_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.driver.answer import Answer
    from revet.events import Observer
    from revet.frontends.program import Program
    from revet.portfolio.configuration import Configuration
    from revet.portfolio.limits import Limits

_LEAST_SECONDS, _LEAST_MEMORY = 1.0, 512 << 20
"""Narrower limits are for processes that can be killed."""


def may_run_alone(program: Program, configurations: Sequence[Configuration], limits: Limits) -> bool:
    """Does the portfolio begin with running the program, because it takes no inputs?"""
    return (
        bool(configurations)
        and configurations[0].engine == "explore"
        and isinstance(program, HasOnlyRun)
        and isinstance(program, Explores)
        and not program.takes_inputs
        and (limits.seconds is None or limits.seconds >= _LEAST_SECONDS)
        and (limits.memory is None or limits.memory >= _LEAST_MEMORY)
    )


def run_alone(program: Program, how: Configuration, limits: Limits, observe: Observer) -> Answer | None:
    """The confirmed answer; None: let the portfolio begin."""
    from revet.engines.common.context import Statistics

    assert isinstance(program, HasOnlyRun)
    start, budget, stats = time.monotonic(), Budget(limits.seconds), Statistics()
    observe(Turn(how.name, "runs"))
    try:
        with stats.phase("engine"):
            claim = program.run_alone(set(program.model.property_names), budget)
    except OutOfBudget:
        return None
    answer = None if claim is None else confirmed_here(program, claim, how, stats, budget, start)
    if answer is not None:
        observe(Turn(how.name, "answers", answer.status))
    return answer
