"""A layered drawing of a directed graph (after Sugiyama, Tagawa and Toda, 1981).

1. *Ranks*: back edges of a depth-first search are turned round; a node's rank is its longest
   distance from the start. An edge that passes ranks gets a narrow dummy in each of them.
2. *Order*: within a rank, nodes are sorted by the average position of their neighbours in the
   rank above, then below, a few times.
3. *Coordinates*: every node wants to be below the middle of its neighbours; the nearest places
   that keep the order and do not overlap are an isotonic regression (pool adjacent violators).

Enough for reading programs of up to some hundred locations; Graphviz does better beyond.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Node = TypeVar("Node", bound=Hashable)
Point = tuple[float, float]

_GAP, _BETWEEN, _DUMMY = 26.0, 30.0, 14.0  # between columns, between rows, width of a dummy


@dataclass(frozen=True)
class Layout:
    """Centres of the nodes, and the points that each edge (by its number) passes on its way."""

    centre: Mapping[Any, Point]
    routes: Mapping[int, list[Point]]
    width: float
    height: float


def layout(
    sizes: Mapping[Node, tuple[float, float]], edges: Sequence[tuple[Node, Node]], start: Node
) -> Layout:
    """``sizes`` are widths and heights. Edges from a node to itself are the caller's to draw."""
    nodes = list(sizes)
    forward = set(_without_back_edges(nodes, edges, start))
    down = [(s, t) if (s, t) in forward else (t, s) for s, t in edges if s != t]
    rank: dict[Any, int] = dict(_ranks(nodes, list(dict.fromkeys(down))))
    chains, links = _dummies(edges, forward, rank)
    rows = _order(list(rank), list(dict.fromkeys(links)), rank)
    width = {node: sizes[node][0] if node in sizes else _DUMMY for node in rank}
    x = _coordinates(rows, links, width)
    tall = [max((sizes[n][1] for n in row if n in sizes), default=0.0) for row in rows]
    middle, top = [], 0.0
    for height in tall:
        middle.append(top + height / 2)
        top += height + _BETWEEN
    left = min((x[n] - width[n] / 2 for n in rank), default=0.0)
    right = max((x[n] + width[n] / 2 for n in rank), default=0.0)
    at = {node: (x[node] - left, middle[rank[node]]) for node in rank}
    routes = {number: [at[dummy] for dummy in chain] for number, chain in chains.items()}
    return Layout({node: at[node] for node in nodes}, routes, right - left, top - _BETWEEN)


def _dummies(
    edges: Sequence[tuple[Node, Node]], forward: set[tuple[Node, Node]], rank: dict[Any, int]
) -> tuple[dict[int, list[Any]], list[tuple[Any, Any]]]:
    """Adds dummies to ``rank``; the dummies of each edge in its direction, and all links downwards."""
    chains: dict[int, list[Any]] = {}
    links: list[tuple[Any, Any]] = []
    for number, (source, target) in enumerate(edges):
        if source == target:
            chains[number] = []
            continue
        upper, lower = (source, target) if (source, target) in forward else (target, source)
        chain: list[Any] = [("dummy", number, row) for row in range(rank[upper] + 1, rank[lower])]
        rank.update({dummy: dummy[2] for dummy in chain})
        path = [upper, *chain, lower]
        links += itertools.pairwise(path)
        chains[number] = chain if upper is source else chain[::-1]
    return chains, links


def _coordinates(
    rows: Sequence[Sequence[Any]], links: Sequence[tuple[Any, Any]], width: Mapping[Any, float]
) -> dict[Any, float]:
    above: dict[Any, list[Any]] = {node: [] for row in rows for node in row}
    below: dict[Any, list[Any]] = {node: [] for row in rows for node in row}
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    x: dict[Any, float] = {}
    for row in rows:
        x.update(zip(row, _spread([0.0] * len(row), [width[node] for node in row]), strict=True))
    for sweep in range(8):
        neighbours, order = (above, rows[1:]) if sweep % 2 == 0 else (below, rows[-2::-1])
        for row in order:
            wanted = [_mean([x[n] for n in neighbours[node]], x[node]) for node in row]
            x.update(zip(row, _spread(wanted, [width[node] for node in row]), strict=True))
    return x


def _spread(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The places nearest to the wanted ones (least squares) in this order and without overlap."""
    offsets, place = [], 0.0
    for n, width in enumerate(widths):
        place += (widths[n - 1] + width) / 2 + _GAP if n else 0.0
        offsets.append(place)
    blocks: list[tuple[float, int]] = []  # (mean, number of nodes), increasing
    for want, offset in zip(wanted, offsets, strict=True):
        mean, count = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, size = blocks.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        blocks.append((mean, count))
    shifts = [mean for mean, count in blocks for _ in range(count)]
    return [shift + offset for shift, offset in zip(shifts, offsets, strict=True)]


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
