"""The clauses of one step in a solver, loaded when a query first speaks of what they define.

Most queries are about a few latches, and most of a large circuit does not matter for them: a solver that has
never heard of the other gates need not assign them.
Latches and inputs keep the numbers of :mod:`revet.model.circuit_cnf`; gates get the next free ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from revet.model.circuit_cnf import Step
    from revet.smt.sat import Sat


class Cones:
    """``last`` is the solver's last variable in use."""

    __slots__ = ("_after", "_known", "_solver", "_step", "last")

    def __init__(self, step: Step, solver: Sat) -> None:
        self._step = step
        self._solver = solver
        self.last = step.latches + step.inputs + 1  # the one that is true
        solver.add([self.last])
        self._known: dict[int, int] = {}  # the solver's literal for a gate's
        self._after = [0] * (2 * step.latches + 1)  # as Step.next; 0: not loaded

    def fresh(self) -> int:
        self.last += 1
        return self.last

    def after(self, cube: Iterable[int]) -> list[int]:
        """The literals of the latches after the step."""
        known = self._after
        return [known[x] or self._load(x) for x in cube]

    def _load(self, x: int) -> int:
        found = self._after[x] = self.literal(self._step.next[x])
        self._after[-x] = -found
        return found

    def literal(self, x: int) -> int:
        """The solver's literal for one of the step, and the clauses of its cone."""
        definitions, below, known = self._step.definitions, self._step.below, self._known
        get, add = known.get, self._solver.add
        stack = [abs(x)] if abs(x) in definitions else []
        while stack:
            gate = stack[-1]
            if gate in known:
                stack.pop()
                continue
            inner = below.get(gate)
            if inner is None:
                used = {abs(y) for clause in definitions[gate] for y in clause} - {gate}
                inner = below[gate] = [y for y in used if y in definitions]
            unknown = [y for y in inner if y not in known]
            if unknown:
                stack += unknown
                continue
            self.last = known[gate] = new = self.last + 1
            known[-gate] = -new
            for clause in definitions[gate]:
                add([get(y, y) for y in clause])
        return get(x, x)
