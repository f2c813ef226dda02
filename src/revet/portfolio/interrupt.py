"""Ctrl-C and polite kills while a portfolio runs.

An exception raised by a signal handler can come up anywhere, also where it is swallowed (in a
finaliser) or where it leaves a process that nobody remembers. So a signal only leaves a note and
wakes the main loop, which ends in order. A second signal, or one outside the loop, calls the
handler that was there before.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupt:
    """``with Interrupt() as interrupt: …``: signals are noted in ``interrupt.happened``.

    ``descriptor`` becomes readable then. Outside the main thread it is never set.
    ``last``: the process ends right afterwards, and signals that come so late are ignored: the
    answer has been printed.
    """

    def __init__(self, *, last: bool = False) -> None:
        self._last = last
        self.happened = False
        self.descriptor, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupt:
        try:
            for number in _SIGNALS:
                self._before[number] = signal.signal(number, self._note)
        except ValueError:  # this is not the main thread
            pass
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.happened:
            before = self._before[number]
            if callable(before):
                before(number, frame)
            return
        self.happened = True
        os.write(self._waker, b"!")

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if self._last else handler)
        os.close(self.descriptor)
        os.close(self._waker)
