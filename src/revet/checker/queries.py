"""The checker's solver: it remembers what was asserted, and never takes *unknown* for an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from revet.budget import Budget
from revet.checker.report import CheckReport, Condition, Refused
from revet.logic.core import and_, const, eq, not_
from revet.logic.terms import FALSE, Term
from revet.logic.values import Value
from revet.smt.protocol import Model, Solver, SolverFactory, Status

# Looks at a model; returns formulas that rule it out, none if it is a real counterexample.
Exclude = Callable[[Model], Sequence[Term]]


class Queries:
    """One incremental solver. A query that it leaves open is tried once more in a fresh one,
    which may simplify more, before the certificate is declared undecided. The solver hears of formulas when
    something is asked: where everything folds, nothing is."""

    def __init__(self, backend: SolverFactory, budget: Budget | None, logic: str | None = None) -> None:
        self._backend = backend
        self._budget = budget
        self._solver: Solver = backend.solver(logic, budget=budget)
        self._asserted: list[Term] = []
        self._told = 0  # so many of them the solver knows
        self._scopes: list[int] = []
        self.status = Status.UNKNOWN
        """The solver's answer to :meth:`may_hold`."""
        self.count = 0

    def add(self, *formulas: Term) -> None:
        """Every step of an unfolding adds something, so the clock is looked at here: claims may be deep."""
        if self._budget is not None:
            self._budget.poll()
        self._asserted += formulas

    def _tell(self) -> None:
        for formula in self._asserted[self._told :]:
            self._solver.add(formula)
        self._told = len(self._asserted)

    def push(self) -> None:
        self._tell()
        self._solver.push()
        self._scopes.append(len(self._asserted))

    def pop(self) -> None:
        self._solver.pop()
        del self._asserted[self._scopes.pop() :]
        self._told = min(self._told, len(self._asserted))

    def may_hold(self, formula: Term) -> bool:
        """False only if the asserted formulas and this one have no model."""
        if self._budget is not None:
            self._budget.poll()
        self.count += 1
        self._tell()
        self.status = self._solver.check([formula])
        return self.status is not Status.UNSAT

    def model(self) -> Model:
        """After :meth:`may_hold` was answered with SAT."""
        return self._solver.model()

    @property
    def reason_unknown(self) -> str:
        return self._solver.reason_unknown

    def values(self, term: Term, under: Term, most: int) -> list[Term] | None:
        """Constants, one of which the term is wherever the asserted formulas and ``under`` hold; None if
        there are more than ``most`` or the solver leaves it open."""
        found: list[Term] = []
        open_ = under
        while self.may_hold(open_):
            if len(found) == most or self.status is not Status.SAT:
                return None
            found.append(const(self.model().value(term), term.sort))
            open_ = and_(open_, not_(eq(term, found[-1])))
        return found

    def require_unsat(
        self,
        formulas: Iterable[Term],
        condition: Condition,
        where: str | Callable[[Model | None], str],
        state: Callable[[Model], Mapping[Term, Value]],
        exclude: Exclude | None = None,
    ) -> None:
        """The asserted formulas and these have no model; else :class:`Refused` is raised.

        ``where`` and ``state`` describe a counterexample (``where`` without one if the solver gave
        up); ``exclude`` may reject it and say by which formulas, which are then asserted.
        """
        def place(model: Model | None) -> str:
            return where if isinstance(where, str) else where(model)

        wanted = list(formulas)
        if FALSE in wanted:
            return
        while True:
            if self._budget is not None:
                self._budget.poll()
            self.count += 1
            self._tell()
            status = self._solver.check(wanted)
            solver = self._solver
            if status is Status.UNKNOWN:
                solver = self._backend.solver(budget=self._budget)
                for formula in (*self._asserted, *wanted):
                    solver.add(formula)
                status = solver.check()
            if status is Status.UNSAT:
                return
            if status is Status.UNKNOWN:
                raise Refused(CheckReport("undecided", condition, f"{place(None)}: {solver.reason_unknown}"))
            model = solver.model()
            ruled_out = exclude(model) if exclude is not None else ()
            if not ruled_out:
                raise Refused(CheckReport("rejected", condition, place(model), state(model)))
            self.add(*ruled_out)
