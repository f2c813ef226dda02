"""Every pass, on random automata: what is reachable at the locations it keeps is what it was, and
a run to an error comes back as a run of the original."""

from __future__ import annotations

import pytest

from revet.model.execute import execute
from revet.result import CfaTrace
from revet.transform import chain
from revet.transform.blocks import large_blocks
from revet.transform.clean import clean
from revet.transform.merge_errors import merge_errors
from revet.transform.slice import slice_cfa
from revet.transform.to_system import to_system
from tests.generators import random_cfa, search_cfa
from tests.transform.explore import explore_cfa, explore_system

PIPELINES = {
    "clean": [clean],
    "slice": [slice_cfa],
    "merge": [merge_errors],
    "blocks": [large_blocks],
    "blocks twice": [large_blocks, large_blocks],
    "all": [clean, slice_cfa, clean, merge_errors, large_blocks],
}
SEEDS = range(60)


def is_run(cfa, trace: CfaTrace) -> bool:
    """Does the trace execute, from the initial location to an error?"""
    assert trace.locations[0] is cfa.initial and trace.locations[-1] in cfa.errors
    for step, edge in enumerate(trace.edges):
        assert edge in cfa.edges
        assert (edge.source, edge.target) == trace.locations[step : step + 2]
        drawn = [trace.inputs[step][local] for local in cfa.relation(edge).locals]
        assert execute(edge.statements, trace.states[step], drawn) == trace.states[step + 1]
    return True


@pytest.mark.parametrize("name", PIPELINES)
def test_reachable_values_are_preserved(name):
    for seed in SEEDS:
        cfa = random_cfa(seed)
        found = search_cfa(cfa)
        reduction = chain(cfa, PIPELINES[name])
        model = reduction.model
        reached, trace = explore_cfa(model)
        assert (trace is None) == found.safe, seed
        for location in model.locations:
            if location in cfa.errors or not model.errors:
                continue
            kept = {
                tuple(state[x] for x in model.variables) for at, state in found.states if at is location
            }
            assert kept == set(reached[location]), (seed, location)
        if trace is not None:
            assert is_run(cfa, reduction.trace_back(trace))


@pytest.mark.parametrize("passes", [[to_system], [clean, large_blocks, to_system]], ids=["plain", "blocks"])
def test_location_variable(passes):
    for seed in SEEDS:
        cfa = random_cfa(seed)
        found = search_cfa(cfa)
        reduction = chain(cfa, passes)
        system = reduction.model
        location = system.variables[0]
        start = [state for state in found.states if state[0] is cfa.initial]
        before = chain(cfa, passes[:-1]).model
        number = before.locations.index(cfa.initial)
        starts = [
            {location: number, **state} for _, state in start if _satisfies(cfa, state)
        ]
        _, trace = explore_system(system, starts)
        assert (trace is None) == found.safe, seed
        if trace is not None:
            assert is_run(cfa, reduction.trace_back(trace))


def _satisfies(cfa, state) -> bool:
    from revet.logic.evaluate import Evaluator

    return Evaluator(state)(cfa.precondition) is True
