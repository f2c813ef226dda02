"""A program that asks for nothing has one run; if that is harmless, the program is safe. One that only asks
for choices among few values (does this allocation fail?) has few runs, which are made one after the other.

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
    from revet.result.certificate import FewRuns, OnlyRun

    class Runs(Protocol):
        """The interpreter of a language, with a program."""

        def __call__(self, budget: Budget, choices: tuple[int, ...] = ()) -> ObservedRun:
            """Run the program from its start, giving it nothing but these choices among few values, in the
            order in which it asks, and then 0; within the budget."""


@dataclass(frozen=True)
class ObservedRun:
    """What an interpreter saw.

    ``ended``: how: ``exit`` if the program came to its own end. ``drawn``: how many values it asked for
    (inputs, memory that nobody has written). ``undefined``: what it did that has no meaning in its language.
    ``choices``: what it saw that the language leaves open (addresses, orders), one text each.
    ``alternatives``: for each choice among few values that it was given, how many there are.
    """

    ended: str
    drawn: int
    undefined: tuple[str, ...]
    choices: tuple[str, ...]
    steps: int
    alternatives: tuple[int, ...] = ()

    @property
    def flaw(self) -> str | None:
        """Why this is not a run of a safe program that is determined by its choices; None if it is."""
        if self.ended not in ("exit", "abort"):
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
    if seen.alternatives:
        raise rejected("safety", f"the run is not the only one: it is given {len(seen.alternatives)} choices")
    if seen.steps != certificate.steps:
        raise malformed(f"the run ends after {seen.steps} steps, not {certificate.steps}")


def next_choices(made: tuple[int, ...], alternatives: tuple[int, ...]) -> tuple[int, ...] | None:
    """The choices of the run after one with these, where it could choose among so many values each; None
    after the last one. The first run is given no choice; beyond those given, a run chooses 0."""
    assert len(made) <= len(alternatives), "a run asks for what it was given"
    complete = (*made, *(0 for _ in alternatives[len(made) :]))
    for place in reversed(range(len(complete))):
        if complete[place] + 1 < alternatives[place]:
            return (*complete[:place], complete[place] + 1)
    return None


def check_few_runs(runs: Runs, certificate: FewRuns, budget: Budget) -> None:
    """Raises :class:`Refused` unless the runs with all choices there are end well, as many as claimed."""
    choices: tuple[int, ...] | None = ()
    number = steps = 0
    while choices is not None:
        seen = runs(budget, choices)
        if seen.flaw is not None:
            raise rejected("safety", f"with the choices {list(choices)}, {seen.flaw}")
        number, steps = number + 1, steps + seen.steps
        if number > certificate.runs or len(choices) > len(seen.alternatives):
            raise malformed(f"the program has more than {certificate.runs} runs")
        choices = next_choices(choices, seen.alternatives)
    if (number, steps) != (certificate.runs, certificate.steps):
        found = f"{number} runs of {steps} steps"
        raise malformed(f"the program has {found}, not {certificate.runs} of {certificate.steps}")
