"""One run: ``revet check`` with one configuration on one task, in a process family of its own.

:class:`Process` starts the command in a new session, so that everything it starts can be killed with
it, and :func:`outcome` reads what came of it: the verdict line must agree with the exit status, or
the run counts as an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import revet
from revet.bench.tasks import Task

DEFAULT = "default"
"""The configuration that is ``revet check`` without ``--engines``."""

_GRACE = 3.0
"""Seconds after the time limit in which a run may still end by itself."""
_VERDICT = re.compile(r"^verdict: (safe|unsafe|unknown)(?: \((.*)\))?\s*$", re.MULTILINE)
_STATUS = {"safe": 0, "unsafe": 1, "unknown": 3}


class Run(msgspec.Struct, frozen=True):
    """What to run; plain data, so that it can travel to another machine.

    ``key`` stands for everything the result depends on: the program's text, the options, the
    limits and the version of Revet.
    """

    key: str
    task: str
    set: str
    expected: str | None
    configuration: str
    arguments: tuple[str, ...]
    timeout: float
    version: str


class Result(msgspec.Struct, frozen=True):
    """A finished run. ``status`` is safe, unsafe, unknown, timeout or error; seconds are wall
    time and processor time of the whole family, ``memory`` is its largest process in MB."""

    key: str
    task: str
    set: str
    expected: str | None
    configuration: str
    status: str
    seconds: float
    cpu: float
    memory: int
    note: str
    version: str

    @property
    def solved(self) -> bool:
        return self.status in ("safe", "unsafe")

    @property
    def wrong(self) -> bool:
        return self.solved and self.expected is not None and self.status != self.expected


@cache
def version() -> str:
    """The release and a digest of the package's source: results of another program are not ours."""
    root = Path(revet.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return f"{revet.__version__}+{digest.hexdigest()[:12]}"


def plan(
    tasks: Iterable[Task],
    configurations: Iterable[str],
    timeout: float,
    memory: int | None,
    options: tuple[str, ...] = (),
) -> list[Run]:
    """Every configuration on every task; a task's runs follow each other."""
    named = list(configurations)
    runs = []
    for task in tasks:
        digest = hashlib.sha256()
        for path in (task.path, *task.sources):
            digest.update(path.read_bytes())
        content = digest.hexdigest()
        for configuration in named:
            engine = () if configuration == DEFAULT else ("--engines", configuration)
            limits = () if memory is None else ("--memory", str(memory))
            arguments = (
                "check", "--no-cache", "--timeout", f"{timeout:g}", *limits, *engine, *options, *task.options,
                str(task.path.resolve()),
            )
            text = "\0".join((version(), task.name, content, *arguments))
            key = hashlib.sha256(text.encode()).hexdigest()[:24]
            runs.append(
                Run(key, task.name, task.set, task.expected, configuration, arguments, timeout, version())
            )
    return runs


class Process:
    """A run under way."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self._start = time.monotonic()
        command = [sys.executable, "-m", "revet.cli.child", str(os.getpid()), *run.arguments]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=self._err, start_new_session=True
        )
        self.handle = os.pidfd_open(self._process.pid)  # readable when the process has ended
        self.deadline = self._start + run.timeout + _GRACE

    def finish(self) -> Result:
        """The result, once the process has ended or its deadline has passed: kills the family."""
        late = not select.select([self.handle], [], [], 0)[0]
        seconds = time.monotonic() - self._start
        usage = self._end()
        out, err = _content(self._out), _content(self._err)
        self._out.close()
        self._err.close()
        status, note = outcome(self._process.returncode, late, seconds >= self.run.timeout, out, err)
        return Result(
            self.run.key, self.run.task, self.run.set, self.run.expected, self.run.configuration, status,
            round(seconds, 3), round(usage.ru_utime + usage.ru_stime, 3), usage.ru_maxrss // 1024, note,
            self.run.version,
        )

    def kill(self) -> None:
        """Give up on the run."""
        self._end()
        self._out.close()
        self._err.close()

    def _end(self) -> Any:
        # The family is killed before its first process is reaped: until then its number is taken.
        for pid in _session(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        os.close(self.handle)
        return usage


def _session(leader: int) -> list[int]:
    """All processes of a session; they may be in several process groups."""
    found = [leader]
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError, ValueError):
                # pid (name) state parent group session …; a name can contain anything
                fields = (path / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[3]) == leader:
                    found.append(int(path.name))
    return found


def _content(file: Any) -> str:
    """The end of what a process wrote: a verdict is on the last line."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 65536))
    return str(file.read().decode(errors="replace"))


def outcome(code: int, late: bool, over_time: bool, out: str, err: str) -> tuple[str, str]:
    """What a run's exit status and output mean: its status and a note."""
    if late:
        return "timeout", "did not end by itself"
    found = _VERDICT.findall(out)
    if not found:
        lines = err.strip().splitlines() or [f"exit status {code}"]
        messages = [line for line in lines if line.startswith("revet: ")]
        return "error", (messages or lines)[-1][:300]
    verdict, reason = found[-1]
    if code != _STATUS[verdict]:
        return "error", f"says {verdict}, but its exit status is {code}"
    if verdict == "unknown" and over_time:
        return "timeout", reason[:300]
    return verdict, reason[:300]


class OtherVersion(Exception):
    """A worker would run another program than the one that is measured."""


def run_one(run: Run) -> Result:
    """Run and wait; what a cluster's worker does."""
    if run.version != version():
        raise OtherVersion(f"the worker has Revet {version()}, the bench {run.version}")
    process = Process(run)
    try:
        select.select([process.handle], [], [], max(0.0, process.deadline - time.monotonic()))
    except BaseException:
        process.kill()
        raise
    return process.finish()
