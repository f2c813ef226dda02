"""Runs of a transition system, from a solver's model of an unrolling."""

from __future__ import annotations

from collections.abc import Mapping

from revet.errors import ModelError
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import SystemTrace
from revet.smt import Model


def successor(
    system: TransitionSystem, state: Mapping[Term, Value], inputs: Mapping[Term, Value]
) -> dict[Term, Value]:
    """The state after one step, by evaluation; the guard is not looked at."""
    evaluate = Evaluator({**state, **inputs})
    return {x: evaluate(system.step.after(x)) for x in system.variables}


def violated_property(system: TransitionSystem, state: Mapping[Term, Value]) -> str | None:
    """The first property that is false in the state."""
    evaluate = Evaluator(state)
    for name, formula in system.properties.items():
        if evaluate(formula) is False:
            return name
    return None


def trace_from_model(
    system: TransitionSystem, unroller: Unroller, model: Model, depth: int, start: int = 0
) -> SystemTrace:
    """The run of ``depth`` steps that the model describes, ending in a violated property.

    Only the first state and the inputs are read; the other states follow by evaluation, so that
    values which the solver left open agree from state to state.
    """
    state = {x: model.value(unroller.at(x, start)) for x in system.variables}
    states, inputs = [state], []
    for step in range(start, start + depth):
        chosen = {v: model.value(unroller.at(v, step)) for v in system.inputs}
        inputs.append(chosen)
        states.append(successor(system, states[-1], chosen))
    violated = violated_property(system, states[-1])
    if violated is None:
        raise ModelError("the solver's run does not violate a property: evaluation disagrees with it")
    return SystemTrace(tuple(states), tuple(inputs), violated)
