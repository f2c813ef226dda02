"""Automata as self-contained SVG, drawn by ourselves so that nothing needs to be installed."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from revet.model.cfa import Cfa, Edge, Location
from revet.report.dot import edge_label
from revet.report.layout import layered

_COLUMN, _ROW, _RADIUS, _MARGIN = 230.0, 96.0, 19.0, 60.0

_STYLE = """
  .node { fill: #fff; stroke: #334; stroke-width: 1.5 }
  .initial { fill: #e8f0ff } .error { fill: #fdecea; stroke: #c0392b; stroke-width: 2.5 }
  .edge { fill: none; stroke: #778; stroke-width: 1.3; marker-end: url(#arrow) }
  .run { stroke: #c0392b; stroke-width: 2.4 }
  text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #223 }
  .name { text-anchor: middle; font-weight: bold } .label { text-anchor: middle; fill: #445 }
  .halo { stroke: #fff; stroke-width: 4; paint-order: stroke }
"""


def svg(cfa: Cfa, highlight: Collection[Edge] = ()) -> str:
    """The automaton; ``highlight`` draws these edges as a run."""
    placed = layered(cfa.locations, [(e.source, e.target) for e in cfa.edges], cfa.initial)
    centre = {
        location: (_MARGIN + p.x * _COLUMN, _MARGIN + p.rank * _ROW) for location, p in placed.items()
    }
    width = max((x for x, _ in centre.values()), default=0) + _COLUMN
    height = max((y for _, y in centre.values()), default=0) + _MARGIN
    body = _edges(cfa, centre, highlight) + _nodes(cfa, centre)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">\n<title>{escape(cfa.name)}</title>\n'
        f"<style>{_STYLE}</style>\n"
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#778"/></marker></defs>\n'
        + "\n".join(body) + "\n</svg>"
    )


def _nodes(cfa: Cfa, centre: dict[Location, tuple[float, float]]) -> list[str]:
    errors = set(cfa.errors)
    shapes = []
    for location, (x, y) in centre.items():
        kind = " error" if location in errors else " initial" if location is cfa.initial else ""
        name = location.name if len(location.name) <= 14 else location.name[:13] + "…"
        half = max(_RADIUS, 4.0 + 3.6 * len(name))
        shapes.append(
            f'<g><title>{escape(location.name)}</title><rect class="node{kind}" x="{x - half:.0f}" '
            f'y="{y - _RADIUS:.0f}" width="{2 * half:.0f}" height="{2 * _RADIUS:.0f}" rx="{_RADIUS}"/>'
            f'<text class="name" x="{x:.0f}" y="{y + 4:.0f}">{escape(name)}</text></g>'
        )
    return shapes


def _edges(
    cfa: Cfa, centre: dict[Location, tuple[float, float]], highlight: Collection[Edge]
) -> list[str]:
    seen: dict[tuple[Location, Location], int] = {}
    shapes = []
    for edge in cfa.edges:
        ends = (edge.source, edge.target)
        parallel = seen[ends] = seen.get(ends, -1) + 1
        path, (x, y) = _curve(centre[edge.source], centre[edge.target], parallel)
        kind = " run" if edge in highlight else ""
        shapes.append(f'<path class="edge{kind}" d="{path}"><title>{escape(str(edge))}</title></path>')
        shapes.append(
            f'<text class="label halo" x="{x:.0f}" y="{y:.0f}">{escape(edge_label(edge, 30))}</text>'
        )
    return shapes


def _curve(
    start: tuple[float, float], end: tuple[float, float], parallel: int
) -> tuple[str, tuple[float, float]]:
    """The path of an edge and where its label goes."""
    (x1, y1), (x2, y2) = start, end
    if start == end:  # a self-loop, to the right
        bulge = 60 + 22 * parallel
        out, control = f"{x1 + 12:.0f},{y1 - 15:.0f}", f"{x1 + bulge:.0f},{y1 - 45:.0f}"
        path = f"M{out} C{control} {x1 + bulge:.0f},{y1 + 45:.0f} {x1 + 12:.0f},{y1 + 17:.0f}"
        return path, (x1 + bulge, y1 + 4 + 12 * parallel)
    if y2 - y1 > 1.5 * _ROW and abs(x2 - x1) < _COLUMN / 2:  # past other rows: around the left
        side = min(x1, x2) - 70 - 18 * parallel - (y2 - y1) / 12
        path = f"M{x1 - 12:.0f},{y1 + 14:.0f} Q{side:.0f},{(y1 + y2) / 2:.0f} {x2 - 12:.0f},{y2 - 16:.0f}"
        return path, ((side + min(x1, x2)) / 2 - 44, (y1 + y2) / 2 + 4)
    if y2 > y1:  # downwards: nearly straight, parallels fanned out
        shift = 46.0 * parallel * (1 if parallel % 2 else -1)
        middle = ((x1 + x2) / 2 + shift, (y1 + y2) / 2)
        control = f"{middle[0] + shift:.0f},{middle[1]:.0f}"
        path = f"M{x1:.0f},{y1 + _RADIUS:.0f} Q{control} {x2:.0f},{y2 - _RADIUS - 2:.0f}"
        return path, (middle[0], middle[1] + 4)
    side = max(x1, x2) + _COLUMN * 0.42 + 26 * parallel  # upwards: around the side
    path = f"M{x1 + 14:.0f},{y1:.0f} C{side:.0f},{y1:.0f} {side:.0f},{y2:.0f} {x2 + _RADIUS + 2:.0f},{y2:.0f}"
    return path, (side - 24, (y1 + y2) / 2)
