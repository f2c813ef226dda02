"""How long an engine may run, and how it is told to stop.

A budget is polled in every loop of an engine (:meth:`Budget.poll`) and reaches into running
solver queries: a solver registers its interrupt with :meth:`Budget.on_expiry`, and one watchdog
thread calls it when the deadline passes or someone calls :meth:`Budget.cancel`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class OutOfBudget(Exception):
    """Raised by :meth:`Budget.poll` and by interrupted solver queries; drivers catch it."""


class Budget:
    """A deadline shared by everything that works on one problem."""

    def __init__(self, seconds: float | None = None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._cancelled = threading.Event()
        self._expired = False
        self._lock = threading.Lock()
        self._interrupts: dict[int, Callable[[], None]] = {}
        self._watchdog: threading.Thread | None = None

    def remaining(self) -> float | None:
        """Seconds left, or None for an unlimited budget; never negative."""
        if self._deadline is None:
            return None
        return max(0.0, self._deadline - time.monotonic())

    @property
    def exhausted(self) -> bool:
        if self._cancelled.is_set():
            return True
        return self._deadline is not None and time.monotonic() >= self._deadline

    def poll(self) -> None:
        """Raise :class:`OutOfBudget` if time is up or the work was cancelled."""
        if self.exhausted:
            raise OutOfBudget("interrupted" if self._cancelled.is_set() else "time is up")

    def cancel(self) -> None:
        """Stop all work under this budget as soon as possible; callable from any thread."""
        self._cancelled.set()
        self._interrupt_all()

    @contextmanager
    def part(self, seconds: float) -> Iterator[Budget]:
        """``with budget.part(2.0) as limit: …``: at most so long, and not beyond this budget."""
        left = self.remaining()
        child = Budget(seconds if left is None else min(seconds, left))
        undo = self.on_expiry(child.cancel)
        try:
            yield child
        finally:
            undo()
            child.cancel()  # its watchdog may go

    def on_expiry(self, interrupt: Callable[[], None]) -> Callable[[], None]:
        """Have ``interrupt`` called when the budget runs out; returns a function that undoes this.

        An interrupt may be called more than once: a solver that was between two queries must
        see the next one interrupted as well.
        """
        key = id(interrupt)
        with self._lock:
            self._interrupts[key] = interrupt
            if self._watchdog is None:
                self._watchdog = threading.Thread(target=self._watch, daemon=True)
                self._watchdog.start()

        def undo() -> None:
            with self._lock:
                self._interrupts.pop(key, None)

        return undo

    def _watch(self) -> None:
        self._cancelled.wait(self.remaining())
        # Keep interrupting: a query that starts just after the first signal must end too.
        while True:
            with self._lock:
                if not self._interrupts:
                    self._watchdog = None
                    return
            self._interrupt_all()
            time.sleep(0.05)

    def _interrupt_all(self) -> None:
        with self._lock:
            interrupts = list(self._interrupts.values())
        for interrupt in interrupts:
            interrupt()
