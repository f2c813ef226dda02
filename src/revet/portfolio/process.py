"""A forked child and what keeps it in the family: it dies with its parent, it ignores Ctrl-C and
polite kills (the parent decides), it has a memory limit, and killing it kills what it started.

The child has everything that the parent had loaded without copying it, which is why programs and
models need no serialisation; only answers and facts travel, through a :class:`Channel`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import traceback
import warnings
from typing import TYPE_CHECKING

from revet.portfolio.channel import Gone, pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.portfolio.channel import Channel

_PR_SET_PDEATHSIG = 1


class Child:
    """The parent's handle. ``own_group``: the child starts programs, which are killed with it.

    Without a ``target`` the child goes on from here: there, ``pid`` is 0 and ``channel`` its own side
    of the connection. It must not come back to where the parent goes on, but end itself.
    """

    def __init__(
        self, target: Callable[[Channel], None] | None, memory: int | None = None, own_group: bool = False
    ) -> None:
        self.channel, theirs = pair()
        parent = os.getpid()
        self._libc = ctypes.CDLL(None) if sys.platform == "linux" else None
        with warnings.catch_warnings():  # that forking with threads is dangerous: ours hold no locks
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0 and target is None:
            self._settle_in(parent, memory, own_group)
            self.channel = theirs
            return
        if self.pid == 0 and target is not None:
            self._become(target, theirs, parent, memory, own_group)
        theirs.close()
        self._own_group = own_group
        self._reaped = False
        self.stopped = False
        self.exit_code: int | None = None
        self.cpu_seconds = 0.0
        self.peak_memory = 0  # bytes

    def _become(
        self,
        target: Callable[[Channel], None],
        channel: Channel,
        parent: int,
        memory: int | None,
        group: bool,
    ) -> None:
        """The child's life; never returns."""
        code = 1
        try:
            self._settle_in(parent, memory, group)
            target(channel)
            code = 0
        except Gone:
            pass
        except BaseException as error:
            if not is_memory_error(error):
                traceback.print_exc()
        finally:
            os._exit(code)  # skip the interpreter's shutdown: z3 takes its time to free a large context

    def _settle_in(self, parent: int, memory: int | None, group: bool) -> None:
        if self._libc is not None:
            self._libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:  # it died before the call
                os._exit(1)
        if group:
            os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        if memory is not None:
            # what it inherited is not its own: below that nothing at all could be allocated
            most = memory + _inherited_data()
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        self.channel.close()
        sys.stdout = sys.stderr  # nothing but the result belongs on standard output

    def _signal(self, number: int) -> None:
        if self._reaped:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def suspend(self) -> None:
        if not self.stopped:
            self._signal(signal.SIGSTOP)
            self.stopped = True

    def resume(self) -> None:
        if self.stopped:
            self._signal(signal.SIGCONT)
            self.stopped = False

    def kill(self) -> None:
        """End the process at once and reap it; may be called again."""
        if self._reaped:
            return
        if self._own_group:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._signal(signal.SIGKILL)
        try:
            _, status, usage = os.wait4(self.pid, 0)
        except ChildProcessError:  # someone else reaped it
            self.exit_code = -signal.SIGKILL
        else:
            self.exit_code = os.waitstatus_to_exitcode(status)
            self.cpu_seconds = usage.ru_utime + usage.ru_stime
            self.peak_memory = usage.ru_maxrss * 1024
        self._reaped = True
        self.channel.close()

    def memory(self) -> int:
        """Bytes that are this process's own (shared pages in proportion); 0 where unknown."""
        return 0 if self._reaped else memory_of(self.pid)


def is_memory_error(error: BaseException) -> bool:
    """Python has two words for it: a thread that gets no stack is a RuntimeError."""
    return isinstance(error, MemoryError) or "can't start new thread" in str(error)


def _inherited_data() -> int:
    """Bytes of data that this process has mapped, written to or not."""
    try:
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmData:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def memory_of(pid: int) -> int:
    """The proportional set size of a process: forked pages are counted once in a family."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0
