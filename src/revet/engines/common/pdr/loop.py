"""The main loop of PDR."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from revet.events import BoundReached
from revet.result.verdict import Safe

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.result.certificate import Certificate
    from revet.result.verdict import Verdict


class Pdr(ABC):
    """F_0, …, F_top: each frame contains the states reachable in so many steps and leads into the next.

    An engine says how frames are strengthened, opened and propagated. It ends with *unsafe* from
    :meth:`strengthen`, with *safe* when two frames are equal, or by running out of budget.
    """

    name: str
    context: Context

    def run(self) -> Verdict:
        while True:
            self.context.budget.poll()
            verdict = self.strengthen()
            if verdict is not None:
                return verdict
            self.context.observe(BoundReached(self.name, self.top))
            fixpoint = self.advance()
            if fixpoint is not None:
                return Safe(self.certificate(fixpoint))

    def advance(self) -> int | None:
        """Open the next frame and propagate into it; a level i with F_i = F_(i+1), if there is one."""
        self.open()
        return self.propagate()

    @property
    @abstractmethod
    def top(self) -> int:
        """The level of the last frame: no violation within so many steps, once it is strengthened."""

    @abstractmethod
    def strengthen(self) -> Verdict | None:
        """Remove the bad states from the last frame; a verdict if that cannot be done."""

    @abstractmethod
    def open(self) -> None:
        """Add a frame that knows nothing but what always holds."""

    @abstractmethod
    def propagate(self) -> int | None:
        """Move lemmas one frame further where they hold there; a level i with F_i = F_(i+1), if any."""

    @abstractmethod
    def certificate(self, level: int) -> Certificate:
        """The invariant that F_level is."""
