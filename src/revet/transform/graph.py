"""The shape of an automaton: what is reachable, where loops begin, a topological order."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TypeVar

from revet.logic.terms import FALSE, Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assume

N = TypeVar("N")
E = TypeVar("E")


def is_infeasible(edge: Edge) -> bool:
    """Does the edge assume *false*, literally?"""
    return any(isinstance(s, Assume) and s.condition is FALSE for s in edge.statements)


def reach(
    starts: Iterable[Location], edges: Callable[[Location], Iterable[Edge]], end: Callable[[Edge], Location]
) -> dict[Location, None]:
    """The locations that can be reached from ``starts``, in the order of discovery."""
    found = dict.fromkeys(starts)
    stack = list(found)
    while stack:
        for edge in edges(stack.pop()):
            location = end(edge)
            if location not in found:
                found[location] = None
                stack.append(location)
    return found


def live_edges(cfa: Cfa) -> list[Edge]:
    """The edges that lie on a path from the initial location to the first error on it."""
    errors = set(cfa.errors)

    def leaving(location: Location) -> list[Edge]:
        return [] if location in errors else [e for e in cfa.outgoing[location] if not is_infeasible(e)]

    def entering(location: Location) -> list[Edge]:
        return [e for e in cfa.incoming[location] if e.source not in errors and not is_infeasible(e)]

    forward = reach([cfa.initial], leaving, lambda edge: edge.target)
    backward = reach(cfa.errors, entering, lambda edge: edge.source)
    return [
        edge
        for edge in cfa.edges
        if edge.source in forward and edge.target in backward
        and edge.source not in errors and not is_infeasible(edge)
    ]


def live_variables(
    cfa: Cfa, relevant: Sequence[Location], steps: Mapping[Edge, Relation] | None = None
) -> dict[Location, list[Term]]:
    """Variables whose value at a location can still matter for reaching an error. ``steps``: the edges'
    relations in another form (with definitions inlined, say, which tells more)."""
    live: dict[Location, set[Term]] = {location: set() for location in relevant}
    known = frozenset(cfa.variables)
    queue = dict.fromkeys(relevant)
    while queue:
        location = next(iter(queue))
        del queue[location]
        needed: set[Term] = set()
        for edge in cfa.outgoing[location]:
            relation = cfa.relation(edge) if steps is None else steps[edge]
            needed |= free_vars(relation.guard) & known
            for x in live.get(edge.target, ()):
                needed |= free_vars(relation.after(x)) & known
        if needed - live[location]:
            live[location] |= needed
            queue.update(
                dict.fromkeys(e.source for e in cfa.incoming[location] if e.source in live)
            )
    return {location: [x for x in cfa.variables if x in live[location]] for location in relevant}


def successors(edges: Sequence[Edge]) -> dict[Location, list[Edge]]:
    found: dict[Location, list[Edge]] = {}
    for edge in edges:
        found.setdefault(edge.source, []).append(edge)
    return found


def depth_first(
    roots: Iterable[N], outgoing: Callable[[N], Iterable[tuple[E, N]]]
) -> tuple[dict[E, None], dict[N, int]]:
    """The edges that close a cycle in a depth-first search, and the nodes in postorder with falling numbers.

    ``outgoing``: the edges that leave a node, each with its target. Edges that are not back edges lead to
    larger numbers.
    """
    back: dict[E, None] = {}
    open_: set[N] = set()
    done: dict[N, int] = {}
    for root in roots:
        if root in done:
            continue
        open_.add(root)
        stack = [(root, iter(outgoing(root)))]
        while stack:
            node, edges = stack[-1]
            for edge, target in edges:
                if target in open_:
                    back[edge] = None
                elif target not in done:
                    open_.add(target)
                    stack.append((target, iter(outgoing(target))))
                    break
            else:
                stack.pop()
                open_.discard(node)
                done[node] = -len(done)
    return back, done


def loop_heads(initial: Location, leaving: Mapping[Location, Sequence[Edge]]) -> dict[Location, None]:
    """The targets of edges that go back to a location on the depth-first path.

    In a reducible graph these are the loop heads, whatever the order of the search. In any graph
    every cycle contains such a target, so cutting there leaves no cycle.
    """
    back, _ = depth_first([initial], lambda x: ((edge, edge.target) for edge in leaving.get(x, ())))
    return dict.fromkeys(edge.target for edge in back)


def topological(
    roots: Iterable[Location], leaving: Mapping[Location, Sequence[Edge]], cuts: Container[Location]
) -> list[Location]:
    """What ``roots`` reach without passing a cut, sources before targets; the cuts break all cycles."""
    _, order = depth_first(
        roots, lambda x: ((edge, edge.target) for edge in leaving.get(x, ()) if edge.target not in cuts)
    )
    return list(reversed(order))
