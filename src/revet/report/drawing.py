"""What an engine explains (:class:`revet.events.Explained`), drawn: boxes with lines of text.

:func:`drawing_dot` leaves the placing to Graphviz, :func:`drawing_svg` does it here with
:mod:`revet.report.layout`: ranks are rows, as high as their highest box.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from revet.events import Box, Explained
from revet.report.dot import quoted
from revet.report.layout import Layout, layout
from revet.report.svg import MARKER, lines

_LETTER, _LINE, _MARGIN, _WIDEST = 6.7, 15.0, 32.0, 60

_STYLE = """
  .box { fill: #fff; stroke: #334; stroke-width: 1.4 }
  .initial { fill: #e8f0ff } .error { fill: #fdecea; stroke: #c0392b } .covered { stroke-dasharray: 5 4 }
  .arrow { fill: none; stroke: #778; stroke-width: 1.3; marker-end: url(#arrow) }
  .arrow.covered { stroke-dasharray: 5 4 }
  .run { stroke: #c0392b; stroke-width: 2.4; marker-end: url(#arrow-run) } .arrow.stem { marker-end: none }
  text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #223 }
  .title { font-weight: bold } .label { fill: #556; text-anchor: middle }
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
    """The drawing as self-contained SVG; labels of arrows are nodes of the layout."""
    sizes: dict[str | int, Point] = {box.key: _size(box) for box in picture.boxes}
    links: list[tuple[str | int, str | int]] = []
    for number, arrow in enumerate(picture.arrows):
        label = cut(arrow.label, 40)
        sizes[number] = (len(label) * _LETTER + 8, _LINE if label else 0.0)
        links += [(arrow.source, number), (number, arrow.target)]
    keys = [box.key for box in picture.boxes]
    start = next((box.key for box in picture.boxes if box.kind == "initial"), keys[0] if keys else None)
    placed = layout(sizes, links, start) if start is not None else Layout({}, {}, 0.0, 0.0)
    title = f"{picture.engine}: {picture.title}"
    width = max(placed.width, len(title) * _LETTER) + 2 * _MARGIN
    height = placed.height + 2 * _MARGIN + 16
    body = _arrows(picture, placed, sizes)
    for box in picture.boxes:
        body += _box(box, placed.centre[box.key], sizes[box.key])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">\n<title>{escape(picture.title)}</title>\n'
        f"<style>{_STYLE}</style>\n"
        f"<defs>{MARKER.format('arrow', '#778')}{MARKER.format('arrow-run', '#c0392b')}</defs>\n"
        f'<text class="title" x="{_MARGIN}" y="22">{escape(title)}</text>\n'
        f'<g transform="translate({_MARGIN:.0f},{_MARGIN + 12:.0f})">\n'
        + "\n".join(body) + "\n</g>\n</svg>\n"
    )


def _size(box: Box) -> Point:
    longest = max(len(cut(line)) for line in (box.title, *box.lines))
    return longest * _LETTER + 18, (1 + len(box.lines)) * _LINE + 12


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


def _arrows(picture: Explained, placed: Layout, sizes: Mapping[str | int, Point]) -> list[str]:
    shapes = []
    for number, arrow in enumerate(picture.arrows):
        x, y = placed.centre[number]
        first = [placed.centre[arrow.source], *placed.routes[2 * number], (x, y)]
        second = [(x, y), *placed.routes[2 * number + 1], placed.centre[arrow.target]]
        *stem, last = lines(
            first, second, sizes[arrow.source][1] / 2, sizes[number][1] / 2, sizes[arrow.target][1] / 2 + 1,
            loop=arrow.source == arrow.target,
        )
        title = f"<title>{escape(arrow.label)}</title>"
        shapes += [f'<path class="arrow {arrow.kind} stem" d="{path}">{title}</path>' for path in stem]
        shapes.append(f'<path class="arrow {arrow.kind}" d="{last}">{title}</path>')
        if arrow.label:
            text = escape(cut(arrow.label, 40))
            shapes.append(f'<text class="label" x="{x:.0f}" y="{y + 4:.0f}">{text}</text>')
    return shapes
