"""A transition system as an automaton with one location and one loop.

For engines that work on automata. The location is where every state of the system lives: runs start there
with the system's initial states, the loop is its step, and an edge to an error location for each property
(with its name) is open where the property does not hold. States that violate an assumed invariant do not
exist: the precondition and the loop leave them out.

Back: the formula at the location is the system's inductive formula; a run without its last edge is a run of
the system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.logic.core import and_, not_
from revet.logic.terms import TRUE
from revet.logic.values import default_value
from revet.logic.walk import substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assume, Block
from revet.result.certificate import KInductive, LocationInvariants
from revet.result.trace import SystemTrace
from revet.transform.reduction import Reduction, Spurious

if TYPE_CHECKING:
    from revet.model.system import TransitionSystem
    from revet.result.certificate import Certificate
    from revet.result.trace import CfaTrace, State


def to_automaton(system: TransitionSystem) -> Reduction:
    """See the module's text."""
    home = Location(_name(system))
    errors = {name: Location(name, system.positions.get(name)) for name in system.properties}
    step = system.step
    invariant = system.invariant
    loop = Relation(and_(step.guard, substitute(invariant, step.updates)), step.updates, step.locals)
    edges = [Edge(home, home, (Block(loop),), text="step")]
    edges += [
        Edge(home, errors[name], (Assume(not_(formula)),), system.positions.get(name), f"not {name}")
        for name, formula in system.properties.items()
    ]
    cfa = Cfa(
        system.variables,
        (home, *errors.values()),
        tuple(edges),
        home,
        tuple(errors.values()),
        and_(system.init, invariant),
        system.name,
    )
    return Reduction(
        cfa,
        lambda trace: _trace_back(system, trace),
        lambda certificate: _certificate_back(home, certificate),
    )


def _name(system: TransitionSystem) -> str:
    name = "state"
    while name in system.properties:
        name += "_"
    return name


def _trace_back(system: TransitionSystem, trace: CfaTrace) -> SystemTrace:
    """All but the last edge, which only says that the property does not hold there."""
    inputs = [
        _inputs(system, trace.inputs[number] if number < len(trace.inputs) else {}, trace.states[number + 1])
        for number in range(len(trace.edges) - 1)
    ]
    return SystemTrace(trace.states[:-1], tuple(inputs), trace.violated)


def _inputs(system: TransitionSystem, given: State, after: State) -> State:
    """Every input with a value: as given, as seen in the state after the step, or any."""
    seen = {value: after[x] for x, value in system.step.updates.items() if value.is_var and x in after}
    return {x: given.get(x, seen.get(x, default_value(x.sort))) for x in system.inputs}


def _certificate_back(home: Location, certificate: Certificate) -> Certificate:
    if not isinstance(certificate, LocationInvariants):
        raise Spurious("the proof is not a formula about the states")
    return KInductive(certificate.formulas.get(home, TRUE), certificate.k, certificate.simple_path)
