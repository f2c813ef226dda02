"""What a running engine tells the portfolio: a worker through its pipe, or one in the parent itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from revet.events import (
    BoundReached,
    Explained,
    FrameOpened,
    InvariantFound,
    LemmaLearnt,
    Note,
    PredicateFound,
    Progress,
)
from revet.smt.meter import METER

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from revet.events import Event
    from revet.portfolio.boxes import Outbox

Post: TypeAlias = "Callable[[tuple[str, Event]], object]"

_OFTENEST, _RAREST = 0.01, 0.5  # seconds between two reports of progress

# Events that are passed on even when nobody reads a log.
_ALWAYS = (BoundReached, FrameOpened, InvariantFound, Note, Explained)


class Sender:
    """The worker's observer. Unless someone reads a log, only what steers the portfolio goes
    through the pipe: lemmas by the thousand would cost more than finding them. For whoever
    watches they are counted, and the counts sent at growing intervals."""

    def __init__(self, post: Post, name: str, verbose: bool, outbox: Outbox | None = None) -> None:
        self.post = post
        self._name = name
        self._verbose = verbose
        self._level: int | None = None
        self._lemmas = self._predicates = 0
        self._asked_before = METER.queries
        self._start = self._due = time.monotonic()
        self._outbox = outbox

    def __call__(self, event: Event) -> None:
        match event:
            case LemmaLearnt():
                self._lemmas += 1
            case PredicateFound():
                self._predicates += 1
            case FrameOpened():
                self._level = event.level
        if self._verbose or isinstance(event, _ALWAYS):
            self.post(("event", event))
        now = time.monotonic()
        if self._outbox is not None:
            self._outbox.notice(event)
            self._outbox.send(now)
        if now >= self._due:
            self._due = now + min(_RAREST, max(_OFTENEST, 0.03 * (now - self._start)))
            self.progress()

    def progress(self) -> None:
        queries = METER.queries - self._asked_before
        event = Progress(self._name, self._level, self._lemmas, self._predicates, queries)
        self.post(("event", event))
