"""Reports in files: ``--html`` and ``--sarif``."""

from __future__ import annotations

import os
import sys

from revet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.driver.answer import Answer
    from revet.events import Event, Observer
    from revet.report.history import History


class Reports:
    """The reports that were asked for; paths that cannot be written are refused before the run."""

    def __init__(self, html: str | None, sarif: str | None, each: bool) -> None:
        if html and each:
            raise UsageError("--html reports on one answer: it does not go with --each")
        self._html, self._sarif = html, sarif
        for path in (html, sarif):
            if path:
                refuse_unwritable(path)
        self._history: History | None = None
        if html:
            from revet.report import history

            self._history = history.History()

    def observer(self, inner: Observer) -> Observer:
        """``inner``, and a recording of the run if a report will draw it."""
        history = self._history
        if history is None:
            return inner

        def both(event: Event) -> None:
            history(event)
            inner(event)

        return both

    def write(self, answers: Sequence[Answer]) -> None:
        if self._html:
            from revet.report.html import html_report

            write_text(self._html, html_report(answers[0], self._history, _command()))
        if self._sarif:
            from revet.report.sarif import sarif_text

            write_text(self._sarif, sarif_text(answers, _command()))


def refuse_unwritable(path: str) -> None:
    """One message now rather than after an hour's work."""
    from pathlib import Path

    target = Path(path)
    try:
        if target.exists():
            writable = os.access(target, os.W_OK)
        elif not target.parent.is_dir():
            raise UsageError(f"cannot write {path}: there is no directory {target.parent}")
        else:
            writable = os.access(target.parent, os.W_OK)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error
    if not writable:
        raise UsageError(f"cannot write {path}: no permission")


def write_text(path: str, text: str) -> None:
    from pathlib import Path

    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _command() -> list[str]:
    return ["revet", *sys.argv[1:]]
