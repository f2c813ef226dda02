"""Cleaning an automaton: only what lies between the initial location and an error stays.

* Locations that cannot be reached, and dead ends (from which no error can be reached), go;
  edges that assume *false* literally count as absent. So do the edges that leave an error.
* A location whose only edge out is a skip is merged into that edge's target.

What stays keeps its identity, its position and its text. An automaton without a reachable error
shrinks to its initial location.

Back: a trace gets its skips again; a certificate says *false* at unreachable and *true* at dead
locations, which is inductive because no feasible edge leads into the former from, or out of the
latter to, what was kept.
"""

from __future__ import annotations

from dataclasses import replace

from revet.logic.terms import FALSE, TRUE
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume
from revet.result.certificate import Certificate, Exhausted, LocationInvariants
from revet.result.trace import CfaTrace, State
from revet.transform.graph import is_infeasible, live_edges, reach, successors
from revet.transform.reduction import Reduction, same_draws


def clean(cfa: Cfa) -> Reduction:
    """See the module's text."""
    edges = live_edges(cfa)
    skips = _skips(cfa, edges)
    made: dict[Edge, tuple[Edge, ...]] = {}
    for edge in edges:
        if edge.source in skips:
            continue
        tail = []
        target = edge.target
        while target in skips:
            tail.append(skips[target])
            target = skips[target].target
        new = edge if not tail else Edge(edge.source, target, edge.statements, edge.position, edge.text)
        made[new] = (edge, *tail)
    used = {cfa.initial, *(end for edge in made for end in (edge.source, edge.target))}
    model = Cfa(
        cfa.variables,
        tuple(location for location in cfa.locations if location in used),
        tuple(made),
        cfa.initial,
        tuple(location for location in cfa.errors if location in used),
        cfa.precondition,
        cfa.name,
    )
    return Reduction(
        model,
        lambda trace: _trace_back(cfa, model, made, trace),
        lambda certificate: _certificate_back(cfa, model, certificate),
    )


def _skips(cfa: Cfa, edges: list[Edge]) -> dict[Location, Edge]:
    """The locations to merge away, each with its only edge. They never form a cycle, because
    every live location has a path to an error."""
    kept = {cfa.initial, *cfa.errors}
    return {
        location: leaving[0]
        for location, leaving in successors(edges).items()
        if location not in kept and len(leaving) == 1 and _does_nothing(leaving[0])
    }


def _does_nothing(edge: Edge) -> bool:
    return all(
        (isinstance(s, Assume) and s.condition is TRUE) or (isinstance(s, Assign) and s.value is s.variable)
        for s in edge.statements
    )


def _trace_back(cfa: Cfa, model: Cfa, made: dict[Edge, tuple[Edge, ...]], trace: CfaTrace) -> CfaTrace:
    edges: list[Edge] = []
    states: list[State] = [trace.states[0]]
    inputs: list[State] = []
    for step, new in enumerate(trace.edges):
        original, *tail = made[new]
        edges += [original, *tail]
        states += [trace.states[step + 1]] * (1 + len(tail))
        given = trace.inputs[step] if trace.inputs else {}
        inputs += [same_draws(given, model.relation(new), cfa.relation(original)), *({} for _ in tail)]
    locations = (trace.locations[0], *(edge.target for edge in edges))
    return CfaTrace(locations, tuple(states), tuple(edges), tuple(inputs))


def _certificate_back(cfa: Cfa, model: Cfa, certificate: Certificate) -> Certificate:
    if isinstance(certificate, Exhausted):
        cuts = certificate.cuts if certificate.cuts is not None else frozenset(model.locations)
        return replace(certificate, cuts=cuts)
    assert isinstance(certificate, LocationInvariants)
    errors = set(cfa.errors)

    def leaving(location: Location) -> list[Edge]:
        return [] if location in errors else [e for e in cfa.outgoing[location] if not is_infeasible(e)]

    reachable = reach([cfa.initial], leaving, lambda edge: edge.target)
    live = {end for edge in live_edges(cfa) for end in (edge.source, edge.target)}
    formulas = dict(certificate.formulas)
    for location in cfa.locations:
        if location not in live and location not in errors:
            # this may be the initial location: what was said of it ignored the edges back to it
            formulas[location] = TRUE if location in reachable else FALSE
    return replace(certificate, formulas=formulas)
