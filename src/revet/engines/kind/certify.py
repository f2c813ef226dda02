"""A small certificate: the least k, and only the facts that the proof rests on.

Facts arrive while k grows, so a proof found at k = 17 often needs two facts and k = 1. Here the
step is tried again from k = 1 with every fact behind an assumption; the unsat core names the
facts it used, and the cores of *their* induction steps those that they rest on in turn.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.logic.core import and_, not_, or_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import KInductive
from revet.smt import SolverFactory, Status

_TRIED = 4  # values of k below the one that is known to work


def certificate(
    system: TransitionSystem,
    facts: list[Term],
    k: int,
    *,
    compressed: bool,
    backend: SolverFactory,
    budget: Budget,
) -> KInductive:
    """A k-inductive formula that implies the property; ``facts`` are inductive with it."""
    if facts:
        small = _Smaller(system, facts, backend, budget).find(k)
        if small is not None:
            return small
    return KInductive(and_(system.property, *facts), k, simple_path=compressed)


class _Smaller:
    def __init__(
        self, system: TransitionSystem, facts: list[Term], backend: SolverFactory, budget: Budget
    ) -> None:
        self.system = system
        self.facts = {var(f"fact!{number}", BOOL): fact for number, fact in enumerate(facts)}
        self.switch = {fact: switch for switch, fact in self.facts.items()}
        self.unroller = Unroller(system)
        self.solver = backend.solver(budget=budget)
        self.solver.add(self.unroller.at(system.invariant, 0))
        self._assume(0)

    def _assume(self, step: int) -> None:
        at = self.unroller.at
        for switch, fact in self.facts.items():
            self.solver.add(or_(not_(switch), at(fact, step)))
        self.solver.add(at(self.system.property, step))
        self.solver.add(self.unroller.step(step))

    def find(self, k: int) -> KInductive | None:
        at = self.unroller.at
        needed = None
        for tried in range(1, min(k, _TRIED) + 1):
            if tried > 1:
                self._assume(tried - 1)
            needed = self._core(not_(at(self.system.property, tried)))
            if needed is not None:
                return self._with_support(needed, tried)
        return None

    def _core(self, goal: Term) -> list[Term] | None:
        """Facts that make the goal impossible; None if they do not."""
        if self.solver.check([goal, *self.facts]) is not Status.UNSAT:
            return None
        return [self.facts[switch] for switch in self.solver.core() if switch in self.facts]

    def _with_support(self, needed: list[Term], k: int) -> KInductive | None:
        """Add what the needed facts rest on themselves, until nothing is missing."""
        whole = dict.fromkeys(needed)
        queue = list(whole)
        for fact in queue:
            below = self._core(not_(self.unroller.at(fact, k)))
            if below is None:
                return None
            for other in below:
                if other not in whole:
                    whole[other] = None
                    queue.append(other)
        return KInductive(and_(self.system.property, *whole), k)
