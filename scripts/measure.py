"""Run `revet check` and take the time, wall or processor seconds."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path


def revet_command() -> str:
    """The `revet` that scripts/setup installed, else the one of this Python, else the PATH's."""
    root = Path(__file__).resolve().parent.parent
    for folder in (root / ".venv" / "bin", Path(sys.executable).parent):
        if (folder / "revet").exists():
            return str(folder / "revet")
    return "revet"


_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""With that, Python would compile all of Revet in every run, which takes as long as a small check."""


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def fastest(command: Sequence[str], runs: int, cpu: bool) -> tuple[str, float]:
    """The verdict, and the seconds of the fastest of the runs.

    ``cpu``: seconds of processor time, of all processes of a run together; on a machine with other
    work they say more than wall time.
    """
    clock = _processor if cpu else time.perf_counter
    best, verdict = float("inf"), "none"
    for _ in range(runs):
        start = clock()
        done = subprocess.run(list(command), capture_output=True, text=True, env=_ENVIRONMENT)
        best = min(best, clock() - start)
        lines = [line for line in done.stdout.splitlines() if line.startswith("verdict: ")]
        verdict = lines[-1].split()[1] if lines else f"exit status {done.returncode}"
    return verdict, best
