"""SAT solvers (python-sat) behind a thin incremental interface: clauses, assumptions, cores, models.

Literals are non-zero integers, as in DIMACS. The interface adds two things to python-sat: a
budget that ends long searches (a search runs in slices of conflicts, and the budget is polled in
between), and a clock, so that engines can say which share of their time is the solver's.

The functions of python-sat's extension module are called directly. Its classes load in five times
the time, and every query through them installs and removes a signal handler; queries are short
(tens of microseconds) and come by the hundred thousand.
"""

from __future__ import annotations

from time import perf_counter
from types import MethodType
from typing import TYPE_CHECKING

import pysolvers

from revet.budget import Budget
from revet.smt.meter import METER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Literal, TypeAlias

SatName: TypeAlias = 'Literal["minisat22", "glucose4", "maplechrono", "cadical195"]'

_PREFIXES = {
    "minisat22": "minisat22", "glucose4": "glucose41", "maplechrono": "maplechrono",
    "cadical195": "cadical195",
}
"""What the extension's functions are called for each solver."""

_SLICE = 4000
"""Conflicts between two looks at the clock: a fraction of a second even on large formulas."""


class SatClock:
    """What all solvers of one engine did together."""

    __slots__ = ("queries", "seconds")

    def __init__(self) -> None:
        self.queries = 0
        self.seconds = 0.0


class _Cadical:
    """Those of CaDiCaL's functions that want other arguments than the other solvers' do."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        self._assumed: list[int] = []

    def search(self, assumptions: Sequence[int], _handler: int, _interrupt: int) -> bool | None:
        self._assumed = list(assumptions)
        status: int = pysolvers.cadical195_solve_lim(self._solver, self._assumed, 0)
        return None if status == 0 else status > 0

    def core(self) -> Any:
        return pysolvers.cadical195_core(self._solver, self._assumed)

    def delete(self) -> None:
        pysolvers.cadical195_del(self._solver, None)


class Sat:
    """One solver. Cores are subsets of the assumptions; models list every variable in order.

    ``model`` and ``core`` may only be called right after a search that found a model, or none.
    """

    __slots__ = (
        "_budget", "_clock", "_core", "_delete", "_limit", "_search", "_solver", "_statistics", "add",
        "model", "prefer",
    )

    def __init__(
        self,
        clauses: Iterable[Sequence[int]] = (),
        budget: Budget | None = None,
        clock: SatClock | None = None,
        name: SatName = "minisat22",
    ) -> None:
        prefix = _PREFIXES[name]

        def function(what: str) -> Callable[..., Any]:
            return MethodType(getattr(pysolvers, f"{prefix}_{what}"), self._solver)

        self._solver: Any = getattr(pysolvers, f"{prefix}_new")()
        self._budget = budget or Budget()
        self._clock = clock or SatClock()
        # Bound once: these are called hundreds of thousands of times.
        self.add: Callable[[Sequence[int]], object] = function("add_cl")
        self.model: Callable[[], list[int]] = function("model")
        # Literals that the search shall try to make true where it is free to choose.
        self.prefer: Callable[[Sequence[int]], object] = function("setphases")
        self._limit = function("cbudget")
        self._statistics: Callable[[], dict[str, int]] = function("acc_stats")
        odd = _Cadical(self._solver) if name == "cadical195" else None
        self._search = odd.search if odd else function("solve_lim")
        self._core = odd.core if odd else function("core")
        self._delete: Callable[[], object] | None = odd.delete if odd else function("del")
        for clause in clauses:
            self.add(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a model in which the assumptions hold? Raises ``OutOfBudget``."""
        clock = self._clock
        start = perf_counter()
        try:
            while True:
                self._limit(_SLICE)
                # The two zeros: install no signal handler, expect no interrupt from a thread.
                answer: bool | None = self._search(assumptions, 0, 0)
                if answer is not None:
                    return answer
                self._budget.poll()
        finally:
            clock.queries += 1
            METER.queries += 1
            clock.seconds += perf_counter() - start

    def attempt(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        """As ``solve``, but gives up with None after so many conflicts."""
        clock = self._clock
        start = perf_counter()
        self._limit(conflicts)
        answer: bool | None = self._search(assumptions, 0, 0)
        clock.queries += 1
        METER.queries += 1
        clock.seconds += perf_counter() - start
        return answer

    def core(self) -> list[int]:
        """The assumptions that the last search, which found no model, needed."""
        return self._core() or []

    @property
    def conflicts(self) -> int:
        """Of all searches of this solver together."""
        return self._statistics()["conflicts"]

    def delete(self) -> None:
        """Free the memory now; the solver must not be used again."""
        if self._delete is not None:
            self._delete()
            self._delete = None

    def __del__(self) -> None:
        self.delete()
