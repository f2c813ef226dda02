"""What each configuration did over time: turns as bars, and curves of levels, lemmas and queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from revet.report.history import Course, History, Sample

_LEFT, _WIDTH, _LANE, _HIGH, _COLOURS = 120, 560, 22, 110, 8

_MEASURES: tuple[tuple[str, Callable[[Sample], int | None]], ...] = (
    ("frame or depth", lambda sample: sample.level),
    ("lemmas", lambda sample: sample.lemmas),
    ("predicates", lambda sample: sample.predicates),
    ("queries", lambda sample: sample.queries),
)


def plot_html(history: History) -> str:
    """Figures and the same figures as a table; empty if nothing was recorded."""
    courses = list(history.courses.values())
    if not courses:
        return ""
    end = max(history.end, 1e-3)
    charts = [_turns(courses, end)]
    for title, measure in _MEASURES:
        if any(measure(sample) for course in courses for sample in course.samples):
            charts.append(_chart(title, measure, courses, end))
    return f'<div class="plots">{"".join(charts)}</div>{_table(courses, end)}'


def _turns(courses: Sequence[Course], end: float) -> str:
    height = _LANE * len(courses) + 30
    parts = [_open(height, "When each configuration ran")]
    for row, course in enumerate(courses):
        y = 8 + _LANE * row
        parts.append(f'<text class="right" x="{_LEFT - 8}" y="{y + 12}">{escape(_short(course.name))}</text>')
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y + 8}" y2="{y + 8}"/>')
        for begin, finish in course.turns:
            x, stop = _x(begin, end), _x(end if finish is None else finish, end)
            label = f"{course.name}: {begin:.2f} s to {end if finish is None else finish:.2f} s"
            parts.append(
                f'<rect class="c{row % _COLOURS} bar" x="{x:.1f}" y="{y}" width="{max(2.0, stop - x):.1f}" '
                f'height="15" rx="3"><title>{escape(label)}</title></rect>'
            )
    parts.append(_axis(height - 18, end))
    return _figure("turns", "".join([*parts, "</svg>"]))


def _chart(
    title: str, measure: Callable[[Sample], int | None], courses: Sequence[Course], end: float
) -> str:
    top = max((measure(sample) or 0) for course in courses for sample in course.samples)
    parts = [_open(_HIGH + 40, f"{title} over time, at most {top}")]
    for part in (0, 0.5, 1):
        y = 10 + _HIGH * (1 - part)
        if part in (0, 1) or top > 1:
            parts.append(f'<text class="right" x="{_LEFT - 8}" y="{y + 4:.0f}">{_number(top * part)}</text>')
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.0f}" y2="{y:.0f}"/>')
    for row, course in enumerate(courses):
        points = [(s.seconds, value) for s in course.samples if (value := measure(s)) is not None]
        if not points or not any(value for _, value in points):
            continue
        path, last = [], None
        for seconds, value in points:  # a staircase: totals jump when something is found
            x, y = _x(seconds, end), 10 + _HIGH * (1 - value / top)
            path.append(f"M{x:.1f},{y:.1f}" if last is None else f"H{x:.1f}V{y:.1f}")
            last = (x, y)
        assert last is not None
        parts.append(f'<path class="c{row % _COLOURS} curve" d="{"".join(path)}">'
                     f"<title>{escape(course.name)}</title></path>")
        parts.append(f'<circle class="c{row % _COLOURS} dot" cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="3.5">'
                     f"<title>{escape(course.name)}: {points[-1][1]}</title></circle>")
    parts.append(_axis(_HIGH + 22, end))
    return _figure(title, "".join([*parts, "</svg>"]))


def _figure(title: str, drawing: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{drawing}</figure>"


def _open(height: int, title: str) -> str:
    width = _LEFT + _WIDTH + 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" role="img">'
            f"<title>{escape(title)}</title>")


def _axis(y: int, end: float) -> str:
    ticks = [f'<text class="middle" x="{_x(end * part, end):.0f}" y="{y + 12}">{end * part:.2g} s</text>'
             for part in (0, 0.25, 0.5, 0.75, 1)]
    return "".join(ticks)


def _x(seconds: float, end: float) -> float:
    return _LEFT + _WIDTH * min(1.0, max(0.0, seconds / end))


def _number(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:.3g}k"
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def _short(name: str) -> str:
    return name if len(name) <= 15 else name[:14] + "…"


def _table(courses: Sequence[Course], end: float) -> str:
    rows = []
    for row, course in enumerate(courses):
        last = course.samples[-1] if course.samples else None
        cells = [f"{course.seconds(end):.2f} s"]
        cells += ["–" if last is None or (value := measure(last)) is None else str(value)
                  for _, measure in _MEASURES]
        outcome = (course.outcome or "was stopped").strip()
        cells.append(outcome if len(outcome) <= 160 else outcome[:159] + "…")
        name = f'<th scope="row"><span class="c{row % _COLOURS} key"></span>{escape(course.name)}</th>'
        rows.append(f"<tr>{name}{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    head = "".join(f'<th scope="col">{escape(title)}</th>'
                   for title in ("configuration", "ran for", *(title for title, _ in _MEASURES), "outcome"))
    table = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table class="data progress">{table}</table></div>'
