"""The interpolation service: methods by name, fallback, validation, a guard against divergence."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from revet.budget import Budget, OutOfBudget
from revet.logic.core import and_, conjunction, not_
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import free_vars
from revet.smt.interpolation import methods
from revet.smt.interpolation.divergence import Divergence
from revet.smt.interpolation.methods import smaller_core
from revet.smt.interpolation.problem import Chain, Path
from revet.smt.protocol import SolverError, Status
from revet.smt.z3 import Z3

METHODS: dict[str, Callable[[Chain, Z3, Budget | None], list[Term]]] = {
    "wp": methods.backwards,
    "horn": methods.horn,
    "sp": methods.forwards,
}
# No method may take longer than this for one chain (seconds).
_LIMIT = 5.0


@dataclass
class InterpolationService:
    """Interpolates with the first method of ``order`` that succeeds.

    ``used`` counts successes and failures by method, ``seconds`` the time spent. A method that
    the divergence guard caught enumerating values goes to the end of the order.
    """

    order: list[str]
    straight_first: bool = False
    backend: Z3 = field(default_factory=Z3)
    used: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    divergence: Divergence = field(default_factory=Divergence)

    def sequence(self, formulas: Sequence[Term], budget: Budget | None = None) -> list[Term] | None:
        """See :class:`revet.smt.protocol.Interpolator`."""
        return self._interpolate(Chain.of(formulas), budget)

    def path(self, path: Path, budget: Budget | None = None) -> list[Term] | None:
        """Interpolants for a run that cannot happen: one for each state, over the plain variables."""
        found = self._interpolate(path.sequence(), budget)
        if found is None:
            return None
        return [path.at_state(number, formula) for number, formula in enumerate(found)]

    def demote(self, method: str) -> None:
        """Try the method last from now on."""
        self.order.remove(method)
        self.order.append(method)

    def _interpolate(self, chain: Chain, budget: Budget | None) -> list[Term] | None:
        start = time.perf_counter()
        try:
            sliced = self._slice(chain, budget)
            if sliced is None:
                return None
            for name in self._preferred(sliced):
                found = self._attempt(name, sliced, budget)
                if found is not None:
                    if self.divergence.seen(found):
                        self.demote(name)
                    return found
            return None
        finally:
            self.seconds += time.perf_counter() - start

    def _preferred(self, chain: Chain) -> list[str]:
        """The order; with ``straight_first``, preconditions first where no branch is left.

        On a straight piece of program preconditions are exact, cheap and full of the program's own
        conditions, while Spacer tends to enumerate values; across branches it is the reverse.
        """
        if self.straight_first and chain.is_straight:
            return sorted(self.order, key=lambda name: name != "wp")
        return list(self.order)

    def _slice(self, chain: Chain, budget: Budget | None) -> Chain | None:
        """The chain with only the conjuncts of an unsat core; None if it is satisfiable."""
        solver = self.backend.solver(budget=budget)
        if solver.check(part for parts in chain.parts for part in parts) is not Status.UNSAT:
            return None
        return chain.restricted_to(smaller_core(solver))

    def _attempt(self, name: str, chain: Chain, budget: Budget | None) -> list[Term] | None:
        try:
            with (budget or Budget()).part(_LIMIT) as limit:
                found = METHODS[name](chain, self.backend, limit)
                if is_interpolant(chain, found, self.backend, limit):
                    self.used[name] += 1
                    return found
        except SolverError:
            pass
        except OutOfBudget:
            if budget is not None:
                budget.poll()
        self.used[f"{name} failed"] += 1
        return None


def is_interpolant(chain: Chain, formulas: list[Term], backend: Z3, budget: Budget | None) -> bool:
    """Do the formulas interpolate the chain? One query a cut; never assumed, always asked."""
    if len(formulas) != len(chain.parts) - 1:
        return False
    if any(free_vars(formula) - common for formula, common in zip(formulas, chain.common, strict=True)):
        return False
    solver = backend.solver(budget=budget)
    before = TRUE
    for part, after in zip(chain.parts, [*formulas, FALSE], strict=True):
        solver.push()
        solver.add(and_(before, conjunction(part), not_(after)))
        status = solver.check()
        solver.pop()
        if status is not Status.UNSAT:
            return False
        before = after
    return True
