"""Time frames of a circuit in one SAT solver, for BMC and k-induction.

Each frame is a renamed copy of the clauses of :mod:`revet.model.circuit_cnf`. A latch needs no
variable of its own after the first frame: it *is* the literal of its next state in the frame
before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.result import CircuitTrace
from revet.smt.sat import Sat

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.model.circuit_cnf import Step
    from revet.smt.sat import SatClock, SatName


class Unrolling:
    """Frames 0 … ``last``; the first may be initial.

    Constraints hold in all frames, or, if they are ``loose``, only under the assumption that
    :meth:`within` gives, for a run that may end earlier.
    """

    def __init__(
        self, step: Step, context: Context, clock: SatClock, *,
        initial: bool, solver: SatName = "minisat22", loose: bool = False,
    ) -> None:
        self.step = step
        self.sat = Sat((), context.budget, clock, solver)
        self._loose = loose
        self._alive: list[int] = []  # by frame, if loose: the constraints hold in it and all before it
        self._initial = initial
        self._variables = 0
        self._maps: list[list[int]] = []  # the literal of x in frame t is _maps[t][x], also for -x
        self.extend()

    @property
    def last(self) -> int:
        return len(self._maps) - 1

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
        if not self._loose:
            for literal in step.constraints:
                add([renamed[literal]])
        elif step.constraints:
            alive = self._fresh()
            for literal in (*(renamed[c] for c in step.constraints), *self._alive[-1:]):
                add([-alive, literal])
            self._alive.append(alive)
        if len(self._maps) == 1 and self._initial:
            for literal in step.init:
                add([renamed[literal]])

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables

    def within(self, first: int) -> int:
        """A new literal that says: a frame from ``first`` on is bad, and the constraints hold up to it."""
        some, hits = self._fresh(), []
        for frame in range(first, self.last + 1):
            hit = self._fresh()
            self.sat.add([-hit, self.bad(frame)])
            for alive in self._alive[frame : frame + 1]:
                self.sat.add([-hit, alive])
            hits.append(hit)
        self.sat.add([-some, *hits])
        return some

    def settle(self, first: int) -> None:
        """The frames from ``first`` on are not bad: they only matter for later ones."""
        for frame in range(first, self.last + 1):
            self.sat.add([-self.bad(frame)])
        for alive in self._alive[-1:]:
            self.sat.add([alive])

    def _latches(self) -> list[int]:
        if self._maps:
            before, after = self._maps[-1], self.step.next
            return [before[after[n]] for n in range(1, self.step.latches + 1)]
        self._variables = self.step.latches
        return list(range(1, self.step.latches + 1))

    def bad(self, frame: int) -> int:
        return self._maps[frame][self.step.bad]

    def trace(self, earliest: int | None = None) -> CircuitTrace:
        """The run that the solver's model describes, up to the last frame; or to the first bad one from
        ``earliest`` on."""
        model = self.sat.model()
        step = self.step

        def holds(literal: int) -> bool:
            return (model[abs(literal) - 1] > 0) == (literal > 0)

        end = self.last
        if earliest is not None:
            end = next(frame for frame in range(earliest, end + 1) if holds(self.bad(frame)))

        def bits(frame: int, numbers: range) -> tuple[int, ...]:
            literals = [self._maps[frame][n] for n in numbers]
            return tuple(int(holds(x)) for x in literals)

        inputs = range(step.latches + 1, step.latches + step.inputs + 1)
        rows = tuple(bits(frame, inputs) for frame in range(end + 1))
        violated = next(name for name, goal in step.goals.items() if holds(self._maps[end][goal]))
        return CircuitTrace(bits(0, range(1, step.latches + 1)), rows, violated)

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
