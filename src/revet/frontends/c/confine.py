"""Running an untrusted program.

| what | how |
|---|---|
| files, network, other and new processes | refused by the kernel (``native/confine.c``) |
| time, memory, stack, file sizes, core files | limits of the operating system |
| the current folder | a temporary one with nothing else in it |
| input and output | a given text; what is printed is thrown away but for the beginning of the error output |
| environment | empty |

With AddressSanitizer the memory is not limited but the size of each block; it prepares itself before the
program is confined, and where it asks for a file later it is told that there is none.

The kernel is told before the program's own code begins, its constructors included.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from revet.frontends.c.processes import NotRun, guarded

if TYPE_CHECKING:
    from pathlib import Path

    from revet.budget import Budget
    from revet.frontends.c.toolchain import Toolchain

NOT_CONFINED = 110  # status: the kernel does not confine programs
FORBIDDEN = -31  # status: ended by SIGSYS
_MEMORY = 4_000_000 * 1024
_STACK = 1_000_000 * 1024
_OUTPUT = 1 << 20


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: ``code`` is the exit status (negative: a signal; None: time was up)."""

    code: int | None
    errors: str


def prologue(
    folder: Path, toolchain: Toolchain, required: bool, budget: Budget, address: bool = False
) -> list[str]:
    """The objects that come first in a program: its start, and what confines it. ``required``: it
    ends at once where the kernel cannot confine it. ``address``: AddressSanitizer prepares itself before."""
    if sys.platform != "linux":
        if required:
            raise NotRun("this system cannot confine a program")
        return []
    parts = ["start.c", "confine.c"] if toolchain.own_start else ["confine.c"]
    sources = resources("revet.frontends.c.native")
    text = "".join(sources.joinpath(part).read_text() for part in parts)
    flags = ["-w", "-O1", f"-DREVET_REQUIRED={int(required)}"]
    if address:
        flags.append("-DREVET_ADDRESS_SANITIZER")
    if toolchain.static:
        flags.append("-DREVET_STATIC")
    return [toolchain.own_object(folder, flags, "revet_prologue", text, budget)]


def run_confined(
    program: Path, folder: Path, seconds: int, wall: float, address: bool = False, text: bytes = b""
) -> Ending:
    """Run it in ``folder`` for so many seconds of processor time and of the clock. ``address``: with
    AddressSanitizer, which reserves so much of the address space that this cannot be limited. ``text`` is its
    standard input."""
    limits = {
        resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: _OUTPUT,
        resource.RLIMIT_NOFILE: 16, resource.RLIMIT_STACK: _STACK,
        **({} if address else {resource.RLIMIT_AS: _MEMORY}),
    }
    command, before = guarded([str(program)], limits)
    errors = folder.with_name(folder.name + ".errors")
    with open(errors, "wb") as sink:
        try:
            done = subprocess.run(
                command, cwd=folder, check=False, timeout=wall, input=text,
                stdout=subprocess.DEVNULL, stderr=sink, env={}, preexec_fn=before, close_fds=True,
            )
            code: int | None = done.returncode
        except subprocess.TimeoutExpired:
            code = None
    if code == NOT_CONFINED:
        raise NotRun("this system cannot confine a program")
    return Ending(code, errors.read_bytes()[:_OUTPUT].decode("utf-8", "replace"))
