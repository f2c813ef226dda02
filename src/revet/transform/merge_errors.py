"""One error location instead of many, so that blocks need not be built for each of them.

All edges into an error lead to the first error location instead. Which one was meant is known
from the edge; traces are carried back edge by edge, certificates as they are (an error
location's formula is false by definition).
"""

from __future__ import annotations

from dataclasses import replace

from revet.model.cfa import Cfa, Edge
from revet.result.certificate import Certificate, Exhausted, LocationInvariants
from revet.result.trace import CfaTrace
from revet.transform.reduction import Reduction, same_draws, unchanged


def merge_errors(cfa: Cfa) -> Reduction:
    """See the module's text."""
    if len(cfa.errors) < 2 or cfa.initial in cfa.errors:
        return unchanged(cfa)
    merged, *others = cfa.errors
    gone = set(others)
    made = {
        edge if edge.target not in gone else replace(edge, target=merged): edge
        for edge in cfa.edges
        if edge.source not in gone
    }
    locations = tuple(location for location in cfa.locations if location not in gone)
    model = replace(cfa, locations=locations, edges=tuple(made), errors=(merged,))
    return Reduction(
        model,
        lambda trace: _trace_back(cfa, model, made, trace),
        lambda certificate: _certificate_back(cfa, certificate),
    )


def _trace_back(cfa: Cfa, model: Cfa, made: dict[Edge, Edge], trace: CfaTrace) -> CfaTrace:
    edges = tuple(made[edge] for edge in trace.edges)
    inputs = tuple(
        same_draws(given, model.relation(new), cfa.relation(old))
        for given, new, old in zip(trace.inputs, trace.edges, edges, strict=False)
    )
    locations = (trace.locations[0], *(edge.target for edge in edges))
    return CfaTrace(locations, trace.states, edges, inputs)


def _certificate_back(cfa: Cfa, certificate: Certificate) -> Certificate:
    if isinstance(certificate, Exhausted) and certificate.cuts is not None:
        return replace(certificate, cuts=certificate.cuts | set(cfa.errors))
    assert isinstance(certificate, (Exhausted, LocationInvariants))
    return certificate
