"""What the driver returns."""

from __future__ import annotations

from revet.engines.context import Statistics
from revet.records import Record
from revet.result.verdict import Safe, Unknown, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from revet.frontends.program import Program
    from revet.result.verdict import Verdict


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
