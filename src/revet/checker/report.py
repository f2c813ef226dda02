"""What the checker says of a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from revet.logic.terms import Term
    from revet.logic.values import Value

Condition: TypeAlias = 'Literal["form", "initiation", "consecution", "safety", "exhaustion"]'


@dataclass(frozen=True, eq=False)
class CheckReport:
    """``accepted``, ``rejected`` (``condition`` fails ``where``, for instance in the state
    ``counterexample``) or ``undecided`` (the solver gave up). Only the first is a proof; ``where`` says
    then how it was checked, if not by queries."""

    status: Literal["accepted", "rejected", "undecided"]
    condition: Condition | None = None
    where: str = ""
    counterexample: Mapping[Term, Value] | None = None
    queries: int = 0

    @property
    def accepted(self) -> bool:
        return self.status == "accepted"

    def __str__(self) -> str:
        if self.status == "accepted":
            queries = "1 query" if self.queries == 1 else f"{self.queries} queries"
            return self.where or f"certificate accepted, {queries}"
        if self.status == "undecided":
            return f"certificate undecided: {self.condition}, {self.where}"
        text = f"certificate rejected: {self.condition} fails, {self.where}"
        if self.counterexample:
            text += ", from " + ", ".join(f"{x.name} = {value}" for x, value in self.counterexample.items())
        return text


class Refused(Exception):
    """Raised inside the checker as soon as a condition fails or cannot be decided."""

    def __init__(self, report: CheckReport) -> None:
        super().__init__(str(report))
        self.report = report


def rejected(condition: Condition, where: str) -> Refused:
    return Refused(CheckReport("rejected", condition, where))


def malformed(why: str) -> Refused:
    """The certificate does not even have the right form."""
    return rejected("form", why)
