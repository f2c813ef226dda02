"""Small plots as SVG text: bars side by side, points against two axes, lines. No dependencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 60, 40, 20
COLOURS = ("#3465a4", "#c4a000", "#4e9a06", "#a40000")


def _ticks(top: float) -> list[float]:
    """About five round numbers from 0 to at least ``top``."""
    if top <= 0:
        return [0.0, 1.0]
    raw = top / 5
    power = 10 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    return [round(step * i, 10) for i in range(ceil(top / step) + 1)]


class Plot:
    """Axes from 0; add marks in data coordinates, then ``text()``."""

    def __init__(self, title: str, x_label: str, y_label: str, x_top: float, y_top: float) -> None:
        self._xs, self._ys = _ticks(x_top), _ticks(y_top)
        self._marks: list[str] = []
        self._legend: list[tuple[str, str]] = []
        self._title, self._x_label, self._y_label = title, x_label, y_label

    def x(self, value: float) -> float:
        return LEFT + value / self._xs[-1] * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - value / self._ys[-1] * (HEIGHT - BOTTOM - TOP)

    def bar(self, left: float, right: float, value: float, colour: str) -> None:
        x, y = self.x(left), self.y(value)
        width, height = self.x(right) - x, self.y(0) - y
        self._marks.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
        )

    def point(self, x: float, y: float, colour: str, label: str = "") -> None:
        tip = f"<title>{label}</title>" if label else ""
        self._marks.append(
            f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="4" fill="{colour}">{tip}</circle>'
        )

    def line(self, points: Sequence[tuple[float, float]], colour: str, dashed: bool = False) -> None:
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self._marks.append(f'<polyline points="{path}" fill="none" stroke="{colour}"{dash}/>')

    def legend(self, name: str, colour: str) -> None:
        self._legend.append((name, colour))

    def text(self) -> str:
        base, side = self.y(0), self.x(0)
        parts = [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                'font-family="sans-serif" font-size="12">'
            ),
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{WIDTH / 2}" y="22" text-anchor="middle" font-size="15">{self._title}</text>',
            f'<line x1="{side}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" stroke="black"/>',
            f'<line x1="{side}" y1="{base}" x2="{side}" y2="{TOP}" stroke="black"/>',
            f'<text x="{WIDTH / 2}" y="{HEIGHT - 15}" text-anchor="middle">{self._x_label}</text>',
            (
                f'<text transform="translate(18 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
                f"{self._y_label}</text>"
            ),
        ]
        for value in self._xs:
            x = self.x(value)
            parts.append(f'<text x="{x:.1f}" y="{base + 18}" text-anchor="middle">{value:g}</text>')
        for value in self._ys:
            y = self.y(value) + 4
            parts.append(f'<text x="{side - 8}" y="{y:.1f}" text-anchor="end">{value:g}</text>')
        parts += self._marks
        for number, (name, colour) in enumerate(self._legend):
            y = TOP + 8 + 18 * number
            parts.append(f'<rect x="{WIDTH - 190}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
            parts.append(f'<text x="{WIDTH - 174}" y="{y}">{name}</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"


def histogram(title: str, label: str, data: Mapping[str, Sequence[float]], bins: int = 12) -> str:
    """How many values fall into each of ``bins`` equal intervals, series side by side."""
    top = max((value for values in data.values() for value in values), default=1.0) or 1.0
    width = top / bins
    counts = {
        name: [sum(min(int(v / width), bins - 1) == i for v in values) for i in range(bins)]
        for name, values in data.items()
    }
    plot = Plot(title, label, "programs", top, max(max(row) for row in counts.values()))
    for number, (name, row) in enumerate(counts.items()):
        plot.legend(name, COLOURS[number])
        share = width / (len(counts) + 0.5)
        for i, count in enumerate(row):
            left = i * width + number * share
            plot.bar(left, left + share, count, COLOURS[number])
    return plot.text()


def scatter(title: str, x_label: str, y_label: str, points: Mapping[str, tuple[float, float]]) -> str:
    """Labelled points and the diagonal."""
    top = max((value for point in points.values() for value in point), default=1.0)
    plot = Plot(title, x_label, y_label, top, top)
    plot.line([(0, 0), (top, top)], "#888a85", dashed=True)
    for name, (x, y) in points.items():
        plot.point(x, y, COLOURS[0], name)
    return plot.text()


def lines(title: str, x_label: str, y_label: str, data: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Points joined by lines, one series a name."""
    everything = [point for points in data.values() for point in points]
    x_top = max((x for x, _ in everything), default=1.0)
    plot = Plot(title, x_label, y_label, x_top, max((y for _, y in everything), default=1.0))
    for number, (name, points) in enumerate(data.items()):
        plot.legend(name, COLOURS[number])
        plot.line(points, COLOURS[number])
        for x, y in points:
            plot.point(x, y, COLOURS[number], f"{name} {x:g}: {y:.2f}")
    return plot.text()
