"""Weak topological orders (Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993).

The locations in an order in which edges go forward, except those that return to the head of a
*component* they lie in; components nest as loops do. Computed from strongly connected components:
take the head out of each, and order the rest in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from revet.model.cfa import Cfa, Location


@dataclass(frozen=True, eq=False)
class Order:
    """``locations`` in order; ``ends``: at each place, the places of the heads whose component ends
    there, innermost first; ``last``: from a head's place to that of its component's end."""

    locations: Sequence[Location]
    ends: Mapping[int, Sequence[int]]
    last: Mapping[int, int]


Graph = Mapping[Location, Sequence[Location]]


def weak_topological_order(cfa: Cfa) -> Order:
    """Of the locations that the graph reaches from the initial one."""
    graph = {at: [edge.target for edge in edges] for at, edges in cfa.outgoing.items()}
    locations: list[Location] = []
    ends: dict[int, list[int]] = {}
    last: dict[int, int] = {}
    # Work still to do, the next piece last: a component to order, or (its head's place) to close.
    tasks: list[tuple[Location, ...] | int] = _components([cfa.initial], graph, None)
    while tasks:
        task = tasks.pop()
        if isinstance(task, int):
            last[task] = len(locations) - 1
            ends.setdefault(len(locations) - 1, []).append(task)
            continue
        head, *rest = task
        place = len(locations)
        locations.append(head)
        if rest or head in graph[head]:
            tasks.append(place)
            tasks += _components(graph[head], graph, set(rest))
    return Order(locations, ends, last)


def _components(
    roots: Iterable[Location], graph: Graph, members: set[Location] | None
) -> list[tuple[Location, ...] | int]:
    """The strongly connected components of the members that the roots reach, edges going from later
    ones to earlier ones; in each, the location first visited comes first. (Tarjan 1972, iterative.)"""
    found: list[tuple[Location, ...] | int] = []
    number: dict[Location, int] = {}
    lowest: dict[Location, int] = {}
    open_: dict[Location, None] = {}  # visited, component not yet complete; in order of visit
    for root in roots:
        if root in number or (members is not None and root not in members):
            continue
        stack = [(root, iter(graph[root]))]
        number[root] = lowest[root] = len(number)
        open_[root] = None
        while stack:
            location, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                stack.pop()
                if stack:
                    lowest[stack[-1][0]] = min(lowest[stack[-1][0]], lowest[location])
                if lowest[location] == number[location]:
                    found.append(_take(location, open_))
            elif target in number:
                if target in open_:
                    lowest[location] = min(lowest[location], number[target])
            elif members is None or target in members:
                number[target] = lowest[target] = len(number)
                open_[target] = None
                stack.append((target, iter(graph[target])))
    return found


def _take(first: Location, open_: dict[Location, None]) -> tuple[Location, ...]:
    """Remove the locations visited since ``first``."""
    taken: list[Location] = []
    while not taken or taken[-1] is not first:
        taken.append(open_.popitem()[0])
    return tuple(reversed(taken))
