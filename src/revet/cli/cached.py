"""``--cache`` and ``--no-cache``: the evidence of the last run before the engines."""

from __future__ import annotations

import click

from revet.cache import Question, open_cache
from revet.driver.answer import Answer
from revet.errors import UsageError
from revet.frontends.program import Program
from revet.portfolio import Limits
from revet.portfolio.interrupt import Interrupt


class Cached:
    """``recall`` False: engines must run, for what they show; their answer is still kept."""

    def __init__(self, folder: str | None, off: bool, *, recall: bool = True) -> None:
        if off and folder is not None:
            raise UsageError("--cache and --no-cache exclude each other")
        self._recall = recall
        self._cache = None if off else open_cache(folder, _say)

    def recall(
        self, question: Question, program: Program, limits: Limits, interrupt: Interrupt
    ) -> Answer | None:
        if self._cache is None or not self._recall:
            return None
        return self._cache.recall(question, program, limits, interrupt)

    def keep(self, question: Question, answer: Answer) -> None:
        if self._cache is not None:
            self._cache.keep(question, answer)


def _say(note: str) -> None:
    click.echo(f"revet: note: {note}", err=True)
