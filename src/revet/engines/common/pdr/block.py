"""Blocking: obligations lead to earlier ones, until all are blocked or one starts in an initial state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from revet.engines.common.pdr.answers import Blocked, Level, Reached
from revet.engines.common.pdr.loop import Pdr
from revet.engines.common.pdr.obligations import Obligation, Obligations

C = TypeVar("C")
K = TypeVar("K")


class BlockingPdr(Pdr, Generic[C, K]):
    """PDR whose obligations have cubes of type C; K is the type of cores."""

    pushes = True  # ask for a blocked cube one level higher at once: it will come again there

    def block(self, first: Obligation[C]) -> Obligation[C] | None:
        """Block the obligation and all that come up on the way; else one that holds initially, the
        first of a chain to the violation."""
        if self.is_initial(first):
            return first
        queue: Obligations[C] = Obligations()
        queue.add(first)
        while queue:
            self.context.budget.poll()
            obligation = queue.pop()
            level: Level = obligation.level
            if not self.is_blocked(obligation):
                answer = self.expand(obligation)
                if isinstance(answer, Reached):
                    for before in answer.by:
                        self.opened(before)
                        if self.is_initial(before):
                            return before
                        queue.add(before)
                    queue.add(obligation)
                    continue
                level = self.learn(obligation, answer)
            if self.pushes and level < self.top:
                queue.add(obligation.at(int(level) + 1))
        return None

    @abstractmethod
    def is_initial(self, obligation: Obligation[C]) -> bool:
        """Is one of its states initial?"""

    @abstractmethod
    def is_blocked(self, obligation: Obligation[C]) -> bool:
        """Does a single lemma exclude it? (Spares a query.)"""

    @abstractmethod
    def expand(self, obligation: Obligation[C]) -> Blocked[K] | Reached[Sequence[Obligation[C]]]:
        """Why it is blocked, or what must be blocked first."""

    @abstractmethod
    def learn(self, obligation: Obligation[C], blocked: Blocked[K]) -> Level:
        """Generalise, push and store a lemma that excludes it; the lemma's level."""

    def opened(self, obligation: Obligation[C]) -> None:
        """Tell who listens about a new obligation."""
