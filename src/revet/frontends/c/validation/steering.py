"""Inputs that take a branch no run has taken, by asking a solver.

A run that was made is a sequence of edges; up to a branch where it went one way and nobody has
gone the other, the sequence with the other edge is a formula over the values drawn on the way
(symbolic execution: King, *Symbolic Execution and Program Testing*, 1976; along concrete runs: Godefroid,
Klarlund, Sen, *DART*, 2005). A model of it is a list of inputs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from revet.budget import Budget, OutOfBudget
from revet.frontends.c.image import scalar_value
from revet.frontends.c.interpret.floating import narrow
from revet.frontends.c.types import CType, Floating, Int
from revet.logic.build import var
from revet.logic.core import const
from revet.logic.sorts import FloatSort
from revet.logic.terms import FALSE
from revet.logic.values import default_value
from revet.logic.walk import substitute
from revet.smt import default_backend
from revet.smt.protocol import SolverError, Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from revet.frontends.c.run_inputs import Constants
    from revet.frontends.c.validation.runs import Automaton, ModelRun
    from revet.logic.terms import Term
    from revet.model.cfa import Edge
    from revet.smt.protocol import SolverFactory

_LONGEST = 150  # edges of a path that a solver is asked about
_SECONDS = 0.2  # for one question


class Guessed:
    """Random values near the program's constants; zeros for seed 0."""

    def __init__(self, seed: int, constants: Constants) -> None:
        self._random = random.Random(seed) if seed else None
        self._constants = constants

    def follow(self, step: int) -> Edge | None:
        return None

    def value(self, step: int, number: int, function: str, type: CType) -> Any:
        choose = self._random
        if choose is None and number < 1000:
            return 0
        choose = choose or random.Random(number)
        if isinstance(type, Floating):
            low, high = choose.choice(self._constants.floats), choose.choice(self._constants.floats)
            value = choose.uniform(low, high) if choose.random() < 0.7 else float(choose.randint(-4, 9))
            return narrow(value, 32 if type.bits == 32 else 64)
        assert isinstance(type, Int)
        kind = choose.random()
        if kind < 0.4:
            return type.wrap(choose.randint(-2, 8))
        if kind < 0.85:
            return type.wrap(choose.choice(self._constants.integers) + choose.choice((0, 0, 0, -1, 1)))
        return choose.randint(type.least, type.greatest)


@dataclass
class Planned:
    """The edges of a path and what they draw; after it, guesses."""

    edges: Sequence[Edge]
    values: Sequence[Sequence[Any]]
    rest: Guessed

    def follow(self, step: int) -> Edge | None:
        return self.edges[step] if step < len(self.edges) else None

    def value(self, step: int, number: int, function: str, type: CType) -> Any:
        if step < len(self.edges) and number < 1000:
            return self.values[step][number]
        return self.rest.value(step, number, function, type)


@dataclass
class Steering:
    """Plans for branches that were not taken, one question to the solver for each of them and run."""

    automaton: Automaton
    constants: Constants
    taken: set[Edge] = field(default_factory=set)
    asked: set[Edge] = field(default_factory=set)
    solvers: SolverFactory = field(default_factory=default_backend)

    def learn(self, run: ModelRun) -> None:
        self.taken.update(run.edges)

    def branches(self, compared: Collection[Edge]) -> tuple[int, int]:
        """How many of the automaton's branches are among these edges, and how many there are."""
        outgoing = self.automaton.cfa.outgoing
        every = [edge for edges in outgoing.values() if len(edges) > 1 for edge in edges]
        return sum(edge in compared for edge in every), len(every)

    def plans(self, run: ModelRun, budget: Budget) -> Iterator[Planned]:
        """Ways beside a run, from its end to its beginning. None in programs with floats: questions about
        those take a solver too long, and it cannot be interrupted in them."""
        if any(isinstance(variable.sort, FloatSort) for variable in self.automaton.cfa.variables):
            return
        outgoing = self.automaton.cfa.outgoing
        for step in range(min(len(run.edges), _LONGEST) - 1, -1, -1):
            for other in outgoing[run.edges[step].source]:
                if other in self.taken or other in self.asked:
                    continue
                budget.poll()
                self.asked.add(other)
                path = [*run.edges[:step], other]
                values = self._solve(path, budget)
                if values is not None:
                    yield Planned(path, values, Guessed(step + 1, self.constants))

    def _solve(self, path: Sequence[Edge], budget: Budget) -> list[list[Any]] | None:
        """C values for what the path draws; None if nothing leads along it, or nobody can tell."""
        cfa = self.automaton.cfa
        state: dict[Term, Term] = {v: const(default_value(v.sort), v.sort) for v in cfa.variables}
        drawn: list[list[tuple[Term | None, Any]]] = []
        conditions: list[Term] = []
        for step, edge in enumerate(path):
            relation, wanted = cfa.relation(edge), self.automaton.chosen(edge)
            mapping, here = dict(state), []
            for number, (local, (function, type)) in enumerate(zip(relation.locals, wanted, strict=True)):
                fresh = var(f"input!{step}!{number}", local.sort) if function else None
                mapping[local] = fresh if fresh is not None else const(default_value(local.sort), local.sort)
                here.append((fresh, type))
            drawn.append(here)
            guard = substitute(relation.guard, mapping)
            if guard is FALSE:
                return None
            conditions.append(guard)
            state.update({v: substitute(value, mapping) for v, value in relation.updates.items()})
        left = budget.remaining()
        solver = self.solvers.solver(budget=Budget(_SECONDS if left is None else min(_SECONDS, left)))
        try:
            for condition in conditions:
                solver.add(condition)
            if solver.check() is not Status.SAT:
                return None
            model = solver.model()
        except (OutOfBudget, SolverError):
            return None
        return [
            [None if new is None else scalar_value(model.value(new), new.sort, type) for new, type in here]
            for here in drawn
        ]
