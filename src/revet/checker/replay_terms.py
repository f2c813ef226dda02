"""Replay of runs of transition systems and automata: see :mod:`revet.checker.replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.checker.replay import ReplayError
from revet.logic.core import conjunction
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Op
from revet.logic.values import is_value
from revet.model.execute import Stuck, execute, recover_draws

if TYPE_CHECKING:
    from typing import Any

    from revet.logic.terms import Term
    from revet.model.cfa import Cfa, Edge
    from revet.model.system import TransitionSystem
    from revet.result.trace import CfaTrace, State, SystemTrace


def replay_system(system: TransitionSystem, trace: SystemTrace, quantifiers: bool = True) -> None:
    """Without ``quantifiers``, what is quantified in the guard is left to the source's interpreter."""
    guard = system.step.guard
    if not quantifiers and guard.quantified:
        parts = guard.args if guard.op == Op.AND else (guard,)
        guard = conjunction(part for part in parts if not part.quantified)
    if len(trace.states) != len(trace.inputs) + 1:
        raise ReplayError(f"{len(trace.states)} states do not fit {len(trace.inputs)} inputs")
    if trace.violated not in system.properties:
        raise ReplayError(f"there is no property {trace.violated}")
    for step, state in enumerate(trace.states):
        _require_values(system.variables, state, step)
        for invariant in system.invariants:
            if Evaluator(state)(invariant) is not True:
                raise ReplayError(f"the state violates the invariant {invariant}", step)
    if Evaluator(trace.states[0])(system.init) is not True:
        raise ReplayError("the first state is not initial", 0)
    for step, drawn in enumerate(trace.inputs):
        _require_values(system.inputs, drawn, step)
        evaluator = Evaluator({**trace.states[step], **{x: drawn[x] for x in system.inputs}})
        if evaluator(guard) is not True:
            raise ReplayError("the guard of the transition relation is false", step)
        after = {x: evaluator(system.step.after(x)) for x in system.variables}
        _require_same(after, trace.states[step + 1], step + 1)
    if Evaluator(trace.states[-1])(system.properties[trace.violated]) is not False:
        raise ReplayError(f"the last state does not violate {trace.violated}", len(trace.inputs))


def replay_cfa(cfa: Cfa, trace: CfaTrace) -> None:
    if not len(trace.states) == len(trace.locations) == len(trace.edges) + 1:
        raise ReplayError(
            f"{len(trace.locations)} locations, {len(trace.states)} states and {len(trace.edges)} edges "
            "do not make a run"
        )
    if trace.inputs and len(trace.inputs) != len(trace.edges):
        raise ReplayError(f"{len(trace.inputs)} inputs do not fit {len(trace.edges)} edges")
    if trace.locations[0] is not cfa.initial:
        raise ReplayError(f"{trace.locations[0]} is not the initial location {cfa.initial}", 0)
    if trace.locations[-1] not in cfa.errors:
        raise ReplayError(f"{trace.locations[-1]} is not an error location", len(trace.edges))
    _require_values(cfa.variables, trace.states[0], 0)
    if Evaluator(trace.states[0])(cfa.precondition) is not True:
        raise ReplayError(f"the precondition {cfa.precondition} is false", 0)
    for step, edge in enumerate(trace.edges):
        if edge.source is not trace.locations[step] or edge.target is not trace.locations[step + 1]:
            raise ReplayError(
                f"edge {edge!r} does not lead from {trace.locations[step]} to {trace.locations[step + 1]}",
                step,
            )
        if edge not in cfa.outgoing[edge.source]:
            raise ReplayError(f"{edge!r} is not an edge of the automaton", step)
        _require_values(cfa.variables, trace.states[step + 1], step + 1, trace.states[step])
        _replay_edge(cfa, edge, trace, step)


def _replay_edge(cfa: Cfa, edge: Edge, trace: CfaTrace, step: int) -> None:
    given = trace.inputs[step] if trace.inputs else {}
    after = trace.states[step + 1]
    before = trace.states[step]
    if len(before) > len(cfa.variables):
        before = {x: before[x] for x in cfa.variables}
    try:
        drawn = recover_draws(edge.statements, cfa.relation(edge).locals, given, after)
        reached = execute(edge.statements, before, drawn)
    except Stuck as why:
        raise ReplayError(f"{edge!r} cannot be taken: {why}", step) from None
    _require_same(reached, after, step + 1)


def _require_values(variables: tuple[Term, ...], state: State, step: int, seen: State | None = None) -> None:
    """Every variable has a value of its sort. ``seen`` is a state that was looked at before: what is the very
    same object there need not be looked at again (long runs over large arrays)."""
    if seen is not None:
        variables = tuple([x for x in variables if x not in state or state[x] is not seen[x]])
    for variable in variables:
        if variable not in state:
            raise ReplayError(f"{variable.name} has no value", step)
        value: Any = state[variable]
        if not is_value(value, variable.sort):
            raise ReplayError(
                f"{variable.name} has the value {value!r}, which is not of sort {variable.sort}", step
            )


def _require_same(reached: State, recorded: State, step: int) -> None:
    if reached == recorded:  # much quicker than one by one
        return
    for variable, value in reached.items():
        if recorded[variable] != value:
            raise ReplayError(f"{variable.name} is {value}, but the trace says {recorded[variable]}", step)
