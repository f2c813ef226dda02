"""What Revet asks of a solver, one protocol per capability.

An engine asks for what it needs (:class:`Solver` for queries under assumptions,
:class:`Projector` for model-based projection, :class:`Eliminator` for quantifier elimination,
:class:`Interpolator` for interpolants) and does not know whose it is.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from revet.smt.errors import SolverError as SolverError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from revet.budget import Budget
    from revet.logic.terms import Term
    from revet.logic.values import Value


class Status(Enum):
    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Model(Protocol):
    """A satisfying assignment; stays valid after further queries."""

    def value(self, term: Term) -> Value:
        """The value of any term; variables that the solver left open get a default value."""

    def valuation(self, variables: Iterable[Term]) -> dict[Term, Value]: ...

    def holds(self, formula: Term) -> bool: ...

    def truths(self, variables: Iterable[Term]) -> list[bool]:
        """The values of Boolean variables that occur in the query: the fast way to read many."""


class Solver(Protocol):
    """An incremental solver: formulas are asserted once, queries vary the assumptions."""

    def add(self, formula: Term) -> None: ...

    def push(self) -> None: ...

    def pop(self) -> None: ...

    def check(self, assumptions: Iterable[Term] = ()) -> Status:
        """Decide the asserted formulas together with the assumptions (any formulas).

        Literals are cheapest; another formula gets a proxy literal once and keeps it.
        Raises :class:`revet.budget.OutOfBudget` when the budget runs out meanwhile.
        """

    def model(self) -> Model:
        """After SAT."""

    def core(self) -> list[Term]:
        """After UNSAT: those of the assumptions that were needed (not minimal)."""

    @property
    def reason_unknown(self) -> str: ...


class SolverFactory(Protocol):
    """A solver context: solvers made by one factory share translated terms.

    ``queries`` counts the checks of all its solvers, ``seconds`` the time inside them.
    """

    queries: int
    seconds: float

    def solver(self, logic: str | None = None, budget: Budget | None = None) -> Solver:
        """A new empty solver; ``logic`` ("QF_LIA", "QF_BV", …) selects a specialised one."""


class Projector(Protocol):
    def project(
        self, variables: Sequence[Term], formula: Term, model: Model, budget: Budget | None = None
    ) -> Term:
        """Model-based projection: a quantifier-free formula without ``variables`` that holds in
        ``model`` and implies ``exists variables. formula``. ``model`` must satisfy ``formula``."""


class Eliminator(Protocol):
    def eliminate(self, variables: Sequence[Term], formula: Term, budget: Budget | None = None) -> Term:
        """A quantifier-free formula equivalent to ``exists variables. formula``.

        Raises :class:`SolverError` when the theory has no elimination."""


class Interpolator(Protocol):
    def sequence(self, formulas: Sequence[Term], budget: Budget | None = None) -> list[Term] | None:
        """For ``A_1 … A_n`` with an unsatisfiable conjunction: ``I_1 … I_(n-1)`` such that
        ``I_(i-1) and A_i`` implies ``I_i`` (``I_0`` true, ``I_n`` false) and ``I_i`` speaks only
        of variables common to both sides of the cut. None when no interpolant was found."""
