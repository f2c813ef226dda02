"""Facts that strengthen the induction while it runs: news from other engines, our own generator.

A fact is used only when it is inductive together with those in use: then the property and all
facts are one certificate that needs no trust in where they came from.
"""

from __future__ import annotations

from revet.budget import Budget, OutOfBudget
from revet.engines.common.context import Context
from revet.events import CandidateFound
from revet.invariants.generator import Generator
from revet.invariants.houdini import SystemHoudini
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.smt import SolverFactory

_GENERATE_FROM = 2
_FIRST_SLICE = 40  # queries for the generator at a k; twice as many each time they did not suffice


class QuerySlice:
    """A part of the budget, counted in queries: the clock would make runs differ from each other."""

    def __init__(self, backend: SolverFactory, queries: int, budget: Budget) -> None:
        self._backend = backend
        self._end = backend.queries + queries
        self._budget = budget

    def poll(self) -> None:
        self._budget.poll()
        if self._backend.queries >= self._end:
            raise OutOfBudget("the slice is used up")


class Strengthening:
    """Collects facts; :meth:`arrived` is asked once for every k.

    The generator may assume the property before a step: what it finds then is inductive only
    together with the property, which is all that the certificate needs.
    """

    def __init__(
        self, system: TransitionSystem, backend: SolverFactory, context: Context, *, generate: bool
    ) -> None:
        self.system = system
        self.backend = backend
        self.context = context
        self._generate = generate
        self._generator: Generator | None = None
        self._waiting: dict[Term, None] = {}
        self._used: dict[Term, None] = {}
        self._houdini: SystemHoudini | None = None
        self._slice = _FIRST_SLICE

    def arrived(self, depth: int) -> list[Term]:
        """Facts that can be used from now on; the generator starts when k = 1 was not enough."""
        facts = self._from_news()
        if self._generate and depth >= _GENERATE_FROM:
            facts += self._generated()
        for fact in facts:
            self._used[fact] = None
        self.context.stats.counts["facts"] += len(facts)
        return facts

    def _generated(self) -> list[Term]:
        if self._generator is None:
            self._generator = Generator(
                self.system, self.backend, self.context.budget, [self.system.property, *self._used]
            )
        if self._generator.exhausted:
            return []
        try:
            found = self._generator.advance(QuerySlice(self.backend, self._slice, self.context.budget))
            for formula in found:
                self.context.observe(CandidateFound("kind", formula))
            return found
        except OutOfBudget:
            self.context.budget.poll()
            self._slice *= 2
            return []

    def _from_news(self) -> list[Term]:
        variables = set(self.system.variables)
        fresh = [fact.formula for fact in self.context.news() if fact.location is None]
        news = [formula for formula in fresh if formula not in self._used and free_vars(formula) <= variables]
        if not news:
            return []
        self._waiting.update(dict.fromkeys(news))
        if self._houdini is None:
            known = [self.system.property]
            self._houdini = SystemHoudini(self.system, self.backend, self.context.budget, known)
        usable = self._houdini.inductive(self._waiting)
        for fact in usable:
            del self._waiting[fact]
            self._houdini.assume(fact)
            if self._generator is not None:
                self._generator.assume(fact)
        return usable
