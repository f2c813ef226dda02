"""What an engine explains (:class:`revet.events.Explained`), drawn: boxes with lines of text.

:func:`drawing_dot` leaves the placing to Graphviz, :func:`drawing_svg` does it here with
:mod:`revet.report.layout`: ranks are rows, as high as their highest box.
"""

from __future__ import annotations

from html import escape

from revet.events import Arrow, Box, Explained
from revet.report.dot import quoted
from revet.report.layout import layered

_LETTER, _LINE, _GAP, _MARGIN, _WIDEST = 6.7, 15.0, 56.0, 40.0, 60

_STYLE = """
  .box { fill: #fff; stroke: #334; stroke-width: 1.4 }
  .initial { fill: #e8f0ff } .error { fill: #fdecea; stroke: #c0392b } .covered { stroke-dasharray: 5 4 }
  .arrow { fill: none; stroke: #778; stroke-width: 1.3; marker-end: url(#arrow) }
  .arrow.covered { stroke-dasharray: 5 4 } .run { stroke: #c0392b; stroke-width: 2.4 }
  text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #223 }
  .title { font-weight: bold } .label { fill: #556; stroke: #fff; stroke-width: 4; paint-order: stroke }
"""

Point = tuple[float, float]


def cut(text: str, width: int = _WIDEST) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def drawing_dot(picture: Explained) -> str:
    """The drawing in Graphviz's DOT, every box a left-aligned list of lines."""
    lines = [
        f"digraph {quoted(picture.engine)} {{",
        f"  label={quoted(picture.title)}; labelloc=t; fontname=monospace;",
        "  node [shape=box, fontname=monospace, fontsize=11];",
        "  edge [fontname=monospace, fontsize=10];",
    ]
    looks = {
        "initial": ", style=filled, fillcolor=aliceblue",
        "error": ", color=red",
        "covered": ", style=dashed",
    }
    for box in picture.boxes:
        # Graphviz writes \l for a line that ends here and stands left.
        text = "".join(quoted(cut(line))[1:-1] + r"\l" for line in (box.title, *box.lines))
        lines.append(f'  {quoted(box.key)} [label="{text}"{looks.get(box.kind, "")}];')
    styles = {"covered": ", style=dashed, constraint=false", "run": ", color=red"}
    for arrow in picture.arrows:
        label = quoted(cut(arrow.label, 40))
        style = styles.get(arrow.kind, "")
        lines.append(f"  {quoted(arrow.source)} -> {quoted(arrow.target)} [label={label}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def drawing_svg(picture: Explained) -> str:
    """The drawing as self-contained SVG."""
    middles = _places(picture)
    sizes = {box.key: _size(box) for box in picture.boxes}
    width = max((x + sizes[key][0] / 2 for key, (x, _) in middles.items()), default=0) + 3 * _MARGIN
    height = max((y + sizes[key][1] / 2 for key, (_, y) in middles.items()), default=0) + _MARGIN
    body = _arrows(picture, middles, sizes)
    for box in picture.boxes:
        body += _box(box, middles[box.key], sizes[box.key])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">\n<title>{escape(picture.title)}</title>\n'
        f"<style>{_STYLE}</style>\n"
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#778"/></marker></defs>\n'
        f'<text class="title" x="{_MARGIN}" y="22">{escape(picture.engine)}: {escape(picture.title)}</text>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _size(box: Box) -> Point:
    longest = max(len(cut(line)) for line in (box.title, *box.lines))
    return longest * _LETTER + 18, (1 + len(box.lines)) * _LINE + 12


def _places(picture: Explained) -> dict[str, Point]:
    """Middles of the boxes: columns as wide as the widest box, rows as high as their highest."""
    if not picture.boxes:
        return {}
    keys = [box.key for box in picture.boxes]
    start = next((box.key for box in picture.boxes if box.kind == "initial"), keys[0])
    ends = [(arrow.source, arrow.target) for arrow in picture.arrows if arrow.kind != "covered"]
    placed = layered(keys, ends, start)
    sizes = {box.key: _size(box) for box in picture.boxes}
    column = max(width for width, _ in sizes.values()) + _GAP
    heights: dict[int, float] = {}
    for key, place in placed.items():
        heights[place.rank] = max(heights.get(place.rank, 0.0), sizes[key][1])
    middle, top = {}, _MARGIN + 8
    for rank in sorted(heights):
        middle[rank] = top + heights[rank] / 2
        top += heights[rank] + _GAP
    return {key: (_MARGIN + place.x * column, middle[place.rank]) for key, place in placed.items()}


def _box(box: Box, middle: Point, size: Point) -> list[str]:
    (x, y), (width, height) = middle, size
    left, top = x - width / 2, y - height / 2
    frame = f'x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"'
    shapes = [f'<rect class="box {box.kind}" {frame} rx="6"/>']
    for number, line in enumerate((box.title, *box.lines)):
        style = ' class="title"' if number == 0 else ""
        whole = "" if cut(line) == line else f"<title>{escape(line)}</title>"
        baseline = top + 17 + number * _LINE
        shapes.append(f'<text{style} x="{left + 9:.0f}" y="{baseline:.0f}">{whole}{escape(cut(line))}</text>')
    return shapes


def _arrows(picture: Explained, middles: dict[str, Point], sizes: dict[str, Point]) -> list[str]:
    seen: dict[tuple[str, str], int] = {}
    shapes = []
    for arrow in picture.arrows:
        ends = (arrow.source, arrow.target)
        parallel = seen[ends] = seen.get(ends, -1) + 1
        path, (x, y) = _curve(arrow, middles, sizes, parallel)
        label, short = escape(arrow.label), escape(cut(arrow.label, 32))
        shapes.append(f'<path class="arrow {arrow.kind}" d="{path}"><title>{label}</title></path>')
        shapes.append(f'<text class="label" x="{x:.0f}" y="{y:.0f}">{short}</text>')
    return shapes


def _curve(
    arrow: Arrow, middles: dict[str, Point], sizes: dict[str, Point], parallel: int
) -> tuple[str, Point]:
    """Downwards from box to box; back, sideways and to itself around the right."""
    (x1, y1), (x2, y2) = middles[arrow.source], middles[arrow.target]
    (w1, h1), (w2, h2) = sizes[arrow.source], sizes[arrow.target]
    if y2 > y1:
        shift = 40.0 * ((parallel + 1) // 2) * (1 if parallel % 2 else -1)
        start, end = y1 + h1 / 2, y2 - h2 / 2
        x, y = (x1 + x2) / 2, (start + end) / 2
        path = f"M{x1:.0f},{start:.0f} Q{x + shift:.0f},{y:.0f} {x2:.0f},{end - 2:.0f}"
        return path, (x + shift / 2 + 4, y + 4)
    right1, right2 = x1 + w1 / 2, x2 + w2 / 2
    side = max(right1, right2) + 36 + 22 * parallel
    low = y1 + 8 if arrow.source == arrow.target else y1
    high = y2 - 8 if arrow.source == arrow.target else y2
    path = f"M{right1:.0f},{low:.0f} C{side:.0f},{low:.0f} {side:.0f},{high:.0f} {right2 + 2:.0f},{high:.0f}"
    return path, (side - 14, (low + high) / 2 + 4 + 14 * parallel)
