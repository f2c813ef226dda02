"""What every configuration did over time: an observer that the report draws from.

It keeps one sample for each :class:`~revet.events.Progress` and the beginnings and ends of the
turns. Workers send progress at growing intervals, so a long run costs some hundred samples.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.events import InvariantFound, Note, Progress, Turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.events import Event

_MOST_NOTES = 200


@dataclass(frozen=True)
class Sample:
    """Totals of a configuration after ``seconds``."""

    seconds: float
    level: int | None
    lemmas: int
    predicates: int
    queries: int


class Course:
    """One configuration's run: ``turns`` are (begin, end) in seconds, the last one may be open."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.samples: list[Sample] = []
        self.turns: list[tuple[float, float | None]] = []
        self.outcome = ""

    def seconds(self, now: float) -> float:
        """For how long it ran."""
        return sum((now if end is None else end) - begin for begin, end in self.turns)


class History:
    """Call it with every event; :attr:`courses` are in the order in which they began."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self.courses: dict[str, Course] = {}
        self.notes: list[tuple[float, str, str]] = []
        self.end = 0.0

    def __call__(self, event: Event) -> None:
        now = self.end = self._clock() - self._start
        match event:
            case Progress(name, level, lemmas, predicates, queries):
                self._course(name).samples.append(Sample(now, level, lemmas, predicates, queries))
            case Turn(name, state, text):
                self._turn(self._course(name), state, text, now)
            case Note(engine, text) if len(self.notes) < _MOST_NOTES:
                self.notes.append((now, engine, text))
            case InvariantFound(engine, invariant) if len(self.notes) < _MOST_NOTES:
                self.notes.append((now, engine, f"invariant {str(invariant)[:200]}"))

    def _course(self, name: str) -> Course:
        return self.courses.setdefault(name, Course(name))

    @staticmethod
    def _turn(course: Course, state: str, text: str, now: float) -> None:
        if state == "runs":
            course.turns.append((now, None))
            return
        if course.turns and course.turns[-1][1] is None:
            course.turns[-1] = (course.turns[-1][0], now)
        if state in ("ended", "answers"):
            course.outcome = text or state
