"""Random runs of a control-flow automaton by evaluation: traces without a solver."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from revet.errors import InputError
from revet.frontends import Program, load
from revet.logic.evaluate import evaluate
from revet.logic.sorts import BOOL, ArraySort, BitVecSort, FloatSort, Sort
from revet.logic.values import ArrayValue, Value, default_value
from revet.model.cfa import Cfa, Edge
from revet.model.statements import Assign, Assume, Havoc
from revet.result.trace import CfaTrace, State

EXAMPLES = Path(__file__).parents[2] / "examples"


def value_of(sort: Sort, rng: random.Random) -> Value:
    if sort is BOOL:
        return rng.random() < 0.5
    if isinstance(sort, (BitVecSort, FloatSort)):
        return rng.randrange(1 << sort.width) if isinstance(sort, BitVecSort) else 0
    if isinstance(sort, ArraySort):
        return ArrayValue(value_of(sort.element, rng))
    zero = default_value(sort)
    assert not isinstance(zero, ArrayValue)
    return type(zero)(rng.randint(-4, 4))


def successor(edge: Edge, state: State, drawn: State) -> State | None:
    """The state after an edge; ``drawn`` has the values for havoc statements."""
    after = dict(state)
    for statement in edge.statements:
        match statement:
            case Assign(variable, value):
                after[variable] = evaluate(value, after)
            case Assume(condition):
                if not evaluate(condition, after):
                    return None
            case Havoc(variable):
                after[variable] = drawn[variable]
    return after


def random_run(cfa: Cfa, rng: random.Random, limit: int, *, deterministic: bool = False) -> CfaTrace:
    """A run that ends in an error location, where it can go no further, or after ``limit`` steps."""
    location = cfa.initial
    state: State = {v: value_of(v.sort, rng) for v in cfa.variables}
    locations, states, edges = [location], [state], []
    while len(edges) < limit and location not in cfa.errors:
        drawn = {v: value_of(v.sort, rng) for v in cfa.variables}
        options = [(e, s) for e in cfa.outgoing[location] if (s := successor(e, state, drawn)) is not None]
        if deterministic:
            assert len(options) <= 1, f"{location}: two edges are enabled"
        if not options:
            break
        edge, state = rng.choice(options)
        location = edge.target
        locations.append(location)
        states.append(state)
        edges.append(edge)
    return CfaTrace(tuple(locations), tuple(states), tuple(edges))


def mutants(trace: CfaTrace, rng: random.Random) -> list[CfaTrace]:
    """The trace with one value changed, and with its last step dropped."""
    found = []
    for number in range(len(trace.states)):
        state = dict(trace.states[number])
        variables = [v for v in state if isinstance(state[v], int)]
        if variables:
            variable = rng.choice(variables)
            value = state[variable]
            state[variable] = not value if isinstance(value, bool) else value + 1
            states = (*trace.states[:number], state, *trace.states[number + 1 :])
            found.append(CfaTrace(trace.locations, states, trace.edges))
    if trace.edges:
        found.append(CfaTrace(trace.locations[:-1], trace.states[:-1], trace.edges[:-1]))
    return found


def program_of(tmp_path: Path, name: str, text: str | bytes) -> Program:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load([path])


def message_of(tmp_path: Path, name: str, text: str | bytes) -> str:
    """The error message for a text, with the file's folder left out."""
    with pytest.raises(InputError) as caught:
        program_of(tmp_path, name, text)
    return str(caught.value).replace(f"{tmp_path}/", "")
