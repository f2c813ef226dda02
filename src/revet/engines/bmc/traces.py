"""From a solver's model to a run of the automaton."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revet.engines.bmc.unfolding import Node
from revet.logic.terms import Term
from revet.model.cfa import Edge, Location
from revet.result import CfaTrace, State
from revet.smt import Model

Versions = Mapping[Term, Term]


def run(
    model: Model,
    locations: Sequence[Location],
    versions: Sequence[Versions],
    edges: Sequence[Edge],
    inputs: Sequence[Versions],
) -> CfaTrace:
    """Read the values of the versions at every location, and of the edges' inputs."""
    return CfaTrace(
        tuple(locations),
        tuple(_values(model, each) for each in versions),
        tuple(edges),
        tuple(_values(model, each) for each in inputs),
    )


def run_through(node: Node, model: Model, backward: bool) -> CfaTrace:
    """The run that ends in ``node`` (backward: begins there), by the steps taken in the model."""
    nodes = [node]
    steps = []
    while nodes[-1].steps:
        step = next(step for step in nodes[-1].steps if model.holds(step.taken))
        steps.append(step)
        nodes.append(step.neighbour)
    if not backward:
        nodes.reverse()
        steps.reverse()
    return run(
        model,
        [each.location for each in nodes],
        [each.versions for each in nodes],
        [step.edge for step in steps],
        [step.inputs for step in steps],
    )


def _values(model: Model, versions: Versions) -> State:
    return {variable: model.value(version) for variable, version in versions.items()}
