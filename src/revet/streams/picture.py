"""Runs as pictures: SVG with a band for each stream, and a mark for each call of a trigger.

Booleans are drawn as levels, numbers as steps between the least and the greatest value of the run (what is
not finite as a question mark); up to forty instants every value is written, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from revet.streams.table import Table

_BAND, _HIGH, _TOP, _LETTER = 44, 22, 30, 7.3  # pixels
_WIDEST, _WRITTEN = 960.0, 40
_STYLE = (
    "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#223} .grid{stroke:#eceff4} "
    ".small{font-size:10px;fill:#667} .bool{stroke:#1f6f3f} .number{stroke:#1f4f8f} "
    ".call{fill:#c0392b} polyline{fill:none;stroke-width:1.6}"
)


def table_svg(table: Table) -> str:
    """The table as a self-contained picture."""
    rows = table.rows()
    cells = [text for _, shown in rows for text in shown] if table.steps <= _WRITTEN else []
    widest = max((len(text) for text in cells), default=0)
    step = max(min(_WIDEST / max(table.steps, 1), max(24.0, widest * 6.2 + 6)), 2.0)
    left = 16 + _LETTER * max((len(name) for name, _ in rows), default=0)
    width, height = left + step * table.steps + 16, _TOP + _BAND * len(rows) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" role="img">',
        f'<style>{_STYLE}</style><rect width="100%" height="100%" fill="white"/>',
        *_ruler(table.steps, left, step, height),
    ]
    for number, (name, shown) in enumerate(rows):
        base = _TOP + _BAND * number + _HIGH + 6
        parts.append(f'<text x="8" y="{base - 5:.0f}">{escape(name)}</text>')
        if name in table.streams:
            kind = "bool" if table.types[name].kind == "bool" else "number"
            parts += _steps(table.streams[name], left, step, base, kind)
            written = shown if kind == "number" else []
        else:
            written = [text if text != "--" else "" for text in shown]
            parts += [_mark(left + step * t, base, text) for t, text in enumerate(shown) if text != "--"]
        if table.steps <= _WRITTEN:
            parts += [
                f'<text class="small" x="{left + step * t + 2:.1f}" y="{base + 12:.0f}">{escape(text)}</text>'
                for t, text in enumerate(written) if text and (t == 0 or text != written[t - 1])
            ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ruler(steps: int, left: float, step: float, height: float) -> list[str]:
    every = max(1, round(28 / step))
    parts = []
    for t in range(0, steps, every):
        x = left + t * step
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{height - 6:.0f}"/>')
        parts.append(f'<text class="small" x="{x + 2:.1f}" y="{_TOP - 10}">{t}</text>')
    return parts


def _steps(values: Sequence[Any], left: float, step: float, base: float, kind: str) -> list[str]:
    finite = [float(value) for value in values if isfinite(value)]
    low, high = (0.0, 1.0) if kind == "bool" else (min(finite, default=0.0), max(finite, default=0.0))
    span = high - low
    parts: list[str] = []
    points: list[str] = []
    for t, value in enumerate([*values, None]):
        if value is None or not isfinite(value):
            if points:
                parts.append(f'<polyline class="{kind}" points="{" ".join(points)}"/>')
                points = []
            if value is not None:
                parts.append(f'<text class="small" x="{left + t * step + 2:.1f}" y="{base - 6:.0f}">?</text>')
            continue
        share = (float(value) - low) / span if span and isfinite(span) else 0.0
        y = base - share * _HIGH
        points += [f"{left + t * step:.1f},{y:.1f}", f"{left + (t + 1) * step:.1f},{y:.1f}"]
    return parts


def _mark(x: float, base: float, text: str) -> str:
    title = f"<title>{escape(text)}</title>"
    return f'<path class="call" d="M{x:.1f},{base - 14:.0f} l9,5 l-9,5 z">{title}</path>'
