"""``revet check --functions``: every function of the files as an entry, and a table of the answers."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from revet.api import answer
from revet.cli import launch_time
from revet.cli.cached import cache_for
from revet.cli.conflicts import refuse_conflicts
from revet.cli.output import echo
from revet.cli.reports import Reports
from revet.cli.watch import watch
from revet.errors import InputError, UsageError
from revet.frontends.registry import language_of
from revet.portfolio import Interrupt, Limits
from revet.question import Question
from revet.report.several import Row, joint_verdict, rows_data

if TYPE_CHECKING:
    from revet.cache import Cache
    from revet.cli.given import Given

_EACH = 60.0  # seconds for a function, where no limit was given
_STATUS = {"safe": 0, "unsafe": 1, "unknown": 3}


def run_functions(given: Given) -> int:
    """The exit status: 1 if a function is unsafe, 0 if all are safe, else 3."""
    start = launch_time()
    refuse_conflicts(replace(given, each=True))
    language = language_of(given.files[0])
    if language is None or language.name != "c" or "entry" in given.language:
        raise UsageError("--functions checks every function of C files, so it goes with no --entry")
    from revet.frontends.c.load import functions

    found = functions([Path(file) for file in given.files], given.language)
    reports = Reports(given.html, given.sarif, True)
    show = not given.json_ and not given.quiet
    widths = (max((len(name) for name, _ in found), default=8), 9, 8)
    if show:
        echo(_line(("function", "checked", "verdict", "seconds"), widths))
    rows: list[Row] = []
    cache = cache_for(given)
    view = watch(start, log=given.log, progress=given.progress and show)
    with Interrupt(last=True) as interrupt, view:
        for number, (name, entry) in enumerate(found):
            if interrupt.happened and number:
                break
            limits = _limits(given, start, len(found) - number)
            row = _row(given, name, entry, limits, interrupt, cache, reports)
            rows.append(row)
            view.clear()
            if show:
                echo(_line((row.name, row.checked, row.status, f"{row.seconds:.2f}"), widths) + _why(row))
    verdict = joint_verdict(rows)
    if given.json_:
        echo(json.dumps(rows_data(rows), indent=2))
    else:
        echo(f"verdict: {verdict} ({_counts(rows)})")
    reports.write_rows(rows)
    return _STATUS[verdict]


def _row(
    given: Given, name: str, entry: str, limits: Limits, interrupt: Interrupt, cache: Cache | None,
    reports: Reports,
) -> Row:
    """The answer about one function, or why there is none."""
    options = {**given.language, "entry": entry}
    question = Question(
        given.files, options, given.property_, given.asked_for(), given.preparation, limits
    )
    started = time.monotonic()
    try:
        program = question.read()
    except (InputError, UsageError) as problem:
        return Row(name, None, str(problem), time.monotonic() - started)
    except RecursionError:
        return Row(name, None, "nested too deeply to be read", time.monotonic() - started)
    found = answer(question, program, reports.observer(lambda event: None), interrupt, cache)
    return Row(name, found, "", time.monotonic() - started)


def _limits(given: Given, start: float, left: int) -> Limits:
    """A fair share of what is left of the time."""
    seconds = _EACH
    if given.timeout is not None:
        seconds = max(0.5, (given.timeout - (time.monotonic() - start)) / left)
    memory = None if given.memory is None else given.memory << 20
    return Limits(seconds, memory, verbose=given.log, exchange=given.exchange)


def _line(cells: tuple[str, str, str, str], widths: tuple[int, int, int]) -> str:
    name, checked, verdict, seconds = cells
    return f"{name:<{widths[0]}}  {checked:>{widths[1]}}  {verdict:<{widths[2]}}  {seconds:>7}"


def _why(row: Row) -> str:
    text = row.reason.splitlines()[0] if row.reason else ""
    return f"  {text[:150]}" if text else ""


def _counts(rows: list[Row]) -> str:
    counted = [
        f"{count} {word}" for word in ("safe", "unsafe", "unknown", "refused")
        if (count := sum(row.status == word for row in rows))
    ]
    return ", ".join(counted) or "no function"
