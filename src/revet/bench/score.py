"""Verdicts against expectations: the numbers of the table.

The score is SV-COMP's: 2 for a correct *safe*, 1 for a correct *unsafe*, -32 for a wrong *safe* and
-16 for a wrong *unsafe*; tasks of which nothing is expected score nothing. PAR2 is the mean time with
unsolved tasks at twice the limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from revet.bench.runs import Result

_POINTS = {("safe", "safe"): 2, ("unsafe", "unsafe"): 1, ("safe", "unsafe"): -32, ("unsafe", "safe"): -16}
_BEST = {"safe": 2, "unsafe": 1}


@dataclass(frozen=True, slots=True)
class Summary:
    """One row: a configuration on the tasks of a set."""

    set: str
    configuration: str
    tasks: int
    safe: int
    unsafe: int
    wrong: int
    unknown: int
    timeout: int
    error: int
    score: int
    best: int
    par2: float
    median: float

    @property
    def solved(self) -> int:
        return self.safe + self.unsafe


def summarise(set_name: str, configuration: str, results: Sequence[Result], limit: float) -> Summary:
    right = [result for result in results if result.solved and not result.wrong]
    seconds = [result.seconds for result in right]
    statuses = Counter(result.status for result in results)
    return Summary(
        set_name,
        configuration,
        len(results),
        sum(result.status == "safe" for result in right),
        sum(result.status == "unsafe" for result in right),
        sum(result.wrong for result in results),
        statuses["unknown"],
        statuses["timeout"],
        statuses["error"],
        sum(_POINTS.get((result.status, result.expected or ""), 0) for result in results),
        sum(_BEST.get(result.expected or "", 0) for result in results),
        (sum(seconds) + 2 * limit * (len(results) - len(right))) / max(1, len(results)),
        median(seconds) if seconds else 0.0,
    )


def best_of_each(results: Iterable[Result]) -> list[Result]:
    """For each task the quickest right answer of any configuration, else any result: what a perfect
    choice would have given. Wrong answers do not count."""
    best: dict[str, Result] = {}
    for result in results:
        known = best.get(result.task)
        if known is None or _rank(result) < _rank(known):
            best[result.task] = result
    return list(best.values())


def _rank(result: Result) -> tuple[bool, bool, float]:
    return result.wrong, not result.solved, result.seconds


def contradictions(results: Iterable[Result]) -> list[tuple[Result, Result]]:
    """A *safe* and an *unsafe* for one task: one of them is wrong even if nothing is expected."""
    first: dict[str, Result] = {}
    found = []
    for result in results:
        if result.solved and first.setdefault(result.task, result).status != result.status:
            found.append((first[result.task], result))
    return found
