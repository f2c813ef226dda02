"""Answers about the examples, computed once for all tests of reports."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from revet.api import check
from revet.driver.answer import Answer
from revet.report.history import History

EXAMPLES = Path(__file__).parents[2] / "examples"

UNSAFE = (
    "c/traffic_light.c", "lustre/speed.lus", "theta/overfull.cfa", "aiger/counter.aag", "btor2/lossy.btor2",
)
SAFE = (
    "spa/lock.spa", "lustre/two_counters.lus", "theta/thermostat.cfa", "aut/ferry.aut", "aiger/arbiter.aag",
    "btor2/accumulator.btor2",
)


@cache
def answered(name: str) -> tuple[Answer, History]:
    history = History()
    answer = check(EXAMPLES / name, timeout=60, observe=history)
    assert answer.status == ("unsafe" if name in UNSAFE else "safe"), name
    return answer, history
