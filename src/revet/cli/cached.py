"""``--cache`` and ``--no-cache``: the evidence of the last run before the engines."""

from __future__ import annotations

import os

from revet.cli.output import echo
from revet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.cache import Cache, Question
    from revet.driver.answer import Answer
    from revet.frontends.program import Program
    from revet.portfolio import Limits
    from revet.portfolio.interrupt import Interrupt

_DEFAULT = ".revet-cache"


class Cached:
    """``recall`` False: engines must run, for what they show; their answer is still kept."""

    def __init__(self, folder: str | None, off: bool, *, recall: bool = True) -> None:
        if off and folder is not None:
            raise UsageError("--cache and --no-cache exclude each other")
        self._recall = recall
        self._cache: Cache | None = None
        # Without a folder there is nothing to load: most runs have none.
        if not off and (folder is not None or os.path.isdir(_DEFAULT)):
            from revet.cache import open_cache

            self._cache = open_cache(folder, _say)

    @property
    def on(self) -> bool:
        return self._cache is not None

    def recall(
        self, question: Question | None, program: Program, limits: Limits, interrupt: Interrupt
    ) -> Answer | None:
        if self._cache is None or question is None or not self._recall:
            return None
        return self._cache.recall(question, program, limits, interrupt)

    def keep(self, question: Question | None, answer: Answer) -> None:
        if self._cache is not None and question is not None:
            self._cache.keep(question, answer)


def _say(note: str) -> None:
    echo(f"revet: note: {note}", err=True)
