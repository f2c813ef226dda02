"""Calling compilers: with limits on time, and never for longer than the process that asked."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from revet.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping
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
        return subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
            timeout=at_most(60.0, budget or Budget()), stdin=subprocess.DEVNULL, preexec_fn=die_with_parent,
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


def die_with_parent() -> None:
    """In the new process: be killed when the process that started it is."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def first_line(messages: str) -> str:
    lines = [line for line in messages.splitlines() if "error" in line or "undefined" in line]
    return (lines or messages.splitlines() or ["no message"])[0][:200]
