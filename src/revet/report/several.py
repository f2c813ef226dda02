"""Several answers together: a table of functions or of properties, as data and as rows for other reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from revet import __version__
from revet.driver.answer import Answer
from revet.frontends.program import ReplayFailed, TellsRuns
from revet.report import SCHEMA
from revet.report.data import answer_data
from revet.result.verdict import Unknown, Unsafe


@dataclass(frozen=True, eq=False)
class Row:
    """One question: ``answer`` is None where the function could not be read, ``problem`` says why."""

    name: str
    answer: Answer | None
    problem: str = ""
    seconds: float = 0.0

    @property
    def status(self) -> str:
        return self.answer.status if self.answer is not None else "refused"

    @property
    def checked(self) -> str:
        """How many places were checked."""
        return str(len(self.answer.program.property_names)) if self.answer is not None else "-"

    @property
    def reason(self) -> str:
        """Why it is not safe, in a line; empty if it is."""
        if self.answer is None:
            return self.problem
        match self.answer.verdict:
            case Unsafe(trace):
                if isinstance(self.answer.program, TellsRuns):
                    try:
                        return self.answer.program.source_run(trace).ending
                    except ReplayFailed:  # only the model has confirmed it
                        pass
                return trace.violated
            case Unknown(reason):
                return reason.strip()
        return "" if self.answer.program.property_names else "nothing to check in it"


def joint_verdict(rows: Sequence[Row]) -> str:
    """Unsafe if any is, safe only if all are."""
    found = {row.status for row in rows}
    if "unsafe" in found:
        return "unsafe"
    return "safe" if found == {"safe"} else "unknown"


def rows_data(rows: Sequence[Row]) -> dict[str, Any]:
    """One JSON object with an entry for each function."""
    functions = []
    for row in rows:
        data: dict[str, Any] = {"function": row.name, "verdict": row.status, "seconds": round(row.seconds, 3)}
        if row.answer is not None:
            data |= {"checked": len(row.answer.program.property_names), "answer": answer_data(row.answer)}
        if row.reason:
            data["reason"] = row.reason
        functions.append(data)
    tool = {"name": "revet", "version": __version__}
    return {"schema": SCHEMA, "tool": tool, "verdict": joint_verdict(rows), "functions": functions}
