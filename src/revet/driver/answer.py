"""What the driver returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.engines.common.context import Statistics
from revet.result.verdict import Safe, Unknown, Unsafe

if TYPE_CHECKING:
    from typing import Literal

    from revet.frontends.program import Program
    from revet.result.verdict import Verdict


@dataclass(frozen=True)
class Checked:
    """How the evidence was confirmed; ``notes`` are sentences for the report. ``closed``: a certificate
    excludes the open ends of the model, too."""

    accepted: bool
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    closed: bool = False


@dataclass(frozen=True)
class Participant:
    """What one configuration of a portfolio did; ``outcome`` says how it ended, in words."""

    name: str
    engine: str
    outcome: str
    stats: Statistics
    cpu_seconds: float = 0.0
    memory: int = 0  # the most it used, in bytes


class Answer:
    """A verdict about a program, already checked: ``safe`` and ``unsafe`` are to be believed."""

    def __init__(
        self,
        program: Program,
        verdict: Verdict,
        engine: str,
        checked: Checked | None = None,
        seconds: float = 0.0,
        stats: Statistics | None = None,
        property_name: str | None = None,
        participants: tuple[Participant, ...] = (),
        peak_memory: int = 0,
        groups: tuple[Answer, ...] = (),
    ) -> None:
        self.program = program
        self.verdict = verdict
        self.engine = engine
        self.checked = checked
        self.seconds = seconds
        self.stats = stats or Statistics()
        self.property_name = property_name
        self.participants = participants
        self.peak_memory = peak_memory  # of all processes together, in bytes
        self.groups = groups  # the answers about the portions of a question that was divided

    @property
    def status(self) -> Literal["safe", "unsafe", "unknown"]:
        """Of a property that should be reached, a run that does so is the good news."""
        match self.verdict:
            case Safe():
                return "unsafe" if self.program.reaching else "safe"
            case Unsafe():
                return "safe" if self.program.reaching else "unsafe"
            case Unknown():
                return "unknown"

    @property
    def reason(self) -> str | None:
        return self.verdict.reason if isinstance(self.verdict, Unknown) else None

    @property
    def exit_status(self) -> int:
        return {"safe": 0, "unsafe": 1, "unknown": 3}[self.status]
