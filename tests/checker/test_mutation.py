"""Altered evidence: rejected, unless enumeration says that it is still valid."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import ReplayError, replay
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.model.names import prime
from revet.result import CfaTrace, KInductive, LocationInvariants, SystemTrace
from revet.smt import default_backend
from tests.checker.oracle import AutomatonOracle, box, proves_system
from tests.generators import TOP, domain, random_cfa, random_system, search_cfa, search_system

# -- traces ---------------------------------------------------------------------------------------


def replays(model, trace) -> bool:
    try:
        replay(model, trace)
    except ReplayError:
        return False
    return True


def valid_cfa_trace(cfa, trace) -> bool:
    """By the edges' relations as formulas: another semantics than the replay's."""
    if trace.locations[0] is not cfa.initial or trace.locations[-1] not in cfa.errors:
        return False
    if len(trace.locations) != len(trace.edges) + 1 or not Evaluator(trace.states[0])(cfa.precondition):
        return False
    for step, edge in enumerate(trace.edges):
        if (edge.source, edge.target) != trace.locations[step : step + 2]:
            return False
        after = {prime(x): value for x, value in trace.states[step + 1].items()}
        evaluator = Evaluator({**trace.states[step], **after, **trace.inputs[step]})
        if not evaluator(cfa.relation(edge).formula(cfa.variables)):
            return False
    return True


def other_value(rng, variable, value):
    return rng.choice([v for v in [*domain(variable), *([TOP + 1, -1] if variable.sort is not BOOL else [])]
                       if v != value])


def mutate_states(rng, states):
    index = rng.randrange(len(states))
    state = dict(states[index])
    variable = rng.choice(list(state))
    state[variable] = other_value(rng, variable, state[variable])
    return (*states[:index], state, *states[index + 1 :])


def mutate_cfa_trace(rng, cfa, trace: CfaTrace) -> CfaTrace:
    kind = rng.choice(["value", "input", "location", "edge", "cut", "drop"])
    drawing = [i for i, given in enumerate(trace.inputs) if given]
    if kind == "input" and drawing:
        index = rng.choice(drawing)
        changed = mutate_states(rng, (trace.inputs[index],))
        return replace(trace, inputs=(*trace.inputs[:index], *changed, *trace.inputs[index + 1 :]))
    if kind == "location":
        index = rng.randrange(len(trace.locations))
        place = rng.choice([p for p in cfa.locations if p is not trace.locations[index]])
        return replace(trace, locations=(*trace.locations[:index], place, *trace.locations[index + 1 :]))
    if kind == "edge" and trace.edges:
        index = rng.randrange(len(trace.edges))
        edge = rng.choice([e for e in cfa.edges if e is not trace.edges[index]] or trace.edges)
        drawn = {x: rng.choice(domain(x)) for x in cfa.relation(edge).locals}
        return replace(
            trace,
            edges=(*trace.edges[:index], edge, *trace.edges[index + 1 :]),
            inputs=(*trace.inputs[:index], drawn, *trace.inputs[index + 1 :]),
        )
    if kind == "cut" and trace.edges:
        return CfaTrace(trace.locations[:-1], trace.states[:-1], trace.edges[:-1], trace.inputs[:-1])
    if kind == "drop" and trace.edges:
        index = rng.randrange(len(trace.edges))
        fields = (trace.locations, trace.states, trace.edges, trace.inputs)
        return CfaTrace(*((*f[:index], *f[index + 1 :]) for f in fields))
    return replace(trace, states=mutate_states(rng, trace.states))


def check_cfa_traces(seeds, mutants=10):
    rejected = 0
    for seed in seeds:
        cfa = random_cfa(seed)
        trace = search_cfa(cfa).trace
        if trace is None:
            continue
        assert replays(cfa, trace)
        rng = random.Random(seed)
        for _ in range(mutants):
            mutant = mutate_cfa_trace(rng, cfa, trace)
            assert replays(cfa, mutant) == valid_cfa_trace(cfa, mutant), seed
            rejected += not replays(cfa, mutant)
    return rejected


def valid_system_trace(system, trace) -> bool:
    states = trace.states
    if len(states) != len(trace.inputs) + 1 or not Evaluator(states[0])(system.init):
        return False
    if not all(Evaluator(s)(system.invariant) for s in states):
        return False
    for before, drawn, after in zip(states, trace.inputs, states[1:], strict=False):
        primed = {prime(x): value for x, value in after.items()}
        if not Evaluator({**before, **drawn, **primed})(system.trans):
            return False
    return not Evaluator(states[-1])(system.properties[trace.violated])


def mutate_system_trace(rng, system, trace: SystemTrace) -> SystemTrace:
    kind = rng.choice(["value", "value", "input", "property", "cut"])
    drawing = [i for i, given in enumerate(trace.inputs) if given]
    if kind == "input" and drawing:
        index = rng.choice(drawing)
        changed = mutate_states(rng, (trace.inputs[index],))
        return replace(trace, inputs=(*trace.inputs[:index], *changed, *trace.inputs[index + 1 :]))
    if kind == "property":
        return replace(trace, violated=rng.choice(list(system.properties)))
    if kind == "cut" and trace.inputs:
        return replace(trace, states=trace.states[1:], inputs=trace.inputs[1:])
    return replace(trace, states=mutate_states(rng, trace.states))


def check_system_traces(seeds, mutants=10):
    rejected = 0
    for seed in seeds:
        system = random_system(seed)
        trace = search_system(system).trace
        if trace is None:
            continue
        assert replays(system, trace)
        rng = random.Random(seed)
        for _ in range(mutants):
            mutant = mutate_system_trace(rng, system, trace)
            assert replays(system, mutant) == valid_system_trace(system, mutant), seed
            rejected += not replays(system, mutant)
    return rejected


def test_mutated_traces_of_automata():
    assert check_cfa_traces(range(300)) > 1000


def test_mutated_traces_of_systems():
    assert check_system_traces(range(300)) > 700


# -- certificates ---------------------------------------------------------------------------------


class Cubes:
    """A formula as a set of cubes, for taking apart; always within the small domains."""

    def __init__(self, variables, cubes):
        self.variables = variables
        self.cubes = [list(cube) for cube in cubes]

    @classmethod
    def of(cls, variables, states):
        return cls(variables, [[(x, state[x]) for x in variables] for state in states])

    def formula(self):
        literals = ((x.eq(value) for x, value in cube) for cube in self.cubes)
        return b.and_(box(self.variables), b.or_(*(b.and_(*cube) for cube in literals)))

    def mutated(self, rng):
        made = Cubes(self.variables, self.cubes)
        if not made.cubes:
            return Cubes.of(self.variables, [{x: rng.choice(domain(x)) for x in self.variables}])
        cube = rng.choice(made.cubes)
        kind = rng.choice(["literal", "value", "cube"])
        if kind == "cube" or not cube:
            made.cubes.remove(cube)
        else:
            index = rng.randrange(len(cube))
            x, value = cube[index]
            if kind == "literal":
                del cube[index]
            else:
                cube[index] = (x, rng.choice([v for v in domain(x) if v != value]))
        return made


def mutate_invariants(rng, cfa, cubes, k):
    """One change; returns (location → cubes, k)."""
    kind = rng.choice(["formula", "formula", "formula", "swap", "drop", "k"])
    cubes = dict(cubes)
    places = list(cubes)
    if kind == "swap" and len(places) > 1:
        one, two = rng.sample(places, 2)
        cubes[one], cubes[two] = cubes[two], cubes[one]
    elif kind == "drop" and places:
        del cubes[rng.choice(places)]
    elif kind == "k":
        k = rng.choice([1, 2, 3])
    elif places:
        place = rng.choice(places)
        cubes[place] = cubes[place].mutated(rng)
    return cubes, k


def agree(report, proved: bool) -> bool:
    """The oracle looks at the small domains only; the checker may refuse for a state beyond them."""
    if report.accepted or not proved:
        return report.accepted == proved
    outside = (value not in domain(x) for x, value in (report.counterexample or {}).items())
    return any(outside)


def check_invariants(seeds, mutants=6):
    backend = default_backend()
    accepted = rejected = 0
    for seed in seeds:
        cfa = random_cfa(seed, locations=5)
        found = search_cfa(cfa)
        rng = random.Random(seed)
        cubes = {
            place: Cubes.of(cfa.variables, [s for at, s in found.states if at is place])
            for place in cfa.locations if place not in cfa.errors
        }
        k = 1
        for _ in range(mutants + 1):
            formulas = {place: c.formula() for place, c in cubes.items()}
            certificate = LocationInvariants(formulas, k)
            report = check_certificate(cfa, certificate, backend=backend)
            assert report.status != "undecided"
            assert agree(report, AutomatonOracle(cfa, certificate).proves()), (seed, str(report))
            assert found.safe or not report.accepted
            accepted += report.accepted
            rejected += not report.accepted
            # a chain of mutations: invalid certificates may become valid again
            cubes, k = mutate_invariants(rng, cfa, cubes, k)
    return accepted, rejected


def check_k_inductive(seeds, mutants=6):
    backend = default_backend()
    accepted = rejected = 0
    for seed in seeds:
        system = random_system(seed)
        found = search_system(system)
        rng = random.Random(seed)
        cubes, k = Cubes.of(system.variables, found.states), 1
        for _ in range(mutants + 1):
            certificate = KInductive(cubes.formula(), k)
            report = check_certificate(system, certificate, backend=backend)
            assert agree(report, proves_system(system, certificate)), (seed, str(report))
            assert found.safe or not report.accepted
            accepted += report.accepted
            rejected += not report.accepted
            if rng.random() < 0.3:
                k = rng.choice([1, 2, 3])
            else:
                cubes = cubes.mutated(rng)
    return accepted, rejected


def test_mutated_invariants():
    accepted, rejected = check_invariants(range(60))
    assert accepted > 30 and rejected > 200


def test_mutated_k_inductive_formulas():
    accepted, rejected = check_k_inductive(range(60))
    assert accepted > 30 and rejected > 200


@pytest.mark.long
def test_many_mutations():
    assert check_cfa_traces(range(300, 5000)) > 10_000
    assert check_system_traces(range(300, 5000)) > 10_000
    assert min(check_invariants(range(60, 1500))) > 1000
    assert min(check_k_inductive(range(60, 1500))) > 1000
