"""What the driver returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from revet.engines.context import Statistics
from revet.frontends.program import Program
from revet.records import Record
from revet.result.verdict import Safe, Unknown, Unsafe, Verdict


class Checked(Record):
    """How the evidence was confirmed; ``notes`` are sentences for the report."""

    accepted: bool
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


class Participant(Record):
    """What one configuration of a portfolio did; ``outcome`` says how it ended, in words."""

    name: str
    engine: str
    outcome: str
    stats: Statistics
    cpu_seconds: float = 0.0
    memory: int = 0  # the most it used, in bytes


@dataclass
class Answer:
    """A verdict about a program, already checked: ``safe`` and ``unsafe`` are to be believed."""

    program: Program
    verdict: Verdict
    engine: str
    checked: Checked | None = None
    seconds: float = 0.0
    stats: Statistics = field(default_factory=Statistics)
    property_name: str | None = None
    participants: tuple[Participant, ...] = ()
    peak_memory: int = 0  # of all processes together, in bytes

    @property
    def status(self) -> Literal["safe", "unsafe", "unknown"]:
        match self.verdict:
            case Safe():
                return "safe"
            case Unsafe():
                return "unsafe"
            case Unknown():
                return "unknown"

    @property
    def reason(self) -> str | None:
        return self.verdict.reason if isinstance(self.verdict, Unknown) else None

    @property
    def exit_status(self) -> int:
        return {"safe": 0, "unsafe": 1, "unknown": 3}[self.status]
