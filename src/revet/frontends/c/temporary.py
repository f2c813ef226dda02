"""Temporary folders that do not outlive their process, however it ends.

Engines that lose, and checkers that are not needed any more, are killed, and a killed process
cleans up nothing. So a shell waits beside it for the end of a pipe that nobody else holds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def temporary_folder(purpose: str) -> Iterator[Path]:
    """A new folder, removed at the end, or when this process is killed."""
    folder = Path(tempfile.mkdtemp(prefix=f"revet-{purpose}-"))
    keeper = subprocess.Popen(
        ["/bin/sh", "-c", 'read line; exec rm -rf -- "$1"', "sh", str(folder)], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        assert keeper.stdin is not None
        with suppress(BrokenPipeError):
            keeper.stdin.close()
        keeper.wait()


def cache_folder() -> Path:
    """Where Revet keeps what it makes for later runs: ``$REVET_CACHE``, or the user's cache folder.
    It need not exist, and perhaps cannot be made."""
    named = os.environ.get("REVET_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "revet"
