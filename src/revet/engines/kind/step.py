"""The induction step: k good states in a row are followed by a good one."""

from __future__ import annotations

from revet.budget import Budget
from revet.engines.kind.abstraction import Abstraction
from revet.engines.kind.compression import Compression
from revet.logic.core import not_
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Solver, SolverFactory, Status


class StepCase:
    """A path of ``k`` steps from anywhere; good in all states but the last.

    Invariants kept: the solver holds T (or its abstraction) for steps 0 … k-1, the property for
    states 0 … k-1, the facts for states 0 … k; ``compressed`` says whether a path-compression
    constraint has been added (the certificate must then allow it).
    """

    def __init__(
        self,
        system: TransitionSystem,
        unroller: Unroller,
        backend: SolverFactory,
        budget: Budget,
        *,
        compress: bool,
        abstraction: Abstraction | None,
    ) -> None:
        self.system = system
        self.unroller = unroller
        self.budget = budget
        self.k = 0
        self.compressed = False
        self.facts: list[Term] = []
        self._solver: Solver = backend.solver(budget=budget)
        self._solver.add(unroller.at(system.invariant, 0))
        self._compression = Compression(system, unroller) if compress else None
        self._abstraction = abstraction
        if abstraction is not None:
            abstraction.attach(self._solver)

    def strengthen(self, facts: list[Term]) -> None:
        for fact in facts:
            for step in range(self.k + 1):
                self._solver.add(self.unroller.at(fact, step))
        self.facts += facts

    def extend(self) -> None:
        """One more step: the state that was last is good now."""
        at = self.unroller.at
        self._solver.add(at(self.system.property, self.k))
        if self._abstraction is None:
            self._solver.add(self.unroller.step(self.k))
        else:
            self._abstraction.extend(self.k)
        self.k += 1
        for fact in self.facts:
            self._solver.add(at(fact, self.k))

    def holds(self) -> Status:
        """UNSAT: the step holds for this ``k``. SAT: a real counterexample to induction."""
        bad = not_(self.unroller.at(self.system.property, self.k))
        while True:
            self.budget.poll()
            switched_on = [] if self._abstraction is None else self._abstraction.assumptions()
            status = self._solver.check([bad, *switched_on])
            if status is not Status.SAT:
                return status
            model = self._solver.model()
            if self._compression is not None:
                violated = self._compression.violated(model, self.k)
                if violated:
                    self.compressed = True
                    for constraint in violated:
                        self._solver.add(constraint)
                    continue
            if self._abstraction is not None and self._abstraction.refine(model, self.k):
                continue
            return Status.SAT
