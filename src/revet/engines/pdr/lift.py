"""From one predecessor state to a cube of predecessors.

Given a state and inputs whose step leads into a target cube (or is bad), find a part of the state
from which, with the same inputs, *every* state does so and satisfies the constraints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.pdr.cones import Cones
from revet.smt.sat import Sat

if TYPE_CHECKING:
    from typing import Protocol

    from revet.engines.common.context import Context
    from revet.engines.pdr import Options
    from revet.engines.pdr.frames import Cube
    from revet.model.circuit import Circuit
    from revet.model.circuit_cnf import Step
    from revet.smt.sat import SatClock

    class Lifter(Protocol):
        def lift(self, state: list[int], inputs: list[int], target: Cube | None) -> Cube:
            """``state`` and ``inputs`` as slices of a model; target None: the bad states."""


class CoreLifter:
    """The step from this state and these inputs cannot miss the target: a core says why."""

    def __init__(self, step: Step, options: Options, context: Context, clock: SatClock) -> None:
        self.step = step
        self._options = options
        self._context = context
        self._clock = clock
        self._start()

    def _start(self) -> None:
        self._solver = Sat((), self._context.budget, self._clock, self._options.solver)
        self._cones = Cones(self.step, self._solver)
        self._bad = self._cones.literal(self.step.bad)
        self._constraints = [self._cones.literal(c) for c in self.step.constraints]
        self._left = 2 * self._options.renew

    def lift(self, state: list[int], inputs: list[int], target: Cube | None) -> Cube:
        if self._left <= 0:
            self._solver.delete()
            self._start()
        self._left -= 1
        solver, cones = self._solver, self._cones
        wanted = [self._bad] if target is None else cones.after(target)
        active = cones.fresh()
        solver.add([-active, *[-x for x in (*wanted, *self._constraints)]])
        if solver.solve([active, *inputs, *state]):
            raise AssertionError("a step is not a function of state and inputs")
        core = solver.core()
        solver.add([-active])
        latches = self.step.latches
        return tuple([x for x in core if -latches <= x <= latches])


class NoLifter:
    """The state itself, with all its latches."""

    def lift(self, state: list[int], inputs: list[int], target: Cube | None) -> Cube:
        return tuple(state)


class TernaryLifter:
    """Try unknown values for latches, many at once: one bit of a number for each attempt.

    A signal is two numbers: in which attempts it can be false, and in which true. First every
    latch alone: what fails alone is needed. Then, of the others, ever longer prefixes at once, up
    to the first that is needed after all; and so on behind it.
    """

    def __init__(self, circuit: Circuit, step: Step) -> None:
        self.circuit = circuit
        self.step = step
        self._goals: list[int] = list(circuit.bad.values())

    def lift(self, state: list[int], inputs: list[int], target: Cube | None) -> Cube:
        circuit = self.circuit
        if target is None:
            wanted = [self._true_goal(state, inputs)]
        else:
            wanted = [circuit.next[abs(x) - 1] ^ (x < 0) for x in target]
        run = _Attempts(circuit, [int(x > 0) for x in inputs], [int(x > 0) for x in state],
                        [*wanted, *circuit.constraints])
        support = run.support
        alone = run.survivors([[n] for n in support], [])
        free = [n for n, fine in zip(support, alone, strict=True) if fine]
        kept = [n for n, fine in zip(support, alone, strict=True) if not fine]
        dropped: list[int] = []
        while free:
            prefixes = [free[: length + 1] for length in range(len(free))]
            fine = run.survivors(prefixes, dropped)
            good = fine.index(False) if False in fine else len(free)
            dropped += free[:good]
            if good < len(free):
                kept.append(free[good])
            free = free[good + 1 :]
        return tuple([state[n] for n in sorted(kept)])

    def _true_goal(self, state: list[int], inputs: list[int]) -> int:
        values = _Attempts(self.circuit, [int(x > 0) for x in inputs], [int(x > 0) for x in state],
                           self._goals)
        return next(goal for goal in self._goals if values.holds(goal))


class _Attempts:
    """Ternary simulation of the cone of some literals, from one state and one set of inputs."""

    def __init__(self, circuit: Circuit, inputs: list[int], latches: list[int], wanted: list[int]) -> None:
        self.circuit = circuit
        self.wanted = wanted
        self.values = [0, *inputs, *latches]
        cone = circuit.cone(wanted)
        first = circuit.first_gate
        self.gates = [
            (g, circuit.left[g - first], circuit.right[g - first])
            for g in range(first, circuit.size) if cone[g]
        ]
        self.support = [n for n in range(circuit.latches) if cone[circuit.first_latch + n]]

    def holds(self, literal: int) -> bool:
        can_be_false, _ = self._simulate([[]], [])
        return not can_be_false[literal >> 1] if not literal & 1 else bool(can_be_false[literal >> 1])

    def survivors(self, attempts: list[list[int]], always: list[int]) -> list[bool]:
        """For each set of latches: are all wanted literals still true if it is unknown?
        ``always`` are unknown in all attempts."""
        zero, one = self._simulate(attempts, always)
        lost = 0
        for literal in self.wanted:
            lost |= (one if literal & 1 else zero)[literal >> 1]
        return [not lost >> lane & 1 for lane in range(len(attempts))]

    def _simulate(self, attempts: list[list[int]], always: list[int]) -> tuple[list[int], list[int]]:
        circuit = self.circuit
        ones = (1 << len(attempts)) - 1
        zero = [0 if value else ones for value in self.values] + [0] * circuit.gates
        one = [ones if value else 0 for value in self.values] + [0] * circuit.gates
        first = circuit.first_latch
        for lane, unknown in enumerate(attempts):
            bit = 1 << lane
            for n in unknown:
                zero[first + n] |= bit
                one[first + n] |= bit
        for n in always:
            zero[first + n] = one[first + n] = ones
        for g, a, b in self.gates:
            x, y = a >> 1, b >> 1
            a0, a1 = (one[x], zero[x]) if a & 1 else (zero[x], one[x])
            b0, b1 = (one[y], zero[y]) if b & 1 else (zero[y], one[y])
            zero[g] = a0 | b0
            one[g] = a1 & b1
        return zero, one
