"""Calling compilers and their programs: with limits, and never for longer than the process that asked.

What a new process needs before its program begins (limits, a signal at the end of its parent) is set by
``prlimit`` and ``setpriv`` of util-linux, which then become the program. Python code between fork and exec
does the same where they are missing, but then the kernel copies the tables of this process's memory: 17 ms of
processor time against 3 for a quarter of a gigabyte.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

from revet.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

RESERVE = 0.2  # seconds


class NotRun(Exception):
    """Why a program cannot be compiled or run here."""


def call(
    command: list[str],
    folder: Path,
    budget: Budget | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a compiler. Raises :class:`NotRun` if it is not there or takes too long."""
    try:
        guarding, before = guarded(command)
        return subprocess.run(
            guarding, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
            timeout=at_most(60.0, budget or Budget()), stdin=subprocess.DEVNULL, preexec_fn=before,
            env={**os.environ, **environment} if environment else None,
        )
    except subprocess.TimeoutExpired:
        raise NotRun("the compiler takes too long") from None
    except OSError as problem:
        raise NotRun(f"{command[0]}: {problem.strerror}") from problem


def at_most(seconds: float, budget: Budget) -> float:
    """Not beyond the budget, and with a little time left to say so."""
    left = budget.remaining()
    if left is None:
        return seconds
    if left < RESERVE:
        raise NotRun("no time is left")
    return min(seconds, left - RESERVE / 2)


_LIMITS = {
    resource.RLIMIT_AS: "as", resource.RLIMIT_CORE: "core", resource.RLIMIT_CPU: "cpu",
    resource.RLIMIT_FSIZE: "fsize", resource.RLIMIT_NOFILE: "nofile", resource.RLIMIT_STACK: "stack",
}  # those of the module ``resource``, and what ``prlimit`` calls them


def guarded(
    command: list[str], limits: Mapping[int, int] | None = None
) -> tuple[list[str], Callable[[], None] | None]:
    """What to start instead of the command, and what to do in the new process before (``preexec_fn``): then
    it has these limits, or lower ones that hold here, and is killed when the process that started it ends.
    Raises OSError where there is no such command."""
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(2, os.strerror(2), command[0])
    allowed = {what: _allowed(what, most) for what, most in (limits or {}).items()}
    tools = _tools()
    if tools is None:
        return command, lambda: _prepare(allowed)
    prlimit, setpriv = tools
    said = [f"--{_LIMITS[what]}={most}" for what, most in allowed.items()]
    return [*([prlimit, *said] if said else []), setpriv, "--pdeathsig", "KILL", "--", *command], None


@cache
def _tools() -> tuple[str, str] | None:
    """``prlimit`` and ``setpriv`` where both are those of util-linux (busybox knows no ``--pdeathsig``)."""
    found = [shutil.which(name) for name in ("prlimit", "setpriv")]
    names = [os.path.basename(os.path.realpath(path)) for path in found if path]
    return (found[0], found[1]) if found[0] and found[1] and names == ["prlimit", "setpriv"] else None


def _allowed(what: int, most: int) -> int:
    hard = resource.getrlimit(what)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def _prepare(allowed: Mapping[int, int]) -> None:
    """In the new process, where no tool does it."""
    for what, most in allowed.items():
        resource.setrlimit(what, (most, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def first_line(messages: str) -> str:
    lines = [line for line in messages.splitlines() if "error" in line or "undefined" in line]
    return (lines or messages.splitlines() or ["no message"])[0][:200]
