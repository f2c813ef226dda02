"""Global search in a circuit, forward, with a SAT solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.common.frames import Frames
from revet.events import BoundReached, FrameOpened
from revet.result import Exhausted, Safe, Unknown, Unsafe
from revet.smt.sat import SatClock

if TYPE_CHECKING:
    from revet.engines.bmc import Options
    from revet.engines.common.context import Context
    from revet.model.circuit import Circuit
    from revet.result import Verdict

_EASY = 5000
"""Conflicts after which a query takes in the next depth, too: to find what is bad there may be easier than to
refute that anything is here. While refuting is easy, each depth refuted helps with the next."""


def search(circuit: Circuit, options: Options, context: Context) -> Verdict:
    clock = SatClock()
    with context.stats.solving(clock):
        return _search(circuit, options, context, clock)


def _search(circuit: Circuit, options: Options, context: Context, clock: SatClock) -> Verdict:
    """A query for each depth; where one takes long, for several at once: see ``Options.stride``."""
    stride, bound = options.stride, options.bound
    frames = Frames(circuit, context, clock, solver=options.solver, loose=stride > 1)
    first = 0  # no bad state in the frames before it
    while True:
        depth = frames.last
        context.budget.poll()
        context.observe(FrameOpened("bmc", depth))
        # Only constraints can end all runs; so far they are asserted up to here.
        settled = depth if stride == 1 else first - 1
        if circuit.constraints and depth == first and settled >= 0 and not frames.sat.solve():
            return Safe(Exhausted(settled))
        goal = [frames.within(first)]
        may_widen = depth - first + 1 < stride and depth != bound
        sat = frames.sat.attempt(goal, _EASY) if may_widen else frames.sat.solve(goal)
        if sat:
            return Unsafe(frames.trace(first))
        if sat is not None:
            context.observe(BoundReached("bmc", depth))
            if depth == bound:
                return Unknown(f"no violation within {bound} steps", bound)
            frames.settle(first)
            first = depth + 1
        frames.extend()
