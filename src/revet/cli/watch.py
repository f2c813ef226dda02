"""Watching a run on standard error: a live table on a terminal, plain lines elsewhere.

The table appears after a second, so that quick answers come without it (and without the time that
importing ``rich`` takes). It is drawn when events arrive, by no thread of its own: the portfolio
forks, and a fork must not catch a thread in the middle of writing.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from revet.events import Explained, Note, Progress, Tick, ignore

if TYPE_CHECKING:
    from typing import TextIO

    from rich.live import Live
    from rich.table import Table

    from revet.events import Event, Observer
    from revet.report.history import Course

_AFTER = 1.0  # seconds before anything is shown
_REDRAW = 0.15
_FIRST_LINE = 30.0  # seconds between plain lines; the pause doubles up to the longest
_LONGEST = 600.0


class Watch:
    """What one run shows while it runs. :meth:`clear` removes it; it comes back with the next event."""

    def __init__(self, observe: Observer = ignore) -> None:
        self._observe = observe

    def __call__(self, event: Event) -> None:
        self._observe(event)

    def clear(self) -> None:
        """Make room for output."""
        sys.stderr.flush()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *reason: object) -> None:
        self.clear()


def watch(start: float, *, log: bool, progress: bool, stream: TextIO | None = None) -> Watch:
    """The log if it is asked for; else a table on a terminal, lines elsewhere, or nothing."""
    stream = stream or sys.stderr
    if log:
        return Watch(logger(start, stream))
    if not progress:
        return Watch()
    return LiveTable(start, stream) if stream.isatty() else Watch(Lines(start, stream))


def logger(start: float, stream: TextIO) -> Observer:
    """Every event on a line."""

    def log(event: Event) -> None:
        if isinstance(event, (Progress, Tick)):  # sums of what is logged anyway
            return
        if isinstance(event, Explained):  # a drawing is for --explain
            event = Note(event.engine, f"{event.title}\n{event.text}")
        fields = {name: getattr(event, name) for name in type(event).__match_args__}
        engine = fields.pop("engine")
        shown = " ".join(f"{name}={value}" for name, value in fields.items() if value is not None)
        print(f"{time.monotonic() - start:8.2f} {engine:10s} {type(event).__name__} {shown}", file=stream)

    return log


class Lines:
    """Now and then a line: for logs of long runs."""

    def __init__(self, start: float, stream: TextIO) -> None:
        self._start, self._stream = start, stream
        from revet.report.history import History

        self._history = History()
        self._pause = _FIRST_LINE
        self._next = start + _FIRST_LINE

    def __call__(self, event: Event) -> None:
        self._history(event)
        now = time.monotonic()
        if now < self._next:
            return
        self._pause = min(2 * self._pause, _LONGEST)
        self._next = now + self._pause
        courses = self._history.courses.values()
        what = "; ".join(_sentence(course) for course in courses if not course.outcome)
        print(f"revet: {now - self._start:.0f} s: {what or 'working'}", file=self._stream, flush=True)


def _sentence(course: Course) -> str:
    if not course.samples:
        return f"{course.name} begins"
    last = course.samples[-1]
    parts = [f"at {last.level}"] if last.level is not None else []
    parts += [f"{count} {name}" for count, name in
              ((last.lemmas, "lemmas"), (last.predicates, "predicates"), (last.queries, "queries")) if count]
    return f"{course.name} {', '.join(parts) or 'begins'}"


class LiveTable(Watch):
    """A table that is redrawn in place, at the bottom of a terminal."""

    def __init__(self, start: float, stream: TextIO) -> None:
        super().__init__()
        self._start, self._stream = start, stream
        from revet.report.history import History

        self._history = History()
        self._left: float | None = None
        self._live: Live | None = None
        self._next = start + _AFTER

    def __call__(self, event: Event) -> None:
        self._history(event)
        if isinstance(event, Tick):
            self._left = event.left
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _REDRAW
            self._draw()

    def clear(self) -> None:
        if self._live is not None:
            self._live.stop()  # transient: the table goes
            self._live = None

    def _draw(self) -> None:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            # Streams are not redirected: forked workers would inherit the redirection.
            self._live = Live(
                console=Console(file=self._stream), auto_refresh=False, transient=True,
                redirect_stdout=False, redirect_stderr=False,
            )
            self._live.start()
        self._live.update(self.table(), refresh=True)

    def table(self) -> Table:
        """One row a configuration."""
        from rich.table import Table
        from rich.text import Text

        elapsed = time.monotonic() - self._start
        left = "" if self._left is None else f", {self._left:.0f} s left"
        table = Table(title=f"{elapsed:.0f} s{left}", title_justify="left", box=None, pad_edge=False)
        for name in ("configuration", "", "frame or k", "lemmas", "predicates", "queries", "seconds"):
            table.add_column(name, justify="left" if name in ("configuration", "") else "right", no_wrap=True)
        for course in self._history.courses.values():
            last = course.samples[-1] if course.samples else None
            runs = bool(course.turns) and course.turns[-1][1] is None
            state = course.outcome.splitlines()[0] if course.outcome else "runs" if runs else "waits"
            counts = ["", "0", "0", "0"] if last is None else [
                "" if last.level is None else str(last.level),
                str(last.lemmas), str(last.predicates), str(last.queries),
            ]
            style = "" if runs else "dim"
            cells = [course.name, state[:24], *counts, f"{course.seconds(self._history.end):.1f}"]
            table.add_row(*(Text(cell, style) for cell in cells))
        return table
