"""Work in a process of its own: it can be interrupted, and it has a limit of time and memory.

Old evidence can be anything: a formula on which a solver does not return, a run that never ends, a
damaged file with a digest that fits. None of that may reach the process that has to give an answer.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Any

from revet.portfolio.channel import Channel
from revet.portfolio.interrupt import Interrupt
from revet.portfolio.process import Child


class Failed(Exception):
    """The work ended with an error; the text says which."""


def apart(
    work: Callable[[], Any], seconds: float, memory: int | None = None, interrupt: Interrupt | None = None
) -> Any:
    """What ``work`` returns (plain data), or None if that took too long or a signal came."""

    def target(channel: Channel) -> None:
        try:
            channel.send((work(), None))
        except Exception as error:
            lines = str(error).splitlines()
            channel.send((None, lines[0] if lines else type(error).__name__))

    child = Child(target, memory, own_group=True)
    end = time.monotonic() + seconds
    poll = select.poll()
    poll.register(child.channel.reading, select.POLLIN)
    if interrupt is not None:
        poll.register(interrupt.descriptor, select.POLLIN)
    try:
        while not (interrupt is not None and interrupt.happened) and (left := end - time.monotonic()) > 0:
            poll.poll(1000 * left)
            for result, error in child.channel.receive():
                if error is not None:
                    raise Failed(error)
                return result
            if child.channel.closed:
                raise Failed("the process that tried it died")
        return None
    finally:
        child.kill()
