"""Certificates about the source program itself, which the interpreter of its language runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.result.kind import Certificate

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from revet.logic.terms import Term
    from revet.result.fields import Fields


@dataclass(frozen=True, eq=False)
class OnlyRun(Certificate):
    """For a program that draws nothing: it has only one run, and that ends without a violation.

    Checked by running the program in the interpreter of its language, which must not ask for any
    value on the way. ``steps`` is how long the run was.
    """

    kind = "only-run"
    about = "source"
    steps: int

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"steps": self.steps}

    @classmethod
    def read(cls, fields: Fields) -> OnlyRun:
        fields.require_keys("steps")
        return cls(fields.number("steps", 0))

    def text(self, model: object) -> str:
        return f"the program reads nothing, and its only run ends after {self.steps} steps"

    def sentence(self) -> str:
        return f"The program reads nothing: it has only one run, which ends after {self.steps} steps."


@dataclass(frozen=True, eq=False)
class FewRuns(Certificate):
    """For a program that asks for choices among few values only (does this allocation fail?): it has so many
    ``runs``, of ``steps`` in all, and each ends without a violation. Checked by making all of them."""

    kind = "few-runs"
    about = "source"
    runs: int
    steps: int

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"runs": self.runs, "steps": self.steps}

    @classmethod
    def read(cls, fields: Fields) -> FewRuns:
        fields.require_keys("runs", "steps")
        return cls(fields.number("runs", 1), fields.number("steps", 0))

    def text(self, model: object) -> str:
        return f"the program has {self.runs} runs only, which all end, after {self.steps} steps together"

    def sentence(self) -> str:
        return f"The program has only {self.runs} runs. All of them end, after {self.steps} steps together."
