"""Answers that workers gave, and their confirmation in a process of its own.

The checker runs apart for three reasons: it can be killed when time is up (a replay may run a
compiled program, a query may not return), its memory counts against the limit, and the parent
stays free to listen to the other workers and to signals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.driver.run import confirm_found
from revet.portfolio.process import Child, is_memory_error
from revet.result.verdict import Safe, Unknown

if TYPE_CHECKING:
    from revet.driver.answer import Checked
    from revet.frontends.program import Program
    from revet.portfolio.channel import Channel
    from revet.portfolio.worker import Worker
    from revet.result.verdict import Verdict


class Claim(Child):
    """A worker's verdict *safe* or *unsafe*, which becomes an answer when it has been confirmed."""

    def __init__(
        self, program: Program, verdict: Verdict, worker: Worker, seconds: float | None, memory: int | None
    ) -> None:
        self.program = program
        self.verdict = verdict
        self.worker = worker
        self.checked: Checked | None = None
        self.accepted: bool | None = None  # None: not yet decided
        self.reason = ""
        super().__init__(lambda channel: self._confirm(seconds, channel), memory, own_group=True)

    def _confirm(self, seconds: float | None, channel: Channel) -> None:
        """In the checker's process."""
        try:
            verdict, checked = confirm_found(self.program, self.verdict, Budget(seconds))
        except (MemoryError, RuntimeError) as error:
            if not is_memory_error(error):
                raise
            verdict, checked = Unknown("memory ran out while the evidence was checked"), None
        channel.send((verdict.reason if isinstance(verdict, Unknown) else None, checked))

    @property
    def status(self) -> str:
        return "safe" if isinstance(self.verdict, Safe) else "unsafe"

    def settle(self) -> bool:
        """Read what the checker says, if it has said it; True when the claim is decided."""
        for reason, checked in self.channel.receive():
            self.accepted, self.reason, self.checked = reason is None, reason or "", checked
        if self.accepted is None and self.channel.closed:
            self.accepted, self.reason = False, "the checker's process died (out of memory?)"
        if self.accepted is None:
            return False
        self.kill()  # reap it, and end what it may have left running
        return True


def opposed(one: Claim, other: Claim) -> bool:
    """Different answers about the same; *safe* about a model with open ends says nothing of the rest."""
    return one.status != other.status and not one.program.open_ends
