"""Which locations matter: only through them can a run reach an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from revet.model.cfa import Cfa, Edge, Location


def relevant_locations(cfa: Cfa) -> frozenset[Location]:
    """Reachable in the graph from the initial location, and leading to an error location.

    Error locations are ends: what comes after one is not looked at.
    """
    errors = frozenset(cfa.errors)
    forwards = {at: () if at in errors else edges for at, edges in cfa.outgoing.items()}
    backwards = {
        at: tuple(edge for edge in edges if edge.source not in errors)
        for at, edges in cfa.incoming.items()
    }
    reachable = _closure([cfa.initial], forwards, forward=True)
    leading = _closure(cfa.errors, backwards, forward=False)
    return frozenset(reachable & leading)


def _closure(
    start: Iterable[Location], edges: Mapping[Location, tuple[Edge, ...]], *, forward: bool
) -> set[Location]:
    seen = set(start)
    stack = list(seen)
    while stack:
        for edge in edges[stack.pop()]:
            end = edge.target if forward else edge.source
            if end not in seen:
                seen.add(end)
                stack.append(end)
    return seen
