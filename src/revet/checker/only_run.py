"""A program that asks for nothing has one run; if that is harmless, the program is safe.

The run is made by the interpreter of the program's language, which is handed in (:class:`Runs`): the
checker imports no language. The interpreter reports what it saw (:class:`ObservedRun`); the rule by which
this is a proof stands here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.checker.report import malformed, rejected

if TYPE_CHECKING:
    from typing import Protocol

    from revet.budget import Budget
    from revet.result.certificate import OnlyRun

    class Runs(Protocol):
        """The interpreter of a language, with a program."""

        def __call__(self, budget: Budget) -> ObservedRun:
            """Run the program from its start, giving it nothing; within the budget."""


@dataclass(frozen=True)
class ObservedRun:
    """What an interpreter saw.

    ``ended``: how: ``exit`` if the program came to its own end. ``drawn``: how many values it asked for
    (inputs, memory that nobody has written). ``undefined``: what it did that has no meaning in its language.
    ``choices``: what it saw that the language leaves open (addresses, orders), one text each.
    """

    ended: str
    drawn: int
    undefined: tuple[str, ...]
    choices: tuple[str, ...]
    steps: int

    @property
    def flaw(self) -> str | None:
        """Why this is not the only run of a safe program; None if it is."""
        if self.ended != "exit":
            return f"the run ends otherwise: {self.ended}"
        if self.drawn:
            return f"the run is not the only one: it asks for {self.drawn} values"
        if self.undefined:
            return f"the run has no meaning: {self.undefined[0]}"
        if self.choices:
            return f"not the only run: it depends on what the language leaves open: {self.choices[0]}"
        return None


def check_only_run(runs: Runs, certificate: OnlyRun, budget: Budget) -> None:
    """Raises :class:`Refused` unless the program, run again, has one run only, of the length claimed."""
    seen = runs(budget)
    if seen.flaw is not None:
        raise rejected("safety", seen.flaw)
    if seen.steps != certificate.steps:
        raise malformed(f"the run ends after {seen.steps} steps, not {certificate.steps}")
