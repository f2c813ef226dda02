"""The projects in examples/projects: proved as they are, and both seeded mistakes of each are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

PROJECTS = Path(__file__).parents[1] / "examples" / "projects"
SEEDED = [
    ("thermostat", 1, "thermostat_step", "measured > t->target"),
    ("thermostat", 2, "thermostat_step", "!(t->heater && t->cooler)"),
    ("frame", 1, "header_payload", "h->length <= MOST"),
    ("frame", 2, "escaped_size", "byte != ESCAPE"),
    ("inventory", 1, "store_reserve", "is_sound(s)"),
    ("inventory", 2, "store_move", "from->used + to->used == before"),
]


def sources(project: str) -> list[Path]:
    return sorted((PROJECTS / project / "src").glob("*.c"))


@pytest.mark.parametrize(("project", "number", "entry", "assertion"), SEEDED)
def test_a_seeded_mistake_is_found_and_without_it_the_function_is_right(
    project: str, number: int, entry: str, assertion: str
) -> None:
    found = revet.check(sources(project), entry=entry, defines=[f"SEEDED={number}"], timeout=120)
    assert found.status == "unsafe"
    run = found.program.source_run(found.verdict.trace)
    assert assertion in run.ending and "fails" in run.ending
    assert any("compile_commands.json says" in line for line in found.program.assumptions)
    assert revet.check(sources(project), entry=entry, timeout=120).status == "safe"
