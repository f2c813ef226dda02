"""Reports in files: ``--html`` and ``--sarif``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.frontends.registry import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.driver.answer import Answer
    from revet.events import Event, Observer
    from revet.report.history import History
    from revet.report.several import Row


_NAMED = (".html", ".htm", ".json", ".sarif", ".yml", ".yaml", ".md", ".py", ".toml", ".csv", ".pdf", ".xml")
"""Kinds of files that Revet writes with its name in them, or never."""
_LOOKED_AT = 100_000  # bytes of a file that may be one of ours


class Reports:
    """The reports that were asked for; paths that cannot be written are refused before the run."""

    def __init__(self, html: str | None, sarif: str | None, each: bool) -> None:
        self._html, self._sarif, self._each = html, sarif, each
        for path in (html, sarif):
            if path:
                refuse_unwritable(path)
        self._history: History | None = None
        if html and not each:
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
        if self._html and self._each:
            from revet.report.several import Row

            names = [one.property_name or "all invariants" for one in answers]
            rows = [Row(name, one, "", one.seconds) for name, one in zip(names, answers, strict=True)]
            self._write_table(rows, "property")
        elif self._html:
            from revet.report.html import html_report

            write_text(self._html, html_report(answers[0], self._history, _command()))
        if self._sarif:
            from revet.report.sarif import sarif_text

            write_text(self._sarif, sarif_text(answers, _command()))


    def write_rows(self, rows: Sequence[Row]) -> None:
        """The answers about each function."""
        if self._html:
            self._write_table(rows, "function")
        if self._sarif:
            from revet.report.sarif import sarif_text

            write_text(self._sarif, sarif_text([row.answer for row in rows if row.answer], _command()))

    def _write_table(self, rows: Sequence[Row], what: str) -> None:
        from revet.report.html.several import html_table

        assert self._html is not None
        write_text(self._html, html_table(rows, what, _command()))


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
    if target.is_file() and (language_of(target) is not None or target.suffix in _NAMED):
        text = target.read_bytes()[:_LOOKED_AT]
        if text and b"evet" not in text:
            raise UsageError(f"cannot write {path}: {path} is there already, and Revet did not write it")


def write_text(path: str, text: str) -> None:
    from pathlib import Path

    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _command() -> list[str]:
    return ["revet", *sys.argv[1:]]
