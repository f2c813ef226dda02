"""The abstract reachability tree as a picture of what was done: plain data, no solver, no links.

The engine works on :mod:`revet.engines.cegar.tree`; at its end it reports a snapshot of that tree
as an :class:`Art` in an event (``revet.events.TreeBuilt``), which can be sent to another process,
drawn, or compared in a test. Nodes refer to each other by their place in ``Art.nodes``.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.logic.core import conjunction
from revet.logic.terms import Term


@dataclass(frozen=True, slots=True)
class ArtNode:
    """An abstract state at a location, reached from ``parent`` by ``edge``.

    ``state`` is a conjunction: what the values and predicates that are tracked say. ``edge`` is
    the statement's text (several, in order, where a straight piece was crossed at once), None at
    the root. A covered node was not explored: everything below it is found below ``covered_by``,
    which stands at the same location with a weaker state.
    """

    number: int
    location: str
    state: tuple[Term, ...]
    parent: int | None = None
    edge: str | None = None
    covered_by: int | None = None
    error: bool = False

    @property
    def formula(self) -> Term:
        return conjunction(self.state)


@dataclass(frozen=True, slots=True)
class Art:
    """All nodes that refinement did not cut away, parents before children."""

    nodes: tuple[ArtNode, ...]

    def children(self, node: ArtNode) -> list[ArtNode]:
        return [other for other in self.nodes if other.parent == node.number]

    def at(self, location: str) -> list[ArtNode]:
        return [node for node in self.nodes if node.location == location]

    def __str__(self) -> str:
        covered = sum(node.covered_by is not None for node in self.nodes)
        return f"{len(self.nodes)} nodes, {covered} covered"
