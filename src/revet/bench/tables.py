"""What a bench leaves behind: a table as text, ``results.csv``, ``cactus.svg``, ``scatter-*.svg``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from revet.bench.runs import Result
from revet.bench.score import Summary, best_of_each, summarise
from revet.errors import UsageError
from revet.report.plot import cactus, scatter

ANY = "any of them"
_COLUMNS = ("task", "set", "configuration", "expected", "status", "seconds", "cpu", "memory", "note")
_HEADER = ("set", "configuration", "tasks", "safe", "unsafe", "WRONG", "unk", "t/o", "err", "score", "max",
           "PAR2", "median")


def summaries(results: Sequence[Result], limit: float) -> list[Summary]:
    """By set and configuration, then totals; with several configurations also their union."""
    configurations = list(dict.fromkeys(result.configuration for result in results))
    sets = list(dict.fromkeys(result.set for result in results))
    rows = []
    for name in [*sets, None] if len(sets) > 1 else sets:
        here = [result for result in results if name is None or result.set == name]
        shown = "total" if name is None else name or "-"
        for configuration in configurations:
            own = [result for result in here if result.configuration == configuration]
            if own:
                rows.append(summarise(shown, configuration, own, limit))
        if len(configurations) > 1:
            rows.append(summarise(shown, ANY, best_of_each(here), limit))
    return rows


def table(rows: Sequence[Summary]) -> str:
    cells = [
        (
            row.set, row.configuration, *(str(n) for n in (row.tasks, row.safe, row.unsafe, row.wrong)),
            *(str(n) for n in (row.unknown, row.timeout, row.error, row.score, row.best)),
            f"{row.par2:.2f}", f"{row.median:.2f}",
        )
        for row in rows
    ]
    widths = [max(len(line[i]) for line in (_HEADER, *cells)) for i in range(len(_HEADER))]
    lines = []
    for line in (_HEADER, *cells):
        left = "  ".join(cell.ljust(width) for cell, width in zip(line[:2], widths, strict=False))
        right = "  ".join(cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True))
        lines.append(f"{left}  {right}")
    return "\n".join(lines)


def csv_text(results: Sequence[Result]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for result in results:
        writer.writerow([getattr(result, column) if getattr(result, column) is not None else ""
                         for column in _COLUMNS])
    return out.getvalue()


def write_files(folder: Path, results: Sequence[Result], limit: float) -> list[str]:
    """Write everything but the journal; returns the names of the files."""
    contents = {"table.txt": table(summaries(results, limit)) + "\n", "results.csv": csv_text(results)}
    contents.update(plots(results, limit))
    for name, text in contents.items():
        try:
            (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {folder / name}: {error.strerror}") from None
    return list(contents)


def plots(results: Sequence[Result], limit: float) -> dict[str, str]:
    """The cactus plot of all configurations, and one against the other for pairs of them.

    Many configurations make too many pairs to look at: then each is drawn against the first.
    """
    by_configuration: dict[str, dict[str, Result]] = {}
    for result in results:
        by_configuration.setdefault(result.configuration, {})[result.task] = result
    solved = {
        name: [r.seconds for r in own.values() if r.solved and not r.wrong]
        for name, own in by_configuration.items()
    }
    found = {"cactus.svg": cactus("Tasks solved within a time", solved)}
    names = list(by_configuration)
    pairs = list(combinations(names, 2)) if len(names) <= 4 else [(names[0], name) for name in names[1:]]
    for one, other in pairs:
        points = _points(by_configuration[one], by_configuration[other], limit)
        title = f"{other} against {one}, seconds"
        file = f"scatter-{_plain(one)}-{_plain(other)}.svg"
        found[file] = scatter(title, one, other, points, logarithmic=True, limit=limit)
    return found


def _points(
    one: dict[str, Result], other: dict[str, Result], limit: float
) -> dict[str, tuple[float, float]]:
    def seconds(result: Result) -> float:
        return min(result.seconds, limit) if result.solved and not result.wrong else limit

    return {task: (seconds(one[task]), seconds(other[task])) for task in one if task in other}


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name)
