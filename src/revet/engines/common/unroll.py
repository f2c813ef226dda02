"""Time frames of a circuit in one SAT solver, from any state: for the step of k-induction.

Each frame is a renamed copy of the clauses of :mod:`revet.model.circuit_cnf`. A latch needs no
variable of its own after the first frame: it *is* the literal of its next state in the frame
before. (Frames from the initial states have more to fold: :mod:`revet.engines.common.frames`.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.smt.sat import Sat

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.model.circuit_cnf import Step
    from revet.smt.sat import SatClock


class Unrolling:
    """Frames 0 … ``last``. Constraints hold in all of them."""

    def __init__(self, step: Step, context: Context, clock: SatClock) -> None:
        self.step = step
        self.sat = Sat((), context.budget, clock)
        self._variables = 0
        self._maps: list[list[int]] = []  # the literal of x in frame t is _maps[t][x], also for -x
        self.extend()

    def extend(self) -> None:
        """One more frame."""
        step = self.step
        size = step.variables
        latches = self._latches()
        first = self._variables + 1
        others = list(range(first, first + size - step.latches))
        self._variables += size - step.latches
        literals = [*latches, *others]
        renamed = [0, *literals, *(-x for x in reversed(literals))]
        self._maps.append(renamed)
        add = self.sat.add
        for clause in step.clauses:
            add([renamed[x] for x in clause])
        for literal in step.constraints:
            add([renamed[literal]])

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables

    def _latches(self) -> list[int]:
        if self._maps:
            before, after = self._maps[-1], self.step.next
            return [before[after[n]] for n in range(1, self.step.latches + 1)]
        self._variables = self.step.latches
        return list(range(1, self.step.latches + 1))

    def bad(self, frame: int) -> int:
        return self._maps[frame][self.step.bad]

    def forbid_repeated(self) -> bool:
        """If the model has the same state twice, forbid that; says whether it did."""
        model = self.sat.model()
        seen: dict[tuple[bool, ...], int] = {}
        found = False
        for frame, literals in enumerate(self._maps):
            row = literals[1 : self.step.latches + 1]
            state = tuple([(model[abs(x) - 1] > 0) == (x > 0) for x in row])
            if state in seen:
                self._differ(seen[state], frame)
                found = True
            seen.setdefault(state, frame)
        return found

    def _differ(self, first: int, second: int) -> None:
        some = []
        for n in range(1, self.step.latches + 1):
            x, y = self._maps[first][n], self._maps[second][n]
            if x == y:
                continue
            d = self._fresh()
            self.sat.add([-d, x, y])
            self.sat.add([-d, -x, -y])
            some.append(d)
        self.sat.add(some)
