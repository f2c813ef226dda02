"""A layered drawing of a directed graph (after Sugiyama, Tagawa and Toda, 1981).

1. *Ranks*: back edges of a depth-first search are set aside; a node's rank is its longest
   distance from the start.
2. *Order*: within a rank, nodes are sorted by the average position of their neighbours in the
   rank above, then below, a few times.
3. *Coordinates*: ranks are rows; nodes of a row are spread evenly around the middle.

Enough for reading programs of up to some hundred locations; Graphviz does better beyond.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True)
class Placement:
    """Column centre and row of a node, in grid units."""

    x: float
    rank: int


def layered(
    nodes: Sequence[Node], edges: Sequence[tuple[Node, Node]], start: Node
) -> dict[Node, Placement]:
    forward = _without_back_edges(nodes, edges, start)
    ranks = _ranks(nodes, forward)
    rows = _order(nodes, forward, ranks)
    widest = max((len(row) for row in rows), default=1)
    placed = {}
    for rank, row in enumerate(rows):
        for column, node in enumerate(row):
            placed[node] = Placement((column + 0.5) * widest / len(row), rank)
    return placed


def _without_back_edges(
    nodes: Sequence[Node], edges: Sequence[tuple[Node, Node]], start: Node
) -> list[tuple[Node, Node]]:
    successors: dict[Node, list[Node]] = {node: [] for node in nodes}
    for source, target in edges:
        successors[source].append(target)
    back: set[tuple[Node, Node]] = set()
    state: dict[Node, int] = {}  # 1: on the search path, 2: done
    for root in (start, *nodes):
        if root in state:
            continue
        state[root] = 1
        stack = [(root, iter(successors[root]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if state.get(target) == 1:
                    back.add((node, target))
                elif target not in state:
                    state[target] = 1
                    stack.append((target, iter(successors[target])))
                    break
            else:
                state[node] = 2
                stack.pop()
    return [edge for edge in dict.fromkeys(edges) if edge not in back]


def _ranks(nodes: Sequence[Node], edges: Sequence[tuple[Node, Node]]) -> dict[Node, int]:
    """Longest path from a source, by Kahn's order."""
    successors: dict[Node, list[Node]] = {node: [] for node in nodes}
    missing = dict.fromkeys(nodes, 0)
    for source, target in edges:
        successors[source].append(target)
        missing[target] += 1
    rank = dict.fromkeys(nodes, 0)
    ready = [node for node in nodes if missing[node] == 0]
    for node in ready:  # grows while we walk it
        for target in successors[node]:
            rank[target] = max(rank[target], rank[node] + 1)
            missing[target] -= 1
            if missing[target] == 0:
                ready.append(target)
    return rank


def _order(
    nodes: Sequence[Node], edges: Sequence[tuple[Node, Node]], rank: dict[Node, int]
) -> list[list[Node]]:
    rows: list[list[Node]] = [[] for _ in range(max(rank.values(), default=0) + 1)]
    for node in nodes:
        rows[rank[node]].append(node)
    above: dict[Node, list[Node]] = {node: [] for node in nodes}
    below: dict[Node, list[Node]] = {node: [] for node in nodes}
    for source, target in edges:
        above[target].append(source)
        below[source].append(target)
    for sweep in range(4):
        neighbours, order = (above, rows[1:]) if sweep % 2 == 0 else (below, rows[-2::-1])
        position = {node: column / len(row) for row in rows for column, node in enumerate(row)}
        for row in order:
            row.sort(key=lambda node: _mean([position[n] for n in neighbours[node]], position[node]))
            position.update({node: column / len(row) for column, node in enumerate(row)})
    return rows


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
