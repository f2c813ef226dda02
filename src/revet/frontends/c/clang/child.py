"""clang as a child process: limits on time and memory, and no life after ours.

It writes into a file in memory, which is then read where it lies: large programs have a hundred megabytes of
tree, and sending them through a pipe takes half as long as clang itself.
"""

from __future__ import annotations

import mmap
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from typing import IO, TYPE_CHECKING

from revet.errors import InputError
from revet.frontends.c.processes import guarded
from revet.frontends.kit.limits import memory_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 180.0  # by the clock: on a busy machine, or for a header that is a pipe
CPU = 60  # seconds of computing
_MEMORY, _OWN = 6 << 30, 200 << 20  # bytes of address space; of them the program itself
_STACK = 1 << 30
_MOST = 2 << 30  # bytes of clang's output: it is indented, so that it grows with the square of the depth
_MESSAGES = 1 << 20

_OUT_OF_MEMORY = re.compile(r"out of memory|bad_alloc|OutOfMemory", re.I)

Text = bytes | mmap.mmap
"""What a process has written."""


def call(arguments: Sequence[str]) -> tuple[int, Text, str]:
    """Run with limits: status, output, messages. The process and what it starts end with us."""
    asked = memory_limit()
    memory = _MEMORY if asked is None else min(asked + _OWN, _MEMORY)
    command, before = guarded(list(arguments), {
        resource.RLIMIT_AS: memory, resource.RLIMIT_FSIZE: _MOST, resource.RLIMIT_CPU: CPU,
        resource.RLIMIT_CORE: 0, resource.RLIMIT_STACK: _STACK,
    })
    with _file() as output, tempfile.TemporaryFile() as messages:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=messages,
            preexec_fn=before, start_new_session=True,
        )
        try:
            child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(f"reading takes longer than {SECONDS:.0f} s") from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        if child.returncode == -signal.SIGXFSZ:
            raise InputError(f"reading takes more than {_MOST >> 20} MB: the program is nested too deeply")
        messages.seek(0)
        said = messages.read(_MESSAGES).decode("utf-8", "replace")
        if child.returncode != 0 and _OUT_OF_MEMORY.search(said):
            raise InputError(f"reading takes more than {(memory - _OWN) >> 20} MB of memory")
        return child.returncode, _written(output), said


def _file() -> IO[bytes]:
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("revet-clang"), "w+b")
    return tempfile.TemporaryFile()


def _written(output: IO[bytes]) -> Text:
    if os.fstat(output.fileno()).st_size == 0:
        return b""
    all_at_once = getattr(mmap, "MAP_POPULATE", 0)  # a fault for each page takes longer; Linux has it
    return mmap.mmap(output.fileno(), 0, mmap.MAP_SHARED | all_at_once, mmap.PROT_READ)
