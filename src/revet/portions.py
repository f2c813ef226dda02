"""A question that falls into portions: all at once first, then one by one what that left open.

A program says what its portions are (:class:`revet.frontends.program.Divides`): for C the groups of checks
that a plain file is asked about. If each portion is safe the whole is, and a violation of one is a violation
of the whole. So a group that nobody can decide does not hide what is known of the others: the answer lists
each.

Half of the time goes to the whole question; without a limit twenty seconds, and what is open after a round of
the portions has twice as long in the next.
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
    from revet.question import Question

_FIRST = 20.0  # seconds, where nobody limits them
_LEAST = 0.2  # seconds worth starting for


class _Portions:
    """The answers so far; ``ask`` is the road for a question that is not divided, ``stopped`` says that the
    user has had enough."""

    def __init__(
        self, question: Question, program: Divides, ask: Callable[[Question, Program], Answer],
        stopped: Callable[[], bool],
    ) -> None:
        self.question = question
        self.program = program
        self.ask = ask
        self.stopped = stopped
        self.begun = time.monotonic()
        self.found: dict[str, Answer] = {}

    @property
    def left(self) -> float | None:
        most = self.question.limits.seconds
        return None if most is None else most - (time.monotonic() - self.begun)

    def answer_to(self, about: Program, name: str | None, seconds: float) -> Answer:
        limits = replace(self.question.limits, seconds=seconds)
        return self.ask(replace(self.question, property=name or self.question.property, limits=limits), about)

    def round(self, seconds: float) -> bool:
        """Ask about each portion that is open, for so long or a fair share of the time that is left. True if
        nothing is gained by another round: one is unsafe, all are safe, or those that are open gave up."""
        waiting = [name for name in self.program.portions if self._is_open(name)]
        gave_up = True
        for number, name in enumerate(waiting):
            left = self.left
            share = seconds if left is None else left / (len(waiting) - number)
            if share < _LEAST or self.stopped():
                continue
            found = self.found[name] = self.answer_to(self.program.portion(name), name, share)
            if found.status == "unsafe":
                return True
            gave_up = gave_up and (found.status == "safe" or found.seconds < 0.9 * share)
        return gave_up or self.left is not None or self.stopped()

    def _is_open(self, name: str) -> bool:
        return name not in self.found or self.found[name].status == "unknown"

    def joint(self, whole: Answer) -> Answer:
        """The answer to the question: a violation of a portion, *safe* if all are, else *unknown*; with the
        portions' own answers."""
        broken = any(one.status == "unsafe" for one in self.found.values())
        over = "another is broken" if broken else "time is up"
        for name in self.program.portions:
            if name not in self.found:
                late = Unknown(f"not asked: {over}")
                self.found[name] = Answer(whole.program, late, "portfolio", property_name=name)
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
        joint.seconds = time.monotonic() - self.begun
        return joint


def answer_in_portions(
    question: Question, program: Divides, ask: Callable[[Question, Program], Answer],
    stopped: Callable[[], bool],
) -> Answer:
    """The answer about the whole program if there is one in time, else the joint one of its portions."""
    run = _Portions(question, program, ask, stopped)
    most = question.limits.seconds
    seconds = _FIRST if most is None else most / 2
    whole = run.answer_to(program, None, seconds)
    if whole.status != "unknown" or stopped():
        return whole
    while not run.round(seconds):
        seconds *= 2
    return run.joint(whole)


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
