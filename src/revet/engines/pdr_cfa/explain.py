"""The frames as a table, levels × locations, as people draw it on a blackboard."""

from __future__ import annotations

from revet.engines.pdr_cfa.frames import Frames, clause_of
from revet.engines.pdr_cfa.graph import Graph
from revet.events import Arrow, Box, Explained
from revet.model.cfa import Location


def frame_rows(graph: Graph, frames: Frames) -> list[list[str]]:
    """A row a location (errors left out): its name, then F[0], F[1], … ."""
    errors = set(graph.cfa.errors)
    return [
        [location.name, *(_cell(graph, frames, location, level) for level in range(frames.top + 1))]
        for location in graph.cfa.locations
        if location not in errors
    ]


def _cell(graph: Graph, frames: Frames, location: Location, level: int) -> str:
    """Where a frame starts from, and the lemmas that strengthen it."""
    lemmas = [str(clause_of(cube)) for cube in frames.above(location, level)]
    return " and ".join(["false" if graph.unreachable(location, level) else "true", *lemmas])


def frame_table(graph: Graph, frames: Frames) -> str:
    rows = [["level", *(str(level) for level in range(frames.top + 1))], *frame_rows(graph, frames)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def explained(engine: str, phase: str, graph: Graph, frames: Frames) -> Explained:
    """The table, and the automaton with every location's frames in its box."""
    cells = {name: levels for name, *levels in frame_rows(graph, frames)}
    errors = set(graph.cfa.errors)
    boxes = [
        Box(
            location.name,
            location.name,
            tuple(f"F{level}: {cell}" for level, cell in enumerate(cells.get(location.name, ()))),
            "error" if location in errors else "initial" if location is graph.cfa.initial else "",
        )
        for location in graph.cfa.locations
    ]
    arrows = [Arrow(edge.source.name, edge.target.name, str(edge)) for edge in graph.cfa.edges]
    title = f"{phase}, levels 0 to {frames.top}"
    return Explained(engine, title, frame_table(graph, frames), tuple(boxes), tuple(arrows))
