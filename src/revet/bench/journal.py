"""The journal: one finished run a line, appended and flushed as soon as it is known.

A bench that was interrupted finds its runs here and goes on with the others. A line that was cut
short by a kill is dropped; of two lines with one key the later counts, so no run counts twice.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from revet.bench.runs import Result, Run
from revet.errors import UsageError

NAME = "journal.jsonl"


class Journal:
    """``results`` by key, from this and earlier benches in the folder."""

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        path = folder / NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise UsageError(f"{folder}: another bench is writing here") from None
        if fresh:
            self._file.truncate(0)
        self.results = self._read()

    def _read(self) -> dict[str, Result]:
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._file.truncate(whole)
        found: dict[str, Result] = {}
        for line in data[:whole].splitlines():
            try:
                result = msgspec.json.decode(line, type=Result)
            except msgspec.DecodeError:
                continue  # damaged: the run is done again
            found[result.key] = result
        return found

    def known(self, runs: Iterable[Run]) -> dict[str, Result]:
        """Which of the runs were done before. A result stands for a run, not for what was expected of it
        at the time: that is the run's."""
        return {
            run.key: msgspec.structs.replace(self.results[run.key], set=run.set, expected=run.expected)
            for run in runs
            if run.key in self.results
        }

    def add(self, result: Result) -> None:
        self.results[result.key] = result
        self._file.write(msgspec.json.encode(result) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()
