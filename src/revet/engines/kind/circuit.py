"""k-induction for circuits, with a SAT solver; path compression as for systems, lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.common.context import Context
from revet.engines.common.frames import Frames
from revet.engines.common.unroll import Unrolling
from revet.events import BoundReached, FrameOpened
from revet.model.circuit import Circuit
from revet.model.circuit_cnf import encode
from revet.result import CircuitInvariant, Safe, Unknown, Unsafe, Verdict
from revet.smt.sat import SatClock

if TYPE_CHECKING:
    from revet.engines.kind import Options


def induction(circuit: Circuit, options: Options, context: Context) -> Verdict:
    clock = SatClock()
    with context.stats.solving(clock):
        return _induction(circuit, options, context, clock)


def _induction(circuit: Circuit, options: Options, context: Context, clock: SatClock) -> Verdict:
    """At k: no bad state in step k - 1 of a run, then none after k good steps from anywhere."""
    base = Frames(circuit, context, clock)
    induct = Unrolling(encode(circuit), context, clock)
    compressed, k = False, 1
    while options.max_k is None or k <= options.max_k:
        context.budget.poll()
        context.observe(FrameOpened("kind", k))
        with context.stats.phase("base"):
            if base.sat.solve([base.within(k - 1)]):
                return Unsafe(base.trace(k - 1))
            base.settle(k - 1)
            base.extend()
        context.observe(BoundReached("kind", k - 1))
        context.stats.counts["k"] = k
        with context.stats.phase("step"):
            induct.sat.add([-induct.bad(k - 1)])
            induct.extend()
            while induct.sat.solve([induct.bad(k)]):
                if options.compression != "lazy" or not induct.forbid_repeated():
                    break
                compressed = True
            else:
                return Safe(CircuitInvariant((), k, simple_path=compressed))
        k += 1
    return Unknown(f"the property is not {options.max_k}-inductive", k - 2)
