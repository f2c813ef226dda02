"""Explicit exploration of models whose steps have large or infinite domains for their locals.

From each concrete state the solver enumerates the successors. Slow and exact: it gives the
reachable states of a reduced model, for comparison with the enumeration of the original, and
runs with values for the locals, to be carried back.
"""

from __future__ import annotations

from typing import Any

from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import CfaTrace, SystemTrace
from revet.smt import Status, default_backend
from tests.generators import valuations

BACKEND = default_backend()


def successors(relation: Relation, variables: tuple[Term, ...], state: dict[Term, Any]):
    """All pairs (state after the step, values of the locals), one for each state after."""
    solver = BACKEND.solver()
    here = {x: b.const(state[x], x.sort) for x in variables}
    after = {x: b.var(f"{x.name}!after", x.sort) for x in variables}
    solver.add(substitute(relation.guard, here))
    for x in variables:
        solver.add(after[x].eq(substitute(relation.after(x), here)))
    while True:
        status = solver.check()
        assert status is not Status.UNKNOWN
        if status is Status.UNSAT:
            return
        model = solver.model()
        values = {x: model.value(after[x]) for x in variables}
        yield values, model.valuation(relation.locals)
        solver.add(b.not_(b.and_(*(after[x].eq(values[x]) for x in variables))))


def explore_cfa(cfa: Cfa):
    """The reachable values at each location, and a run to an error (None if there is none)."""
    reached: dict[Any, list[Any]] = {location: [] for location in cfa.locations}
    trace = None
    layer = [
        CfaTrace((cfa.initial,), (state,), (), ())
        for state in valuations(cfa.variables)
        if Evaluator(state)(cfa.precondition)
    ]
    seen = {(cfa.initial, *run.states[-1].values()) for run in layer}
    while layer:
        following = []
        for run in layer:
            location, state = run.locations[-1], run.states[-1]
            reached[location].append(tuple(state[x] for x in cfa.variables))
            if location in cfa.errors:
                trace = trace or run
                continue
            for edge in cfa.outgoing[location]:
                for after, drawn in successors(cfa.relation(edge), cfa.variables, dict(state)):
                    key = (edge.target, *after.values())
                    if key not in seen:
                        seen.add(key)
                        following.append(
                            CfaTrace(
                                (*run.locations, edge.target), (*run.states, after),
                                (*run.edges, edge), (*run.inputs, drawn),
                            )
                        )
        layer = following
    return reached, trace


def explore_system(system: TransitionSystem, starts: list[dict[Term, Any]]):
    """The same for a system, from the given initial states."""
    trace = None
    layer = [SystemTrace((state,), (), "") for state in starts]
    seen = {tuple(state.values()) for state in starts}
    reached = []
    while layer:
        following = []
        for run in layer:
            state = dict(run.states[-1])
            reached.append(tuple(state[x] for x in system.variables))
            for name, formula in system.properties.items():
                if trace is None and not Evaluator(state)(formula):
                    trace = SystemTrace(run.states, run.inputs, name)
            for after, drawn in successors(system.step, system.variables, state):
                key = tuple(after.values())
                if key not in seen and Evaluator(after)(system.invariant):
                    seen.add(key)
                    following.append(SystemTrace((*run.states, after), (*run.inputs, drawn), ""))
        layer = following
    return reached, trace
