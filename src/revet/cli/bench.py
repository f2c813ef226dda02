"""``revet bench``."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from revet.bench.journal import Journal
from revet.bench.runs import DEFAULT, Result, Run, plan
from revet.bench.score import contradictions
from revet.bench.tables import summaries, table, write_files
from revet.bench.tasks import Task, chosen, read_tasks
from revet.errors import UsageError
from revet.portfolio import parse_engines


def run_bench(
    tasks: tuple[str, ...],
    engines: str,
    timeout: float,
    memory: int | None,
    jobs: int | None,
    sets: str | None,
    every: int,
    options: str,
    out: str | None,
    fresh: bool,
    cluster: str | None,
) -> int:
    if not hasattr(os, "pidfd_open"):
        raise UsageError("revet bench needs Linux: it follows process families as only Linux can")
    if cluster is not None and jobs is not None:
        raise UsageError("--jobs is for this machine; with --cluster the workers decide")
    if fresh and out is None:
        raise UsageError("--fresh needs --out DIR: without it nothing is kept between runs")
    configurations = _configurations(engines)
    runs = plan(_tasks(tasks, sets, every), configurations, timeout, memory, _options(options))
    journal = Journal(Path(out), fresh) if out is not None else None
    results = journal.known(runs) if journal is not None else {}
    progress = _Progress(len(runs), len(results))
    try:
        for result in _execute([run for run in runs if run.key not in results], jobs, cluster):
            if journal is not None:
                journal.add(result)
            results[result.key] = result
            progress.show(result)
    except KeyboardInterrupt:
        progress.close()
        hint = "; the same command goes on" if journal is not None else "; with --out DIR it could go on"
        click.echo(f"revet: interrupted after {len(results)} of {len(runs)} runs{hint}", err=True)
        return 3
    finally:
        progress.close()
        if journal is not None:
            journal.close()
    ordered = [results[run.key] for run in runs]
    click.echo(table(summaries(ordered, timeout)))
    if out is not None:
        click.echo(f"wrote {', '.join(write_files(Path(out), ordered, timeout))} to {out}", err=True)
    return _judge(ordered)


def _configurations(engines: str) -> list[str]:
    names = list(dict.fromkeys(name.strip() for name in engines.split(",") if name.strip()))
    if not names:
        raise UsageError("--engines: name at least one engine, or 'default'")
    for name in names:
        if name != DEFAULT:
            parse_engines(name)  # refuses what does not exist
    return names


def _tasks(arguments: tuple[str, ...], sets: str | None, every: int) -> list[Task]:
    found = read_tasks(arguments)
    names = [name.strip().rstrip("/") for name in (sets or "").split(",") if name.strip()]
    taken = chosen(found, names, every)
    if not taken:
        known = ", ".join(list(dict.fromkeys(task.set for task in found))[:12])
        raise UsageError(f"--sets {sets}: no task is in such a set; there are: {known}")
    return taken


def _options(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--options {text}: {error}") from None


def _execute(runs: list[Run], jobs: int | None, cluster: str | None) -> Iterator[Result]:
    if cluster is not None:
        from revet.bench.cluster import run_on_cluster

        return run_on_cluster(cluster, runs)
    from revet.bench.local import run_local

    # The portfolio uses all cores itself; a bench on all of them would measure the crowd.
    return run_local(runs, jobs or 1)


def _judge(results: list[Result]) -> int:
    """Say which answers are wrong or contradict each other; 1 if there is one."""
    wrong = [result for result in results if result.wrong]
    for result in wrong:
        click.echo(
            f"WRONG: {result.task}: {result.configuration} says {result.status}, "
            f"expected is {result.expected}"
        )
    against = contradictions(results)
    for one, other in against:
        click.echo(
            f"CONTRADICTION: {one.task}: {one.configuration} says {one.status}, "
            f"{other.configuration} {other.status}"
        )
    return 1 if wrong or against else 0


class _Progress:
    """A line on standard error: rewritten in place on a terminal, one line a run otherwise."""

    def __init__(self, total: int, known: int) -> None:
        self._total, self._known, self._done = total, known, 0
        self._solved = self._wrong = 0
        self._start = time.monotonic()
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._open = False
        if known:
            click.echo(f"{known} of {total} runs are known from the journal", err=True)

    def show(self, result: Result) -> None:
        self._done += 1
        self._solved += result.solved and not result.wrong
        self._wrong += result.wrong
        left = self._total - self._known - self._done
        expected = left * (time.monotonic() - self._start) / self._done
        counts = f"{self._solved} solved, {self._wrong} wrong, {_duration(expected)} left"
        mark = " WRONG" if result.wrong else ""
        line = (
            f"[{self._known + self._done}/{self._total}] {counts}: {result.task} "
            f"{result.configuration} {result.status}{mark} {result.seconds:.2f} s"
        )
        if not self._terminal:
            click.echo(line, err=True)
            return
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r\x1b[K" + line[:width])
        sys.stderr.flush()
        self._open = True

    def close(self) -> None:
        if self._open:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._open = False


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
