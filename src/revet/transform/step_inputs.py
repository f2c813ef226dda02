"""Inputs that a notation keeps among the state variables, as inputs of the step.

VMT-LIB and MoXI have inputs that are "new in every state": read as a system they are variables that every
step sets to anything. Where only steps look at such a variable (neither the initial condition nor an
invariant nor a property does), its value matters to the step that leaves the state and to nothing else. Then
it is an input of that step: proofs need not speak of it, and states have fewer values.

Back: certificates hold as they are, but for those that compare states (``simple_path``): of these there are
fewer without inputs. A run's state gets the value that the step after it was given; the last
state of a run has any.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from revet.logic.terms import Term
from revet.logic.values import default_value
from revet.logic.walk import free_vars_of
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, Exhausted, KInductive
from revet.result.trace import State, SystemTrace
from revet.transform.reduction import Reduction, Spurious, unchanged


def step_inputs(system: TransitionSystem) -> Reduction:
    """See the module's text."""
    moved = _inputs_among_variables(system)
    if not moved:
        return unchanged(system)
    step, gone = system.step, set(moved.values())
    locals_ = (*(x for x in step.locals if x not in gone), *moved)
    updates = {x: value for x, value in step.updates.items() if x not in moved}
    variables = tuple(x for x in system.variables if x not in moved)
    model = replace(system, variables=variables, step=Relation(step.guard, updates, locals_))
    return Reduction(model, lambda trace: _trace_back(system, moved, trace), _certificate_back)


def _certificate_back(certificate: Certificate) -> Certificate:
    if isinstance(certificate, KInductive | Exhausted) and certificate.simple_path:
        raise Spurious("the proof compares states without their inputs")
    return certificate


def _inputs_among_variables(system: TransitionSystem) -> dict[Term, Term]:
    """The variables that are inputs, each with the local that every step sets it to."""
    step = system.step
    seen = free_vars_of([system.init, *system.invariants, *system.properties.values()])
    drawn = set(step.locals)
    set_to = Counter(value for value in step.updates.values() if value in drawn)
    computed = [value for value in step.updates.values() if value not in drawn]
    seen |= free_vars_of([step.guard, *computed]) & drawn
    return {
        x: value for x, value in step.updates.items()
        if x not in seen and set_to[value] == 1 and value not in seen
    }


def _trace_back(system: TransitionSystem, moved: dict[Term, Term], trace: SystemTrace) -> SystemTrace:
    last: State = {x: default_value(x.sort) for x in moved}
    given = [*({x: values[x] for x in moved} for values in trace.inputs), last]
    states = tuple({**state, **more} for state, more in zip(trace.states, given, strict=True))
    inputs = tuple(
        {**{x: value for x, value in values.items() if x not in moved},
         **{local: states[number + 1][x] for x, local in moved.items()}}
        for number, values in enumerate(trace.inputs)
    )
    return SystemTrace(states, inputs, trace.violated)
