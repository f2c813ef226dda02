"""From a derivation of the error to a run of the model.

The derivation's ground facts are the states of the run (for a location, the values of the
variables that matter there). What they leave open is solved for, one step at a time: the
values of dead variables, the edge taken, the inputs. A fact that no step explains is a
:class:`Gap`; then the run is searched for by unrolling instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from revet.budget import Budget
from revet.engines.common.runs import trace_from_model, violated_property
from revet.engines.spacer.encode import Encoding
from revet.logic.core import and_, const, eq, not_
from revet.logic.evaluate import Evaluator, evaluate
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import CfaTrace, SystemTrace, Trace, Unknown, Unsafe, Verdict
from revet.smt import Solver, SolverFactory, Status
from revet.transform.to_system import to_system

State = dict[Term, Value]


class Gap(Exception):
    """The facts do not make up a run."""


@dataclass(frozen=True, eq=False)
class Visit:
    """A place of the derivation with the values known there."""

    place: Location | None
    values: Mapping[Term, Value]


def run_of(encoding: Encoding, facts: Sequence[Term], backend: SolverFactory, budget: Budget) -> Trace:
    """The run that the facts (error first) describe."""
    solver = backend.solver(budget=budget)
    visits = _visits(encoding, facts)
    if isinstance(encoding.model, Cfa):
        return _run_of_cfa(encoding.model, visits, solver)
    return _run_of_system(encoding.model, visits, solver)


def _visits(encoding: Encoding, facts: Sequence[Term]) -> list[Visit]:
    by_symbol = {predicate.symbol: (place, predicate) for place, predicate in encoding.places.items()}
    visits = []
    for fact in reversed(facts):
        if fact.op == Op.APPLY and fact.payload in by_symbol:
            place, predicate = by_symbol[fact.payload]
            values = [evaluate(argument, {}) for argument in fact.args]
            visits.append(Visit(place, dict(zip(predicate.arguments, values, strict=True))))
    if not visits and isinstance(encoding.model, TransitionSystem):
        raise Gap("it mentions no state")
    return visits


def _known(values: Mapping[Term, Value]) -> list[Term]:
    return [eq(x, const(value, x.sort)) for x, value in values.items()]


def _start(solver: Solver, conditions: list[Term], variables: Sequence[Term]) -> State:
    if solver.check(conditions) is not Status.SAT:
        raise Gap("its first state is not initial")
    return solver.model().valuation(variables)


def _start_of_cfa(solver: Solver, cfa: Cfa, visits: list[Visit]) -> State:
    """The first state. z3 leaves facts out that hold for all values, such as the initial
    location's, and then the state must be one from which the first visit is reached."""
    if not visits or visits[0].place is cfa.initial:
        first = _known(visits[0].values) if visits else []
        return _start(solver, [cfa.precondition, *first], cfa.variables)
    for edge in cfa.outgoing[cfa.initial]:
        if edge.target is visits[0].place:
            relation = cfa.relation(edge)
            step = [relation.guard, *_landing(relation, visits[0].values)]
            if solver.check([cfa.precondition, *step]) is Status.SAT:
                return solver.model().valuation(cfa.variables)
    raise Gap("it does not begin at the initial location")


def _landing(relation: Relation, target: Mapping[Term, Value]) -> list[Term]:
    return [eq(relation.after(x), const(value, x.sort)) for x, value in target.items()]


def _step(
    solver: Solver, relation: Relation, state: State, target: Mapping[Term, Value]
) -> tuple[State, State] | None:
    """Inputs of a step from ``state`` to one with the target's values, and that state."""
    if solver.check([relation.guard, *_landing(relation, target), *_known(state)]) is not Status.SAT:
        return None
    inputs = solver.model().valuation(relation.locals)
    value = Evaluator({**state, **inputs})
    return inputs, {x: value(relation.after(x)) for x in state}


def _run_of_system(system: TransitionSystem, visits: list[Visit], solver: Solver) -> SystemTrace:
    initial = and_(system.init, system.invariant)
    states = [_start(solver, [initial, *_known(visits[0].values)], system.variables)]
    inputs: list[State] = []
    for visit in visits[1:]:
        step = _step(solver, system.step, states[-1], visit.values)
        if step is None:
            raise Gap(f"step {len(states)} is not possible")
        inputs.append(step[0])
        states.append(step[1])
    violated = violated_property(system, states[-1])
    if violated is None:
        raise Gap("its last state violates nothing")
    return SystemTrace(tuple(states), tuple(inputs), violated)


def _run_of_cfa(cfa: Cfa, visits: list[Visit], solver: Solver) -> CfaTrace:
    states = [_start_of_cfa(solver, cfa, visits)]
    if visits and visits[0].place is cfa.initial:
        visits = visits[1:]
    locations, edges, inputs = [cfa.initial], list[Edge](), list[State]()
    goals: list[tuple[Sequence[Location], Mapping[Term, Value]]] = [
        ([visit.place], visit.values) for visit in visits if visit.place is not None
    ]
    if cfa.initial not in cfa.errors:
        goals.append((cfa.errors, {}))
    for targets, values in goals:
        for edge in cfa.outgoing[locations[-1]]:
            step = _step(solver, cfa.relation(edge), states[-1], values) if edge.target in targets else None
            if step is not None:
                edges.append(edge)
                locations.append(edge.target)
                inputs.append(step[0])
                states.append(step[1])
                break
        else:
            raise Gap(f"no edge explains step {len(states)}")
    return CfaTrace(tuple(locations), tuple(states), tuple(edges), tuple(inputs))


def searched_run(encoding: Encoding, backend: SolverFactory, budget: Budget) -> Verdict:
    """Spacer says there is a run: unroll until it shows (the budget is the only bound)."""
    if isinstance(encoding.model, Cfa):
        reduction = to_system(encoding.model)
        assert isinstance(reduction.model, TransitionSystem)
        return reduction.verdict_back(_unroll(reduction.model, backend, budget))
    return _unroll(encoding.model, backend, budget)


def _unroll(system: TransitionSystem, backend: SolverFactory, budget: Budget) -> Verdict:
    unroller, solver = Unroller(system), backend.solver(budget=budget)
    solver.add(unroller.init())
    depth = 0
    while True:
        budget.poll()
        good = unroller.at(system.property, depth)
        status = solver.check([not_(good)])
        if status is Status.SAT:
            return Unsafe(trace_from_model(system, unroller, solver.model(), depth))
        if status is Status.UNKNOWN:
            why = solver.reason_unknown
            return Unknown(f"Spacer derives an error, but no run was found: {why}", depth - 1)
        solver.add(good)
        solver.add(unroller.step(depth))
        depth += 1
