"""``--explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.cli.output import echo
from revet.cli.reports import write_text
from revet.events import Explained

if TYPE_CHECKING:
    from revet.events import Event, Observer


class Explanation:
    """``--explain``: keeps what the engine shows, writes it at the end."""

    def __init__(self, path: str | None, engine: str | None) -> None:
        self.path = path
        self.steps: list[Explained] = []
        if path is not None:
            from revet.report.explain import refuse_explaining

            refuse_explaining(engine, path)

    def watch(self, observe: Observer) -> Observer:
        if self.path is None:
            return observe

        def keep(event: Event) -> None:
            if isinstance(event, Explained):
                self.steps.append(event)
            observe(event)

        return keep

    def write(self) -> None:
        if self.path is None:
            return
        from revet.report.explain import explanation

        if not self.steps:
            echo("--explain: the engine ended before it had anything to show", err=True)
        elif self.path == "-":
            echo(explanation(self.steps, self.path))
        else:
            write_text(self.path, explanation(self.steps, self.path))
