"""The time limit while a program is read: engines look at the clock, front ends do not.

When time is up, the process ends on the spot, as it does for signals at this moment
(:func:`revet.cli.output.end_at_once`).
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from revet.cli.output import end_at_once

if TYPE_CHECKING:
    from types import FrameType


class ReadingTime:
    """``with ReadingTime(timeout, start): …``: no longer than so many seconds after the start."""

    def __init__(self, timeout: float | None, start: float) -> None:
        self._left = None if timeout is None else max(0.01, timeout - (time.monotonic() - start))

    def __enter__(self) -> None:
        if self._left is not None:
            signal.signal(signal.SIGALRM, _time_is_up)
            signal.setitimer(signal.ITIMER_REAL, self._left)

    def __exit__(self, *exception: object) -> None:
        if self._left is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _time_is_up(number: int, frame: FrameType | None) -> None:
    end_at_once("time was up before the program was read")
