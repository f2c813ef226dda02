"""How long an engine may run, and how it is told to stop.

A budget is polled in every loop of an engine (:meth:`Budget.poll`) and reaches into running
solver queries: a solver registers its interrupt with :meth:`Budget.on_expiry` for the time of a
query, and the process's one watchdog thread calls it when the deadline passes or someone calls
:meth:`Budget.cancel`. Registering costs a microsecond; a budget that is no longer used costs
nothing.
"""

from __future__ import annotations

import os
import time
from _thread import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading
    import weakref
    from collections.abc import Callable

_REPEAT = 0.05
"""Seconds between interrupts: a query that starts just after the first signal must end too."""


class OutOfBudget(Exception):
    """Raised by :meth:`Budget.poll` and by interrupted solver queries; drivers catch it."""


class Budget:
    """A deadline shared by everything that works on one problem."""

    def __init__(self, seconds: float | None = None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._cancelled = False
        # Re-entrant: a signal handler may cancel while the same thread registers an interrupt.
        self._lock = RLock()
        self._interrupts: dict[object, Callable[[], None]] = {}
        self._watched: _Watchdog | None = None

    def remaining(self) -> float | None:
        """Seconds left, or None for an unlimited budget; never negative."""
        if self._deadline is None:
            return None
        return max(0.0, self._deadline - time.monotonic())

    @property
    def exhausted(self) -> bool:
        if self._cancelled:
            return True
        return self._deadline is not None and time.monotonic() >= self._deadline

    def poll(self) -> None:
        """Raise :class:`OutOfBudget` if time is up or the work was cancelled."""
        if self.exhausted:
            raise OutOfBudget("interrupted" if self._cancelled else "time is up")

    def cancel(self) -> None:
        """Stop all work under this budget as soon as possible; callable from any thread."""
        first, self._cancelled = not self._cancelled, True
        if self._interrupt_all() and first:
            _the_watchdog().watch(self, time.monotonic() + _REPEAT)

    def part(self, seconds: float) -> _Part:
        """``with budget.part(2.0) as limit: …``: at most so long, and not beyond this budget."""
        return _Part(self, seconds)

    def on_expiry(self, interrupt: Callable[[], None]) -> Callable[[], None]:
        """Have ``interrupt`` called when the budget runs out; returns a function that undoes this.

        An interrupt may be called more than once: a solver that was between two queries must
        see the next one interrupted as well. Poll after registering, not before: whatever runs
        out later is then signalled.
        """
        key = object()
        with self._lock:
            self._interrupts[key] = interrupt
        if self._deadline is not None and (self._watched is None or self._watched is not _watchdog):
            self._watched = _the_watchdog()
            self._watched.watch(self, self._deadline)

        def undo() -> None:
            with self._lock:
                del self._interrupts[key]

        return undo

    def _interrupt_all(self) -> bool:
        """Called at and after the end; says whether anything is still running."""
        with self._lock:
            interrupts = list(self._interrupts.values())
        for interrupt in interrupts:
            interrupt()
        return bool(interrupts)


class _Part:
    def __init__(self, whole: Budget, seconds: float) -> None:
        self._whole, self._seconds = whole, seconds

    def __enter__(self) -> Budget:
        left = self._whole.remaining()
        child = Budget(self._seconds if left is None else min(self._seconds, left))
        self._undo = self._whole.on_expiry(child.cancel)
        if self._whole._cancelled:
            child.cancel()
        return child

    def __exit__(self, *reason: object) -> None:
        self._undo()


class _Watchdog:
    """One thread for all budgets. It holds them weakly: a forgotten budget is not watched."""

    def __init__(self) -> None:
        import itertools
        import threading

        self._wake = threading.Condition()
        self._queue: list[tuple[float, int, weakref.ref[Budget]]] = []
        self._order = itertools.count()
        self._thread: threading.Thread | None = None

    def watch(self, budget: Budget, moment: float) -> None:
        import heapq
        import threading
        import weakref

        with self._wake:
            heapq.heappush(self._queue, (moment, next(self._order), weakref.ref(budget)))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="revet-watchdog", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _run(self) -> None:
        import heapq

        while True:
            with self._wake:
                while not self._queue or self._queue[0][0] > time.monotonic():
                    pause = self._queue[0][0] - time.monotonic() if self._queue else None
                    # A day at most: longer waits overflow on some platforms.
                    self._wake.wait(None if pause is None else min(max(pause, 0.0), 86400.0))
                budget = heapq.heappop(self._queue)[2]()
            if budget is None:
                continue
            if budget._interrupt_all():
                self.watch(budget, time.monotonic() + _REPEAT)
            else:
                budget._watched = None  # a later query, if any, has it watched again


_watchdog: _Watchdog | None = None


def _the_watchdog() -> _Watchdog:
    """Made when the first solver registers: SAT solvers poll, and never need one."""
    global _watchdog
    if _watchdog is None:
        _watchdog = _Watchdog()
    return _watchdog


def _after_fork() -> None:
    """Threads do not survive a fork: the child gets a watchdog of its own."""
    global _watchdog
    _watchdog = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
