"""Starting ``revet`` as a process and finding what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

_MARK = "REVET_TEST_FAMILY"
SCRIPT = Path(sys.executable).with_name("revet")
"""What users start, not ``python -m revet``: it is a file of our own."""


class Family:
    """A running ``revet`` whose descendants can be found: they inherit a mark in the environment."""

    def __init__(self, arguments: Sequence[str | Path]) -> None:
        self.mark = f"{_MARK}={uuid.uuid4().hex}".encode()
        name, _, value = self.mark.decode().partition("=")
        self.process = subprocess.Popen(
            [str(SCRIPT), *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, name: value},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    def members(self) -> list[int]:
        """Living processes of the family, the parent too."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = Path("/proc", entry, "environ").read_bytes()
                state = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if self.mark in environment.split(b"\0") and state not in "ZX":
                found.append(int(entry))
        return found

    def children(self) -> list[int]:
        return [pid for pid in self.members() if pid != self.process.pid]

    def wait_for_children(self, seconds: float = 20.0) -> list[int]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            children = self.children()
            if children:
                return children
            time.sleep(0.02)
        return []

    def result(self, seconds: float = 60.0) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def gone(self, seconds: float = 3.0) -> bool:
        """Nobody is left, at the latest a moment after the parent's end."""
        end = time.monotonic() + seconds
        while self.members():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True
