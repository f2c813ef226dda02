"""Global search in a circuit, forward, with a SAT solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.common.unroll import Unrolling
from revet.events import BoundReached, FrameOpened
from revet.model.circuit_cnf import encode
from revet.result import Exhausted, Safe, Unknown, Unsafe
from revet.smt.sat import SatClock

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.model.circuit import Circuit
    from revet.result import Verdict


def search(circuit: Circuit, context: Context, bound: int | None) -> Verdict:
    clock = SatClock()
    with context.stats.solving(clock):
        return _search(circuit, context, bound, clock)


def _search(circuit: Circuit, context: Context, bound: int | None, clock: SatClock) -> Verdict:
    frames = Unrolling(encode(circuit), context, clock, initial=True)
    while True:
        depth = frames.last
        context.budget.poll()
        context.observe(FrameOpened("bmc", depth))
        # Only constraints can end all runs.
        if circuit.constraints and not frames.sat.solve():
            return Safe(Exhausted(depth))
        if frames.sat.solve([frames.bad(depth)]):
            return Unsafe(frames.trace())
        context.observe(BoundReached("bmc", depth))
        if depth == bound:
            return Unknown(f"no violation within {bound} steps", bound)
        frames.sat.add([-frames.bad(depth)])
        frames.extend()
