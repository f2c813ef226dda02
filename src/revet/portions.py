"""A question that falls into portions: the whole and, one by one, what it is made of, by turns.

A program says what its portions are (:class:`revet.frontends.program.Divides`): for C the groups of checks
that a plain file is asked about. If each portion is safe the whole is, and a violation of one is a violation
of the whole. So a group that nobody can decide does not hide what is known of the others: the answer lists
each.

A third of the time goes to the whole question, then as much to all portions together, and so on with what
is open; without a limit ten seconds, and each round is twice as long as the last. Who waits keeps what it has
learnt, unless that takes too much memory.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from revet.driver.answer import Answer
from revet.result.verdict import Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.frontends.program import Divides, Program
    from revet.portfolio import Interrupt, PortfolioRun
    from revet.question import Question

_FIRST = 10.0  # seconds, where nobody limits them
_LEAST = 0.2  # seconds worth starting for
_ROOM = 2 << 30
"""Bytes for all that wait; with a limit at most a quarter of it."""
_WHOLE = ""  # among the names of portions


class _Portions:
    """The runs and the answers so far; ``begin`` starts the run for a question that is not divided."""

    def __init__(
        self, question: Question, program: Divides, begin: Callable[[Question, Program], PortfolioRun],
        interrupt: Interrupt | None,
    ) -> None:
        self.question = question
        self.program = program
        self.begin = begin
        self.interrupt = interrupt
        self.begun = time.monotonic()
        self.runs: dict[str, PortfolioRun] = {}
        self.found: dict[str, Answer] = {}
        limit = question.limits.memory
        self.room = _ROOM if limit is None else min(_ROOM, limit // 4)

    @property
    def left(self) -> float | None:
        most = self.question.limits.seconds
        return None if most is None else most - (time.monotonic() - self.begun)

    @property
    def over(self) -> bool:
        left = self.left
        stopped = self.interrupt is not None and self.interrupt.happened
        return stopped or (left is not None and left < _LEAST)

    def is_open(self, name: str) -> bool:
        return name not in self.found

    def status(self, name: str) -> str:
        return self.found[name].status if name in self.found else "open"

    def hear(self, name: str, seconds: float) -> None:
        """Go on with the whole or a portion for so long, or until there is an answer."""
        run = self.runs.get(name)
        if run is None:
            run = self.runs[name] = self._started(name)
        answer = run.answer(time.monotonic() + seconds)
        if answer is not None:
            self.found[name] = answer
            self._end(name)
        waiting = {name: run.memory() for name, run in self.runs.items()}
        while sum(waiting.values()) > self.room:
            largest = max(waiting, key=lambda name: waiting[name])
            del waiting[largest]
            self._end(largest)

    def _started(self, name: str) -> PortfolioRun:
        limits = replace(self.question.limits, seconds=self.left)
        if limits.memory is not None:
            limits = replace(limits, memory=limits.memory - self.room)
        question = replace(self.question, limits=limits)
        if name == _WHOLE:
            return self.begin(question, self.program)
        return self.begin(replace(question, property=name), self.program.portion(name))

    def _end(self, name: str) -> None:
        self.runs.pop(name).end()

    def round(self, seconds: float) -> bool:
        """The whole for so long, then what is open of the portions together. True: nothing is gained by
        another one."""
        if self.is_open(_WHOLE):
            self.hear(_WHOLE, seconds)
            if self.status(_WHOLE) in ("safe", "unsafe"):
                return True
        waiting = [name for name in self.program.portions if self.is_open(name)]
        for name in waiting:
            if self.over:
                return True
            most = seconds if self.left is None else min(seconds, self.left)
            self.hear(name, max(most / len(waiting), _LEAST))
            if self.status(name) == "unsafe":
                return True
        everything = (_WHOLE, *self.program.portions)
        proved = all(self.status(name) == "safe" for name in self.program.portions)
        return proved or self.over or not any(map(self.is_open, everything))

    def answer(self) -> Answer:
        """The whole's answer, or the joint one of the portions if they were asked."""
        whole = self.found.get(_WHOLE) or self._given_up(_WHOLE)
        if whole.status == "unknown" and (len(self.runs) > 1 or len(self.found) > 1):
            whole = self._joint(whole)
        whole.seconds = time.monotonic() - self.begun
        return whole

    def _given_up(self, name: str) -> Answer:
        if name in self.runs:
            return self.runs[name].given_up()
        broken = any(one.status == "unsafe" for one in self.found.values())
        late = Unknown(f"not asked: {'another is broken' if broken else 'time is up'}")
        return Answer(self.program, late, "portfolio", property_name=name)

    def end(self) -> None:
        for name in list(self.runs):
            self._end(name)

    def _joint(self, whole: Answer) -> Answer:
        """A violation of a portion, *safe* if all are, else *unknown*; with the portions' own answers."""
        for name in self.program.portions:
            if self.is_open(name):
                self.found[name] = self._given_up(name)
        groups = tuple(self.found[name] for name in self.program.portions)
        violated = [one for one in groups if one.status == "unsafe"]
        undecided = [one for one in groups if one.status == "unknown"]
        if violated:
            main = violated[0]
        elif undecided:
            main = Answer(whole.program, Unknown(_reason(groups), _bound(whole)), "portfolio")
        else:
            main = groups[0]
        joint = Answer(**{**vars(main), "groups": groups, "property_name": self.question.property})
        if not violated and not undecided:  # what one portion assumes the others have shown
            joint.program = main.program.listing(whole.program.assumptions)
        return joint


def answer_in_portions(
    question: Question, program: Divides, begin: Callable[[Question, Program], PortfolioRun],
    interrupt: Interrupt | None,
) -> Answer:
    """The answer about the whole program if there is one in time, else the joint one of its portions."""
    run = _Portions(question, program, begin, interrupt)
    most = question.limits.seconds
    seconds = _FIRST if most is None else most / 3
    try:
        while not run.round(seconds):
            seconds = 2 * seconds if most is None else seconds
        return run.answer()
    finally:
        run.end()


def _reason(groups: tuple[Answer, ...]) -> str:
    """What is open and what is not, then why."""
    safe = [one.property_name or "" for one in groups if one.status == "safe"]
    undecided = [one for one in groups if one.status == "unknown"]
    names = ", ".join(one.property_name or "" for one in undecided)
    known = f"; proved: {', '.join(safe)}" if safe else ""
    why = "\n".join(f"{one.property_name}: {one.reason}" for one in undecided)
    return f"{names} not decided{known}\n{why}"


def _bound(whole: Answer) -> int | None:
    return whole.verdict.bound if isinstance(whole.verdict, Unknown) else None
