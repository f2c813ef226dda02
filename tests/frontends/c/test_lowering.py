"""Lowering: random runs of the automaton and of the source's interpreter must agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.engines.context import Context
from revet.errors import InputError
from revet.frontends.c import load

PROGRAMS = Path(__file__).parent / "programs"


def verdict(path: Path, engine: str = "bmc", **options: object) -> str:
    program = load([path], options)
    answer = solve(program, engine, context=Context(budget=Budget(20)))
    return answer.status


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("unsafe/*.c")), ids=lambda path: path.stem)
def test_unsafe_programs(path: Path) -> None:
    assert verdict(path) == "unsafe"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("safe/*.c")), ids=lambda path: path.stem)
def test_safe_programs(path: Path) -> None:
    assert verdict(path) == "safe"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("unknown/*.c")), ids=lambda path: path.stem)
def test_beyond_the_recursion_limit_nobody_knows(path: Path) -> None:
    program = load([path], {"recursion": 3})
    answer = solve(program, "bmc", context=Context(budget=Budget(20)))
    assert answer.status == "unknown"
    assert answer.reason is not None and "recursion-limit" in answer.reason


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*safe/*.c")), ids=lambda path: path.stem)
def test_both_encodings_never_contradict(path: Path) -> None:
    expected = path.parent.name
    found = verdict(path, "bmc", arithmetic="bv")
    assert found in (expected, "unknown")


def test_no_main(tmp_path: Path) -> None:
    path = tmp_path / "no_main.c"
    path.write_text("int x;\n")
    with pytest.raises(InputError, match="no function main"):
        load([path])
