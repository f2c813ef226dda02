"""The abstract reachability tree at work: nodes, covering, and cutting subtrees away.

A node is covered when a node at the same location is at least as weak: fewer known values, and
predicates that its own imply. To find such a node among thousands, the nodes of a location are
indexed by the variables whose value they know and by those values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from revet.engines.cegar.art import Art, ArtNode
from revet.engines.cegar.explicit import formulas
from revet.engines.cegar.graph import Step
from revet.logic.core import conjunction
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.cfa import Location

Region = tuple[Term, ...]
"""What the predicates say: a conjunction."""


Stamp = tuple[tuple[Term, ...], int, bool]
"""The precision that a state was computed with (``Precision.stamp``)."""


@dataclass(eq=False, slots=True)
class Node:
    location: Location
    values: Mapping[Term, Value]
    region: Region
    stamp: Stamp
    parent: Node | None = None
    step: Step | None = None
    depth: int = 0
    covered_by: Node | None = None
    indexed: bool = False
    removed: bool = False
    children: list[Node] = field(default_factory=list)
    covers: dict[Node, None] = field(default_factory=dict)

    @property
    def state(self) -> tuple[Term, ...]:
        return (*formulas(self.values), *self.region)

    @property
    def formula(self) -> Term:
        return conjunction(self.state)

    def path(self) -> list[Node]:
        """From the root to this node."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


_Key = tuple[Value, ...]
_Group = dict[_Key, list[Node]]


class Tree:
    def __init__(self, weaker: Callable[[Region, Region], bool]) -> None:
        """``weaker(a, b)``: does every state of region a belong to b?"""
        self._weaker = weaker
        self._index: dict[Location, dict[tuple[Term, ...], _Group]] = {}
        self.root: Node | None = None
        self.size = 0

    def add(self, node: Node) -> None:
        """Put a node into the tree, covered if possible."""
        self.size += 1
        if node.parent is None:
            self.root = node
        else:
            node.parent.children.append(node)
        self.settle(node)

    def settle(self, node: Node) -> bool:
        """Find a cover for a node that has none, or let it cover others; says whether it is covered."""
        cover = self._cover(node)
        if cover is not None:
            node.covered_by = cover
            cover.covers[node] = None
            return True
        self._slot(node).append(node)
        node.indexed = True
        return False

    def _cover(self, node: Node) -> Node | None:
        groups = self._index.get(node.location)
        if groups is None:
            return None
        for known, group in groups.items():
            try:
                key = tuple([node.values[x] for x in known])
            except KeyError:
                continue
            for other in group.get(key, ()):
                if other.region == node.region or self._weaker(node.region, other.region):
                    return other
        return None

    def _slot(self, node: Node) -> list[Node]:
        """The nodes there with the same values; ``node.values`` always has them in one order."""
        groups = self._index.setdefault(node.location, {})
        return groups.setdefault(tuple(node.values), {}).setdefault(tuple(node.values.values()), [])

    def _forget(self, node: Node) -> None:
        """Take a node out of the index, with what becomes empty: old precisions leave no trace."""
        groups = self._index[node.location]
        known, key = tuple(node.values), tuple(node.values.values())
        group = groups[known]
        group[key].remove(node)
        if not group[key]:
            del group[key]
        if not group:
            del groups[known]

    def remove(self, top: Node) -> list[Node]:
        """Cut a node and everything below it away; returns nodes that are no longer covered."""
        if top.parent is not None:
            top.parent.children.remove(top)
        uncovered: list[Node] = []
        stack = [top]
        while stack:
            node = stack.pop()
            node.removed = True
            self.size -= 1
            stack.extend(node.children)
            node.children = []  # no cycles: what nobody waits for is freed at once
            if node.covered_by is not None:
                del node.covered_by.covers[node]
            elif node.indexed:
                self._forget(node)
            for other in node.covers:
                other.covered_by = None
                uncovered.append(other)
            node.covers = {}
        return [node for node in uncovered if not node.removed]

    def nodes(self) -> Iterator[Node]:
        """Parents before children."""
        stack = [self.root] if self.root is not None else []
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def snapshot(self, errors: frozenset[Location]) -> Art:
        numbers = {node: number for number, node in enumerate(self.nodes())}
        return Art(
            tuple(
                ArtNode(
                    number,
                    node.location.name,
                    node.state,
                    None if node.parent is None else numbers[node.parent],
                    None if node.step is None else str(node.step),
                    None if node.covered_by is None else numbers[node.covered_by],
                    node.location in errors,
                )
                for node, number in numbers.items()
            )
        )
