"""The unfoldings of the lock process (Penelle, *Software Verification, Part 1*, figures 4.3 and 4.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.engines.bmc import Options, check
from revet.engines.common.context import Context
from revet.events import Event, Explained
from revet.frontends.registry import load
from revet.report.drawing import drawing_dot, drawing_svg
from revet.result import Safe, Unknown

LOCK = Path(__file__).parents[3] / "examples" / "seeds" / "lock.aut"


def explained(**options: object) -> tuple[object, list[Explained]]:
    seen: list[Event] = []
    model = load([str(LOCK)], {}).model
    verdict = check(model, Options(explain=True, **options), Context(Budget(60), seen.append))  # type: ignore
    return verdict, [event for event in seen if isinstance(event, Explained)]


def test_the_backward_tree_ends() -> None:
    verdict, told = explained(strategy="depth-first", direction="backward")
    assert isinstance(verdict, Safe) and len(told) == 1
    lines = told[0].text.splitlines()
    assert lines[0] == "q_bad" and lines[1].startswith("  q_2: L@0 != 0")
    assert [line.split(":")[0].strip() for line in lines if "(infeasible)" in line] == ["q_1", "q_4", "q_6"]
    assert len(told[0].arrows) == len(told[0].boxes) - 1
    assert drawing_dot(told[0]).count("style=dashed]") == 3 and "<svg" in drawing_svg(told[0])


def test_the_forward_tree_is_cut() -> None:
    verdict, told = explained(strategy="depth-first", bound=6)
    assert isinstance(verdict, Unknown)
    assert "(too long)" in told[-1].text and told[-1].text.count("(infeasible)") == 2


@pytest.mark.parametrize(("direction", "depths"), [("backward", 5), ("forward", 4)])
def test_layers_of_the_global_search(direction: str, depths: int) -> None:
    _, told = explained(direction=direction, bound=None if direction == "backward" else 3)
    assert len(told) == depths and f"depth {depths - 1}:" in told[-1].text
