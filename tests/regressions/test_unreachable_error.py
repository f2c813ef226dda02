"""An automaton without any path to its error: every engine says safe, and the checker agrees."""

from __future__ import annotations

import pytest

from revet.api import as_program
from revet.driver import solve
from revet.driver.options import parse_options
from revet.engines.registry import REGISTRY, engine
from revet.model.cfa import Cfa, Edge, Location

START, NEXT, ERROR = Location("start"), Location("next"), Location("error")
CFA = Cfa((), (START, NEXT, ERROR), (Edge(START, NEXT), Edge(ERROR, NEXT)), START, (ERROR,))

BMC = [
    {"strategy": strategy, "direction": direction}
    for strategy in ("global", "depth-first")
    for direction in ("forward", "backward")
]


@pytest.mark.parametrize("options", BMC)
def test_bmc(options: dict[str, str]) -> None:
    answer = solve(as_program(CFA), "bmc", parse_options(engine("bmc"), options))
    assert answer.status == "safe", answer.reason


@pytest.mark.parametrize(
    "name",
    [
        name for name, info in REGISTRY.items()
        if info.takes in ("cfa", "system", "any") and name != "shapes"  # which is about memory alone
    ],
)
def test_every_engine(name: str) -> None:
    answer = solve(as_program(CFA), name)
    assert answer.status == "safe", answer.reason
