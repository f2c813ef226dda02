"""The abstract reachability tree for a person: indented text, and boxes to draw."""

from __future__ import annotations

from revet.engines.cegar.art import Art, ArtNode
from revet.events import Arrow, Box, Explained
from revet.logic.pretty import pretty


def explained(engine: str, title: str, tree: Art) -> Explained:
    """The tree with every node's state, parents above their children."""
    boxes = tuple(
        Box(str(node.number), f"{node.number}: {node.location}", _lines(node), _kind(node))
        for node in tree.nodes
    )
    arrows = [
        Arrow(str(node.parent), str(node.number), node.edge or "")
        for node in tree.nodes
        if node.parent is not None
    ]
    arrows += [
        Arrow(str(node.number), str(node.covered_by), kind="covered")
        for node in tree.nodes
        if node.covered_by is not None
    ]
    return Explained(engine, f"{title}: {tree}", tree_text(tree), boxes, tuple(arrows))


def tree_text(tree: Art) -> str:
    """A line a node, indented by its depth: number, location, state, and what covers it."""
    depths: dict[int, int] = {}
    lines = []
    for node in tree.nodes:
        depths[node.number] = 0 if node.parent is None else depths[node.parent] + 1
        state = " and ".join(_lines(node)) or "true"
        end = "" if node.covered_by is None else f" (covered by {node.covered_by})"
        lines.append(f"{'  ' * depths[node.number]}{node.number} {node.location}: {state}{end}")
    return "\n".join(lines)


def _lines(node: ArtNode) -> tuple[str, ...]:
    return tuple(pretty(part) for part in node.state)


def _kind(node: ArtNode) -> str:
    if node.error:
        return "error"
    if node.covered_by is not None:
        return "covered"
    return "initial" if node.parent is None else ""
