"""From a path of edges to a run: one query over the whole path."""

from __future__ import annotations

from collections.abc import Sequence

from revet.budget import Budget
from revet.logic.core import eq
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa, Edge
from revet.model.names import at
from revet.result.trace import CfaTrace
from revet.smt.protocol import Status
from revet.smt.z3 import Z3


def concrete_run(cfa: Cfa, edges: Sequence[Edge], backend: Z3, budget: Budget) -> CfaTrace | None:
    """Values for every variable at every location of the path, and for the edges' locals."""
    solver = backend.solver(budget=budget)
    current: dict[Term, Term] = {x: at(x, 0) for x in cfa.variables}
    solver.add(substitute(cfa.precondition, current))
    states, locals_ = [current], []
    for number, edge in enumerate(edges):
        relation = cfa.relation(edge)
        drawn = {local: at(local, number) for local in relation.locals}
        before = {**current, **drawn}
        memo: dict[Term, Term] = {}
        solver.add(substitute(relation.guard, before, memo))
        current = dict(current)
        for variable, value in relation.updates.items():
            # Only assigned variables get a new version: the rest of the state is shared.
            current[variable] = at(variable, number + 1)
            solver.add(eq(current[variable], substitute(value, before, memo)))
        states.append(current)
        locals_.append(drawn)
    if solver.check() is not Status.SAT:
        return None
    model = solver.model()
    return CfaTrace(
        locations=(cfa.initial, *(edge.target for edge in edges)),
        states=tuple({x: model.value(version) for x, version in state.items()} for state in states),
        edges=tuple(edges),
        inputs=tuple({x: model.value(version) for x, version in drawn.items()} for drawn in locals_),
    )
