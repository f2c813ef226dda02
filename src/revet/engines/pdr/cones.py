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
        self._known: dict[int, int] = {}  # the solver's variable for a gate's
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
        definitions, known = self._step.definitions, self._known
        stack = [abs(x)] if abs(x) in definitions else []
        while stack:
            gate = stack[-1]
            if gate in known:
                stack.pop()
                continue
            clauses = definitions[gate]
            inner = {abs(y) for clause in clauses for y in clause} - {gate}
            unknown = [y for y in inner if y in definitions and y not in known]
            if unknown:
                stack += unknown
                continue
            known[gate] = self.fresh()
            for clause in clauses:
                self._solver.add([self._named(y) for y in clause])
        return self._named(x)

    def _named(self, x: int) -> int:
        return self._known.get(x, x) if x > 0 else -self._known.get(-x, -x)
