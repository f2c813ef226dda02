"""The unfolding as a picture: the tree of paths of the depth-first search, the layers of the global one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.events import Arrow, Box, Explained
from revet.logic.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.engines.bmc.unfolding import Node
    from revet.engines.common.context import Context
    from revet.logic.terms import Term
    from revet.model.cfa import Edge, Location

_LONGEST = 70  # characters of a constraint
_MOST = 2000  # nodes that are kept: a picture of more is none


class TreePicture:
    """A node for every path that was tried, in the order of the search; paths that cannot be executed are
    marked, as the notes draw them in red. The constraint at a node is what its last edge demands."""

    def __init__(self, context: Context, backward: bool, errors: frozenset[Location]) -> None:
        self._context = context
        self._backward = backward
        self._errors = errors
        self._lines: list[str] = []
        self._boxes: list[Box] = []
        self._arrows: list[Arrow] = []
        self._open: list[str] = []

    def tried(
        self, depth: int, location: Location, edge: Edge | None, constraint: Term, outcome: str
    ) -> None:
        """``depth`` is the length of the path; ``outcome``: "", "infeasible" or "too long"."""
        if len(self._boxes) >= _MOST:
            return
        key = str(len(self._boxes))
        del self._open[depth:]
        text = "" if edge is None else pretty(constraint, _LONGEST)
        end = f"  ({outcome})" if outcome else ""
        self._lines.append(f"{'  ' * depth}{location.name}{': ' + text if text else ''}{end}")
        start = "initial" if depth == 0 else ""
        kind = "covered" if outcome else "error" if location in self._errors else start
        lines = tuple(part for part in (text, outcome) if part)
        self._boxes.append(Box(key, f"{location.name} at depth {depth}", lines, kind))
        if self._open:
            ends = (key, self._open[-1]) if self._backward else (self._open[-1], key)
            self._arrows.append(Arrow(*ends, "" if edge is None else str(edge)))
        self._open.append(key)

    def show(self, limit: int) -> None:
        direction = "backward" if self._backward else "forward"
        title = f"{direction} unfolding up to {limit} steps, {len(self._boxes)} paths"
        text = "\n".join(self._lines)
        self._context.observe(Explained("bmc", title, text, tuple(self._boxes), tuple(self._arrows)))


class LayersPicture:
    """The locations that the unfolding has at each depth: one formula stands for all paths between them."""

    def __init__(self, context: Context, backward: bool) -> None:
        self._context = context
        self._backward = backward
        self._lines: list[str] = []
        self._boxes: list[Box] = []

    def layer(self, depth: int, frontier: Sequence[Node], found: str) -> None:
        """``found``: what the question about runs of this length gave."""
        names = [node.location.name for node in frontier]
        self._lines.append(f"depth {depth}: {', '.join(names) or 'nothing'}  ({found})")
        self._boxes.append(Box(str(depth), f"depth {depth}", (", ".join(names), found)))
        arrows = [Arrow(str(n), str(n + 1), "step") for n in range(len(self._boxes) - 1)]
        direction = "backward" if self._backward else "forward"
        title = f"{direction} unfolding up to depth {depth}"
        self._context.observe(
            Explained("bmc", title, "\n".join(self._lines), tuple(self._boxes), tuple(arrows))
        )
