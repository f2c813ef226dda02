"""The solver side: one incremental solver per location, everything else by assumptions.

A location's solver knows the guards of its outgoing edges, each behind a literal, and the
location's lemmas behind their level's literal. In automata with many locations (single
statements) neighbours share a solver, because a thousand small contexts cost more than they save;
but not all of them one: a check and its model cost time for everything the solver knows, and with
n locations in one solver that would be n times n.
"""

from __future__ import annotations

from collections.abc import Sequence

from revet.engines.common.context import Context
from revet.engines.common.pdr.answers import Blocked, Reached
from revet.engines.pdr_cfa.frames import Cube, Frames, clause_of
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.logic.core import implies, var
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Term
from revet.model.cfa import Location
from revet.smt.protocol import Model, Solver, SolverError, Status
from revet.smt.z3 import Z3

_MANY_LOCATIONS = 48
_GROUP = 24


Answer = Blocked[frozenset[Term]] | Reached[Model]


class Queries:
    def __init__(self, graph: Graph, frames: Frames, backend: Z3, context: Context) -> None:
        self.graph = graph
        self.frames = frames
        self.backend = backend
        self._budget = context.budget
        many = len(graph.locations) > _MANY_LOCATIONS
        self._group = {
            location: number // _GROUP if many else number for number, location in enumerate(graph.locations)
        }
        self._solvers: dict[int, Solver] = {}
        self._edge_literal: dict[Step, Term] = {}
        self._entry = backend.solver(budget=context.budget)
        self._entry.add(graph.cfa.precondition)
        self.only_entry = not graph.incoming[graph.cfa.initial]
        if self.only_entry:  # no way back to the start: its states are known exactly
            start = graph.cfa.initial
            self._solver(start).add(implies(self._at(start), graph.cfa.precondition))

    def _at(self, location: Location) -> Term:
        """The query is about this location's states (solvers may be shared)."""
        return var(f"at!{self.graph.order[location]}", BOOL)

    def _solver(self, location: Location) -> Solver:
        group = self._group[location]
        found = self._solvers.get(group)
        if found is None:
            found = self._solvers[group] = self.backend.solver(budget=self._budget)
        return found

    def _edge(self, step: Step) -> Term:
        """The literal behind which the edge's guard stands."""
        found = self._edge_literal.get(step)
        if found is None:
            found = self._edge_literal[step] = var(f"edge!{len(self._edge_literal)}", BOOL)
            self._solver(step.source).add(implies(found, step.relation.guard))
        return found

    def add_lemma(self, location: Location, level: int, cube: Cube) -> None:
        activation = self.frames.activation(location, level)
        self._solver(location).add(implies(activation, clause_of(cube)))

    def initiation(self, cube: Cube) -> Answer:
        """Does the cube contain an initial state (of the initial location)?"""
        return self._decide(self._entry, [], {literal: literal for literal in cube})

    def consecution(
        self, step: Step, level: int, cube: Cube, without: Cube | None = None, more: Sequence[Term] = ()
    ) -> Answer:
        """Is ``F[level, source] and edge and cube'`` satisfiable?

        ``without`` adds the negation of that cube at the source (relative induction on a loop), ``more``
        other formulas.
        """
        if self.graph.unreachable(step.source, level):
            return Blocked(frozenset())
        before: dict[Term, Term] = {}
        for literal in cube:
            value = step.before(literal)
            if value is FALSE:
                return Blocked(frozenset((literal,)))
            if value is not TRUE:
                before.setdefault(value, literal)
        fixed = [self._edge(step), *self.frames.assumptions(step.source, level), *more]
        if step.source is self.graph.cfa.initial and self.only_entry:
            fixed.append(self._at(step.source))
        if without is not None:
            fixed.append(clause_of(without))
        return self._decide(self._solver(step.source), fixed, before)

    def _decide(self, solver: Solver, fixed: list[Term], wanted: dict[Term, Term]) -> Answer:
        status = solver.check([*fixed, *wanted])
        if status is Status.SAT:
            return Reached(solver.model())
        if status is Status.UNSAT:
            return Blocked(frozenset(wanted[term] for term in solver.core() if term in wanted))
        raise SolverError(f"a query was not decided: {solver.reason_unknown}")
