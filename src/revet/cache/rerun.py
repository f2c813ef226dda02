"""An old run's choices, made again in a program that has changed.

The run starts in the old initial values and draws the old values, each variable its own in order;
where several edges can be taken, the one that the old run took is preferred. If that reaches an error
location (a violated property), the new run goes to the replay as any other. No solver, no search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from revet.logic.evaluate import Evaluator
from revet.logic.serialize import decode_value, encode_value
from revet.logic.terms import Term
from revet.logic.values import Value, default_value, is_value
from revet.model.cfa import Cfa, Edge, Location
from revet.model.execute import Stuck, draws, execute, recover_draws
from revet.model.system import TransitionSystem
from revet.result.trace import CfaTrace, State, SystemTrace

Draw = tuple[str, Any]


def recorded_draws(cfa: Cfa, trace: CfaTrace) -> list[Draw]:
    """All values that a run draws, in order, each with the name of its variable."""
    found: list[Draw] = []
    for step, edge in enumerate(trace.edges):
        given = trace.inputs[step] if trace.inputs else {}
        values = recover_draws(edge.statements, cfa.relation(edge).locals, given, trace.states[step + 1])
        names = [variable.name for variable in draws(edge.statements)]
        found += [(name, encode_value(value)) for name, value in zip(names, values, strict=True)]
    return found


class Rerun:
    """The old choices, and a run of the new automaton that makes them."""

    def __init__(
        self, cfa: Cfa, old: CfaTrace, drawn: Iterable[Draw], counterparts: Mapping[Location, Location]
    ) -> None:
        self._cfa = cfa
        self._drawn: dict[str, deque[Value]] = {}
        for name, value in drawn:
            self._drawn.setdefault(name, deque()).append(decode_value(value))
        self._turns: dict[Location, deque[Location | None]] = {}
        for here, there in zip(old.locations, old.locations[1:], strict=False):
            if here in counterparts:
                turns = self._turns.setdefault(counterparts[here], deque())
                turns.append(counterparts.get(there))
        self._start = {x: old.states[0].get(x, default_value(x.sort)) for x in cfa.variables}
        self._most = 4 * len(old.edges) + 1000

    def trace(self) -> CfaTrace | None:
        """The run to an error location; None if there is none."""
        state: dict[Term, Value] = dict(self._start)
        if Evaluator(state)(self._cfa.precondition) is not True:
            return None
        places, states = [self._cfa.initial], [state]
        edges: list[Edge] = []
        inputs: list[State] = []
        errors = set(self._cfa.errors)
        while places[-1] not in errors:
            step = self._step(places[-1], states[-1]) if len(edges) < self._most else None
            if step is None:
                return None
            edge, after, values = step
            edges.append(edge)
            inputs.append(dict(zip(self._cfa.relation(edge).locals, values, strict=True)))
            places.append(edge.target)
            states.append(after)
        return CfaTrace(tuple(places), tuple(states), tuple(edges), tuple(inputs))

    def _step(self, place: Location, state: State) -> tuple[Edge, dict[Term, Value], Sequence[Value]] | None:
        turns = self._turns.get(place)
        wanted = turns.popleft() if turns else None
        for edge in sorted(self._cfa.outgoing[place], key=lambda edge: edge.target is not wanted):
            variables = draws(edge.statements)
            values = self._next(variables)
            try:
                after = execute(edge.statements, state, values)
            except Stuck:
                continue
            for variable in variables:
                if self._drawn.get(variable.name):
                    self._drawn[variable.name].popleft()
            return edge, after, values
        return None

    def _next(self, variables: Sequence[Term]) -> list[Value]:
        """What would be drawn next; a value like any other where the old run has no more."""
        used: dict[str, int] = {}
        values: list[Value] = []
        for variable in variables:
            number = used.get(variable.name, 0)
            used[variable.name] = number + 1
            recorded = self._drawn.get(variable.name, ())
            value = recorded[number] if number < len(recorded) else default_value(variable.sort)
            values.append(value if is_value(value, variable.sort) else default_value(variable.sort))
        return values


def rerun_system(system: TransitionSystem, old: SystemTrace) -> SystemTrace | None:
    """The old initial state and inputs in the new system, until a property is violated."""
    state: dict[Term, Value] = {
        x: old.states[0].get(x, default_value(x.sort)) for x in system.variables
    }
    if Evaluator(state)(system.init) is not True:
        return None
    states: list[State] = [state]
    inputs: list[State] = []
    for given in (*old.inputs, {}):
        now = Evaluator(states[-1])
        for name, formula in system.properties.items():
            if now(formula) is False:
                return SystemTrace(tuple(states), tuple(inputs), name)
        drawn: dict[Term, Value] = {x: given.get(x, default_value(x.sort)) for x in system.inputs}
        evaluator = Evaluator({**states[-1], **drawn})
        if evaluator(system.step.guard) is not True:
            return None
        inputs.append(drawn)
        states.append({x: evaluator(system.step.after(x)) for x in system.variables})
    return None
