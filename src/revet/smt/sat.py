"""SAT solvers (python-sat) behind a thin incremental interface: clauses, assumptions, cores, models.

Literals are non-zero integers, as in DIMACS. The interface adds two things to python-sat: a
budget that ends long searches (a search runs in slices of conflicts, and the budget is polled in
between), and a clock, so that engines can say which share of their time is the solver's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

import pysat.solvers

from revet.budget import Budget
from revet.smt.meter import METER

SatName = Literal["minisat22", "glucose4", "maplechrono"]

_CLASSES = {"minisat22": "Minisat22", "glucose4": "Glucose4", "maplechrono": "MapleChrono"}
_SLICE = 4000
"""Conflicts between two looks at the clock: a fraction of a second even on large formulas."""


@dataclass(slots=True)
class SatClock:
    """What all solvers of one engine did together."""

    queries: int = 0
    seconds: float = 0.0


class Sat:
    """One solver. Cores are subsets of the assumptions; models list every variable in order."""

    __slots__ = ("_budget", "_clock", "_solver", "add", "model")

    def __init__(
        self,
        clauses: Iterable[Sequence[int]] = (),
        budget: Budget | None = None,
        clock: SatClock | None = None,
        name: SatName = "minisat22",
    ) -> None:
        self._solver: Any = getattr(pysat.solvers, _CLASSES[name])()
        self._budget = budget or Budget()
        self._clock = clock or SatClock()
        # Bound once: these are called hundreds of thousands of times.
        self.add: Callable[[Sequence[int]], None] = self._solver.add_clause
        self.model: Callable[[], list[int]] = self._solver.get_model
        for clause in clauses:
            self.add(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a model in which the assumptions hold? Raises ``OutOfBudget``."""
        solver, clock = self._solver, self._clock
        start = perf_counter()
        try:
            while True:
                solver.conf_budget(_SLICE)
                answer: bool | None = solver.solve_limited(assumptions)
                if answer is not None:
                    return answer
                self._budget.poll()
        finally:
            clock.queries += 1
            METER.queries += 1
            clock.seconds += perf_counter() - start

    def core(self) -> list[int]:
        """The assumptions that the last search, which found no model, needed."""
        return self._solver.get_core() or []

    def delete(self) -> None:
        """Free the memory now; the solver must not be used again."""
        self._solver.delete()
