"""Search in two stages, for a design beside a changed copy of itself.

A query for a run into a violation must also find out where the copies are equal in spite of the change,
which is most of its work. So first only for a run to a state in which some latch differs from its twin
(:mod:`revet.model.twins`): depth by depth, and where the solver refutes that, the twins are one in this
frame and the copies share their gates again (as in SAT sweeping: Kuehlmann, Paruthi, Krohm, Ganai: *Robust
Boolean reasoning for equivalence checking and functional property verification*, TCAD 2002). Then from that
state, which is known in every bit, for a violation. If that is not found soon, from another such state, one
step later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from revet.engines.common.frames import Frames
from revet.events import FrameOpened
from revet.model.circuit import evaluate, successor
from revet.model.twins import twins
from revet.result import CircuitTrace, Unknown, Unsafe
from revet.smt.sat import SatClock

if TYPE_CHECKING:
    from revet.engines.bmc import Options
    from revet.engines.common.context import Context
    from revet.model.circuit import Circuit
    from revet.result import Verdict

_DIFFERENCE = 20_000
"""Conflicts for the question whether twins can differ after so many steps."""
_ONWARD = 20_000
"""Conflicts for the search from one state; there is another one."""
_FURTHEST = 40
"""Steps of that search."""


def search(circuit: Circuit, options: Options, context: Context) -> Verdict:
    latches = range(circuit.first_latch, circuit.first_gate)
    numbers = {name: number for number, name in circuit.names.items() if number in latches}
    pairs = [(numbers[one], numbers[two]) for one, two in twins(numbers)]
    if not pairs:
        return Unknown("no two parts of the circuit have latches of the same names")
    clock = SatClock()
    with context.stats.solving(clock):
        return _Stages(circuit, pairs, options, context, clock).search()


class _Stages:
    """``pairs`` are latches, by their numbers as signals."""

    def __init__(
        self, circuit: Circuit, pairs: list[tuple[int, int]], options: Options, context: Context,
        clock: SatClock,
    ) -> None:
        self.circuit = circuit
        self.pairs = pairs
        self.options = options
        self.context = context
        self.clock = clock
        self.frames = Frames(circuit, context, clock, solver=options.solver)

    def search(self) -> Verdict:
        frames, bound = self.frames, self.options.bound
        while True:
            self.context.budget.poll()
            self.context.observe(FrameOpened("bmc", frames.last))
            start = self._difference()
            found = self._onward(start) if start is not None else None
            if found is not None:
                return Unsafe(found)
            if frames.last == bound:
                return Unknown(f"no violation was found from states within {bound} steps")
            if self.circuit.constraints and not frames.sat.solve():
                return Unknown("the constraints end all runs")
            frames.extend()

    def _difference(self) -> CircuitTrace | None:
        """A run to a state in which some twins differ, in the last frame. If there is none, they are one."""
        frames = self.frames
        different = [pair for pair in self.pairs if frames.differ(*pair)]
        if not different:
            return None
        goal = frames.some_differ(different)
        sat = frames.sat.attempt([goal], _DIFFERENCE)
        if sat:
            self.context.stats.counts["states to go on from"] += 1
            return frames.run(frames.last, "")
        if sat is not None:
            frames.merge(different)
        return None

    def _onward(self, start: CircuitTrace) -> CircuitTrace | None:
        """The run, and on from its last state to a violation."""
        state = list(start.initial)
        for row in start.inputs[:-1]:
            state = successor(self.circuit, evaluate(self.circuit, row, state))
        later = replace(self.circuit, reset=state)
        frames = Frames(later, self.context, self.clock, solver=self.options.solver, loose=True)
        left = _ONWARD
        for depth in range(_FURTHEST):
            self.context.budget.poll()
            before = frames.sat.conflicts
            sat = frames.sat.attempt([frames.within(depth)], left)
            left -= frames.sat.conflicts - before
            if sat:
                rest = frames.trace(depth)
                return CircuitTrace(start.initial, (*start.inputs[:-1], *rest.inputs), rest.violated)
            if sat is None or left <= 0:
                return None
            frames.settle(depth)
            frames.extend()
        return None
