"""Runs side by side on this machine: one thread, which waits for whichever process ends first."""

from __future__ import annotations

import select
import time
from collections.abc import Iterable, Iterator

from revet.bench.runs import Process, Result, Run


def run_local(runs: Iterable[Run], jobs: int) -> Iterator[Result]:
    """Results as they come. Closing the iterator (or an interrupt) kills what is under way."""
    waiting = iter(runs)
    running: list[Process] = []
    try:
        while True:
            while len(running) < jobs and (run := next(waiting, None)) is not None:
                running.append(Process(run))
            if not running:
                return
            for process in _ended(running):
                result = process.finish()
                running.remove(process)
                yield result
    finally:
        for process in running:
            process.kill()


def _ended(running: list[Process]) -> list[Process]:
    """Those that have ended or are overdue; waits until there is one."""
    pause = max(0.0, min(process.deadline for process in running) - time.monotonic())
    ready, _, _ = select.select([process.handle for process in running], [], [], pause)
    now = time.monotonic()
    return [process for process in running if process.handle in ready or process.deadline <= now]
