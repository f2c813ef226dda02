"""Small plots as SVG text: bars side by side, points against two axes, lines. No dependencies.

Axes start at 0, or are logarithmic (:class:`Axis`). :func:`cactus` and :func:`scatter` are the two
plots that verifiers are compared with; ``revet bench`` and the scripts of the repository draw with
this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 60, 40, 20
COLOURS = ("#3465a4", "#c4a000", "#4e9a06", "#a40000", "#75507b", "#ce5c00", "#555753", "#06989a")
GREY = "#888a85"


def colour_of(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


@dataclass(frozen=True)
class Axis:
    """A label, the labelled values, and where on the axis (0 … 1) a value lies.

    ``least`` above 0 makes the axis logarithmic, from there; smaller values are drawn at its start.
    """

    label: str
    ticks: Sequence[float]
    least: float = 0.0

    @classmethod
    def up_to(cls, label: str, top: float) -> Axis:
        """About five round numbers from 0 to at least ``top``."""
        if top <= 0:
            return cls(label, (0.0, 1.0))
        raw = top / 5
        power = 10 ** floor(log10(raw))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
        return cls(label, [round(step * i, 10) for i in range(ceil(top / step) + 1)])

    @classmethod
    def logarithmic(cls, label: str, least: float, top: float) -> Axis:
        """1, 2, 5, 10, … from at most ``least`` to at least ``top``."""
        powers = range(floor(log10(least)), ceil(log10(max(top, least))) + 2)
        round_ = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        low = max(i for i, value in enumerate(round_) if value <= least * 1.000001)
        high = min(i for i, value in enumerate(round_) if i > low and value >= top * 0.999999)
        return cls(label, round_[low : high + 1], round_[low])

    def at(self, value: float) -> float:
        if not self.least:
            return value / self.ticks[-1]
        return log10(max(value, self.least) / self.least) / log10(self.ticks[-1] / self.least)


class Plot:
    """Add marks in data coordinates, then ``text()``."""

    def __init__(self, title: str, x_axis: Axis, y_axis: Axis) -> None:
        self._title, self._x_axis, self._y_axis = title, x_axis, y_axis
        self._marks: list[str] = []
        self._legend: list[tuple[str, str]] = []

    def x(self, value: float) -> float:
        return LEFT + self._x_axis.at(value) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - self._y_axis.at(value) * (HEIGHT - BOTTOM - TOP)

    def bar(self, left: float, right: float, value: float, colour: str) -> None:
        x, y = self.x(left), self.y(value)
        width, height = self.x(right) - x, HEIGHT - BOTTOM - y
        self._marks.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
        )

    def point(self, x: float, y: float, colour: str, label: str = "", radius: float = 4) -> None:
        tip = f"<title>{escape(label)}</title>" if label else ""
        self._marks.append(
            f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="{radius:g}" fill="{colour}" '
            f'fill-opacity="0.7">{tip}</circle>'
        )

    def line(self, points: Sequence[tuple[float, float]], colour: str, dashed: bool = False) -> None:
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self._marks.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
        )

    def legend(self, name: str, colour: str) -> None:
        self._legend.append((name, colour))

    def text(self) -> str:
        base, side = HEIGHT - BOTTOM, LEFT
        parts = [
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
            ),
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{WIDTH / 2}" y="22" text-anchor="middle" font-size="15">{escape(self._title)}</text>',
            f'<line x1="{side}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}" stroke="black"/>',
            f'<line x1="{side}" y1="{base}" x2="{side}" y2="{TOP}" stroke="black"/>',
            (
                f'<text x="{WIDTH / 2}" y="{HEIGHT - 15}" text-anchor="middle">'
                f"{escape(self._x_axis.label)}</text>"
            ),
            (
                f'<text transform="translate(18 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
                f"{escape(self._y_axis.label)}</text>"
            ),
        ]
        for value in self._x_axis.ticks:
            x = self.x(value)
            parts.append(f'<text x="{x:.1f}" y="{base + 18}" text-anchor="middle">{value:g}</text>')
        for value in self._y_axis.ticks:
            y = self.y(value) + 4
            parts.append(f'<text x="{side - 8}" y="{y:.1f}" text-anchor="end">{value:g}</text>')
        parts += self._marks
        for number, (name, colour) in enumerate(self._legend):
            y = TOP + 8 + 18 * number
            parts.append(f'<rect x="{LEFT + 16}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
            parts.append(f'<text x="{LEFT + 32}" y="{y}">{escape(name)}</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"


def histogram(title: str, label: str, data: Mapping[str, Sequence[float]], bins: int = 12) -> str:
    """How many values fall into each of ``bins`` equal intervals, series side by side."""
    top = max((value for values in data.values() for value in values), default=1.0) or 1.0
    width = top / bins
    counts = {
        name: [sum(min(int(v / width), bins - 1) == i for v in values) for i in range(bins)]
        for name, values in data.items()
    }
    most = max((max(row) for row in counts.values()), default=1)
    plot = Plot(title, Axis.up_to(label, top), Axis.up_to("programs", most))
    for number, (name, row) in enumerate(counts.items()):
        plot.legend(name, colour_of(number))
        share = width / (len(counts) + 0.5)
        for i, count in enumerate(row):
            left = i * width + number * share
            plot.bar(left, left + share, count, colour_of(number))
    return plot.text()


def scatter(
    title: str,
    x_label: str,
    y_label: str,
    points: Mapping[str, tuple[float, float]],
    logarithmic: bool = False,
    limit: float | None = None,
) -> str:
    """Labelled points and the diagonal; ``limit`` is a value that is marked on both axes."""
    top = max((value for point in points.values() for value in point), default=1.0)
    if limit is not None:
        top = max(top, limit)
    if not logarithmic:
        axes = Axis.up_to(x_label, top), Axis.up_to(y_label, top)
    else:
        least = _least(value for point in points.values() for value in point)
        axes = Axis.logarithmic(x_label, least, top), Axis.logarithmic(y_label, least, top)
    plot = Plot(title, *axes)
    end = axes[0].ticks[-1]
    plot.line([(axes[0].least, axes[1].least), (end, end)], GREY, dashed=True)
    if limit is not None:
        plot.line([(limit, axes[1].least), (limit, limit), (axes[0].least, limit)], GREY, dashed=True)
    for name, (x, y) in points.items():
        plot.point(x, y, COLOURS[0], name)
    return plot.text()


def lines(title: str, x_label: str, y_label: str, data: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Points joined by lines, one series a name."""
    everything = [point for points in data.values() for point in points]
    x_axis = Axis.up_to(x_label, max((x for x, _ in everything), default=1.0))
    plot = Plot(title, x_axis, Axis.up_to(y_label, max((y for _, y in everything), default=1.0)))
    for number, (name, points) in enumerate(data.items()):
        plot.legend(name, colour_of(number))
        plot.line(points, colour_of(number))
        for x, y in points:
            plot.point(x, y, colour_of(number), f"{name} {x:g}: {y:.2f}")
    return plot.text()


def _least(values: Iterable[float]) -> float:
    """Where a logarithmic axis may start: at the smallest value, but not for ever down."""
    return max(0.01, min(values, default=0.1))


def cactus(title: str, seconds: Mapping[str, Sequence[float]]) -> str:
    """How many tasks a configuration solves if each may take so long; further right is better."""
    longest = max((value for values in seconds.values() for value in values), default=1.0)
    most = max((len(values) for values in seconds.values()), default=1)
    least = _least(value for values in seconds.values() for value in values)
    axes = Axis.up_to("tasks solved", most), Axis.logarithmic("seconds for one task", least, longest)
    plot = Plot(title, *axes)
    for number, (name, values) in enumerate(seconds.items()):
        plot.legend(f"{name} ({len(values)})", colour_of(number))
        steps = [(float(count), value) for count, value in enumerate(sorted(values), start=1)]
        if steps:
            plot.line(steps, colour_of(number))
        for count, value in steps:
            plot.point(count, value, colour_of(number), f"{name}: {count:g} within {value:.2f} s", radius=2)
    return plot.text()
