"""Several questions with one limit of time: none uses up what the others need."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from revet.driver.answer import Answer
    from revet.frontends.program import Program
    from revet.question import Question

_FIRST = 10.0  # seconds for each where there is no limit; what is open then is asked again, for twice as long
_ALL = 0.8  # of its share: who used that much was not given more
_LEAST = 0.1


def answer_all(
    questions: Sequence[tuple[Question, Program]],
    left: Callable[[], float | None],
    ask: Callable[[Question, Program, float | None], Answer],
    tell: Callable[[Question, Answer], None],
) -> list[Answer]:
    """The answers to the questions, in their order; ``tell`` hears each as soon as it is settled.

    ``ask`` is given seconds: what is ``left`` of the time (None: no limit) divided by the number of questions
    that wait. Who used them all without an answer is asked again if others left more than that.
    """
    found: dict[int, Answer] = {}
    waiting, seconds = list(enumerate(questions)), _FIRST
    while waiting:
        again, most = [], 0.0
        for done, (number, (question, program)) in enumerate(waiting):
            limit = left()
            if limit is None:
                share = None if len(waiting) == 1 else seconds
            else:
                share = max(_LEAST, limit / (len(waiting) - done))
            begun = time.monotonic()
            found[number] = ask(question, program, share)
            used_up = share is not None and time.monotonic() - begun >= _ALL * share
            if found[number].status == "unknown" and share is not None and used_up:
                again.append((number, (question, program)))
                most = max(most, share)
            else:
                tell(question, found[number])
        limit = left()
        if again and limit is not None and limit / len(again) <= most:  # nobody would get more than before
            for number, (question, _) in again:
                tell(question, found[number])
            break
        waiting, seconds = again, 2 * seconds
    return [found[number] for number in sorted(found)]
