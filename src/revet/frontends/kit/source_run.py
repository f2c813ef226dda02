"""Evidence in source terms, as data: what a report steps through and writes beside the lines.

A front end fills these in where it knows more than the model says (C's statements and variables,
Lustre's streams); where it does not, the report derives them from the trace of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from revet.errors import Position


@dataclass(frozen=True, slots=True)
class SourceStep:
    """One statement of a run; ``changes`` are the (variable, value) pairs that it brings about.

    ``edge`` is the number of the step in the model's trace, where that is known."""

    text: str
    position: Position | None
    changes: tuple[tuple[str, str], ...] = ()
    function: str = ""
    depth: int = 0
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class SourceRun:
    """``start`` are the values before the first step; ``left_out`` steps are missing before step
    number ``gap`` of a very long run; ``ending`` says how it ends."""

    steps: tuple[SourceStep, ...]
    ending: str
    start: tuple[tuple[str, str], ...] = ()
    gap: int = 0
    left_out: int = 0

    @property
    def last(self) -> SourceStep | None:
        """The step that breaks the property; None if it is one of those left out."""
        return self.steps[-1] if self.steps and not (self.left_out and self.gap == len(self.steps)) else None

    def cut_off(self, steps: int, violated: str) -> SourceRun:
        """This is the beginning of a run of so many steps: to watch them all would take longer than
        finding it."""
        ending = f"… {steps} steps in all; then it breaks {violated}"
        return replace(self, ending=ending, gap=len(self.steps), left_out=max(1, steps - len(self.steps)))


@dataclass(frozen=True, slots=True)
class StreamTable:
    """A run of a dataflow program or a circuit: groups of (name, a value for every instant)."""

    groups: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]
    ending: str
    left_out: str = ""

    @property
    def instants(self) -> int:
        return max((len(values) for _, rows in self.groups for _, values in rows), default=0)

    def data(self) -> dict[str, dict[str, list[str]]]:
        """By group and name, for JSON."""
        return {title: {name: list(values) for name, values in rows} for title, rows in self.groups}


@dataclass(frozen=True, slots=True)
class SourceInvariant:
    """``text`` holds whenever a run comes to ``position``."""

    text: str
    where: str
    position: Position | None = None


def stream_text(streams: StreamTable) -> str:
    """A table of streams, one column an instant, like KIND 2's."""
    blank = ("",) * streams.instants
    table: list[tuple[str, Sequence[str]]] = [("instant", [str(n) for n in range(streams.instants)])]
    for title, rows in streams.groups:
        table += [(f"== {title} ==", blank), *rows]
    width = max(len(name) for name, _ in table)
    columns = [max(len(cells[n]) for _, cells in table) for n in range(streams.instants)]
    lines = [f"counterexample: {streams.ending}"]
    for name, cells in table:
        line = "  ".join(cell.rjust(columns[n]) for n, cell in enumerate(cells))
        lines.append(f"  {name:{width}}  {line}".rstrip())
    return "\n".join(lines)
