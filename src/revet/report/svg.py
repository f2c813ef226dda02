"""Automata as self-contained SVG, drawn by ourselves so that nothing needs to be installed.

Labels are nodes of the layout, so that they do not cover each other. Nodes and edges carry
``data-node`` and ``data-edge`` (their numbers in the automaton), so that a page can mark them;
colours are CSS variables with defaults, so that a page can have its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from html import escape

from revet.model.cfa import Cfa, Edge, Location
from revet.report.dot import edge_label
from revet.report.layout import Layout, Point, layout

_HEIGHT, _MARGIN, _LINE, _CHARACTER = 34.0, 24.0, 13.5, 6.7



def _themed(style: str) -> str:
    """Every colour twice: programs that draw without knowing variables take the first."""
    return re.sub(r"(\w+): var\((--[\w-]+), (#\w+)\)", r"\1: \3; \1: var(\2, \3)", style)


_STYLE = _themed("""
  .cfa .node { fill: var(--graph-node, #fff); stroke: var(--graph-line, #334); stroke-width: 1.5 }
  .cfa .initial { fill: var(--graph-initial, #e8f0ff) }
  .cfa .error { fill: var(--graph-error, #fdecea); stroke: var(--graph-run, #c0392b); stroke-width: 2.5 }
  .cfa .edge { fill: none; stroke: var(--graph-edge, #778); stroke-width: 1.3 }
  .cfa .run { stroke: var(--graph-run, #c0392b); stroke-width: 2.4 }
  .cfa .end { marker-end: url(#arrow) }
  .cfa .run .end { marker-end: url(#arrow-run) }
  .cfa text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
    fill: var(--graph-text, #223); text-anchor: middle; stroke: none }
  .cfa .name { font-weight: bold }
""")
MARKER = (
    '<marker id="{}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 L8,4 L0,8 z" stroke="none" style="fill: {}"/>'
    "</marker>"
)


def svg(cfa: Cfa, highlight: Collection[Edge] = (), *, label_width: int = 30, label_lines: int = 1) -> str:
    """The automaton; ``highlight`` draws these edges as a run.

    A label has at most ``label_lines`` lines of the edge's text, each cut at ``label_width``."""
    labels = {edge: _label(edge, label_width, label_lines) for edge in cfa.edges}
    sizes: dict[Location | Edge, tuple[float, float]] = {x: _node_size(x) for x in cfa.locations}
    links: list[tuple[Location | Edge, Location | Edge]] = []
    for edge, label in labels.items():
        sizes[edge] = (_CHARACTER * max(map(len, label), default=0) + 8, _LINE * len(label))
        links += [(edge.source, edge), (edge, edge.target)]
    placed = layout(sizes, links, cfa.initial)
    body = _edges(cfa, placed, sizes, labels, set(highlight)) + _nodes(cfa, placed, sizes)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cfa" viewBox="{-_MARGIN:.0f} {-_MARGIN:.0f} '
        f'{width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">\n'
        f"<title>{escape(cfa.name)}</title>\n<style>{_STYLE}</style>\n<defs>"
        + _themed(MARKER.format("arrow", "var(--graph-edge, #778)"))
        + _themed(MARKER.format("arrow-run", "var(--graph-run, #c0392b)"))
        + "</defs>\n" + "\n".join(body) + "\n</svg>"
    )


def _label(edge: Edge, width: int, lines: int) -> list[str]:
    if str(edge) in ("skip", ""):
        return []
    if lines == 1:
        return [edge_label(edge, width)]
    texts = [line for line in str(edge).split("\n") if line.strip()]
    if len(texts) > lines:
        texts = [*texts[: lines - 1], f"… {len(texts) - lines + 1} more"]
    return [text if len(text) <= width else text[: width - 1] + "…" for text in texts]


def _name(location: Location) -> str:
    return location.name if len(location.name) <= 32 else location.name[:31] + "…"


def _node_size(location: Location) -> tuple[float, float]:
    return max(_HEIGHT, 24 + _CHARACTER * len(_name(location))), _HEIGHT


def _nodes(
    cfa: Cfa, placed: Layout, sizes: Mapping[Location | Edge, tuple[float, float]]
) -> list[str]:
    errors = set(cfa.errors)
    shapes = []
    for number, location in enumerate(cfa.locations):
        x, y = placed.centre[location]
        wide, high = sizes[location]
        kind = " error" if location in errors else " initial" if location is cfa.initial else ""
        shapes.append(
            f'<g data-node="{number}"><title>{escape(location.name)}</title><rect class="node{kind}" '
            f'x="{x - wide / 2:.0f}" y="{y - high / 2:.0f}" width="{wide:.0f}" height="{high:.0f}" '
            f'rx="{high / 2:.0f}"/><text class="name" x="{x:.0f}" y="{y + 4:.0f}">'
            f"{escape(_name(location))}</text></g>"
        )
    return shapes


def _edges(
    cfa: Cfa, placed: Layout, sizes: Mapping[Location | Edge, tuple[float, float]],
    labels: Mapping[Edge, list[str]], highlight: Collection[Edge],
) -> list[str]:
    shapes = []
    for number, edge in enumerate(cfa.edges):
        x, y = placed.centre[edge]
        high = sizes[edge][1]
        to_label = [placed.centre[edge.source], *placed.routes[2 * number], (x, y)]
        from_label = [(x, y), *placed.routes[2 * number + 1], placed.centre[edge.target]]
        *stem, last = lines(
            to_label, from_label, sizes[edge.source][1] / 2, high / 2, sizes[edge.target][1] / 2 + 1,
            loop=edge.source is edge.target,
        )
        first = y - _LINE * (len(labels[edge]) - 1) / 2 + 4
        spans = "".join(
            f'<tspan x="{x:.0f}" y="{first + _LINE * n:.0f}">{escape(text)}</tspan>'
            for n, text in enumerate(labels[edge])
        )
        kind = " run" if edge in highlight else ""
        shapes.append(
            f'<g class="edge{kind}" data-edge="{number}"><title>{escape(str(edge))}</title>'
            + "".join(f'<path d="{path}"/>' for path in stem) + f'<path class="end" d="{last}"/>'
            + (f"<text>{spans}</text>" if spans else "") + "</g>"
        )
    return shapes


def lines(
    out: Sequence[Point], back: Sequence[Point], before: float, label: float, after: float, *, loop: bool
) -> list[str]:
    """The paths of an edge, ``out`` to its label and ``back`` from there to its target; a single path if
    there is no label. The numbers are half the heights of source, label and target. Where the way turns round
    at the label the two halves are side by side, and so they are at the node of a loop."""
    if loop:
        (x, y), (end, bottom) = out[0], back[-1]
        out, back = [(x - 10, y), *out[1:]], [*back[:-1], (end + 10, bottom)]
    (u, v), above = back[0], out[-2][1] < back[0][1]
    turns, side = above == (back[1][1] < v), 6 if back[1][0] >= out[-2][0] else -6
    if turns:
        out, back = [*out[:-1], (u - side, v)], [(u + side, v), *back[1:]]
    if label:
        return [curve(out, before, label), curve(back, label, after)]
    if not turns:
        return [curve([*out, *back[1:]], before, after)]
    arc = f"A6,6 0 0 {int((side < 0) == above)}"
    return [f"{curve(out, before, 0.0)} {arc} {curve(back, 0.0, after)[1:]}"]


def curve(points: Sequence[Point], before: float, after: float) -> str:
    """Through the points, with vertical tangents; ``before`` and ``after`` keep off the boxes."""
    (x1, y1), (x2, y2) = points[0], points[-1]
    start = (x1, y1 + (before if points[1][1] > y1 else -before))
    end = (x2, y2 + (-after if points[-2][1] < y2 else after))
    path = [f"M{start[0]:.0f},{start[1]:.0f}"]
    here = start
    for x, y in [*points[1:-1], end]:
        middle = (here[1] + y) / 2
        path.append(f"C{here[0]:.0f},{middle:.0f} {x:.0f},{middle:.0f} {x:.0f},{y:.0f}")
        here = (x, y)
    return " ".join(path)
