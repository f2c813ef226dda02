"""Runs that are tried: the compiled loops against the interpreter, deep violations, lists of choices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends import ReplayFailed, load
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.explore import Constants, Guesses
from revet.frontends.boogie.interpret import Machine
from revet.frontends.boogie.parser import parse
from revet.frontends.boogie.types import check
from revet.result import Unsafe
from revet.result.trace import InputTrace
from tests.frontends.boogie.random_programs import Generator
from tests.frontends.boogie.verdicts import PROGRAMS

DEEP = """
procedure main(n: int)
{
  var i, j: int; var a: [int]int; var r: bool;
  a[0] := 0; i := 0; r := false;
  assume n == 7;
  while (i < 120000) invariant i >= 0; {
    i, j := i + 1, i;
    if (i mod 3 == 0) { a[0] := a[0] + 1; } else { r := !r; }
  }
  assert a[0] != 40000;
}
"""


def checked_of(folder: Path, text: str) -> s.Checked:
    path = folder / "program.bpl"
    path.write_text(text)
    return check(parse(path))


@pytest.mark.parametrize("seed", range(12))
def test_compiled_loops_do_the_same(tmp_path: Path, seed: int) -> None:
    """A run with the same choices ends in the same way, with the same values."""
    checked = checked_of(tmp_path, Generator(seed).program())
    constants = Constants(checked)
    for choices in range(1, 25):
        slow = Machine(checked, Guesses(checked, constants, choices), 5000)
        fast = Machine(checked, Guesses(checked, constants, choices), 5000, fast=True)
        one, two = slow.run(), fast.run()
        assert (one.kind, one.at, one.failure) == (two.kind, two.at, two.failure)
        assert slow.shared == fast.shared
        assert [frame.values for frame in slow.frames] == [frame.values for frame in fast.frames]


@pytest.mark.parametrize("text", [row[2] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_compiled_programs_do_the_same(tmp_path: Path, text: str) -> None:
    checked = checked_of(tmp_path, text)
    constants = Constants(checked)
    for choices in range(12):
        outcomes = [
            Machine(checked, Guesses(checked, constants, choices), 2000, fast=fast).run()
            for fast in (False, True)
        ]
        if "limit" not in {outcome.kind for outcome in outcomes}:  # they count differently
            assert len({(outcome.kind, outcome.at, outcome.failure) for outcome in outcomes}) == 1


def test_a_violation_behind_many_turns(tmp_path: Path) -> None:
    path = tmp_path / "deep.bpl"
    path.write_text(DEEP)
    program = load([path])
    found = solve(program, "explore", context=Context(budget=Budget(seconds=60))).verdict
    assert isinstance(found, Unsafe) and isinstance(found.trace, InputTrace)
    assert found.trace.violated == "assert@11" and found.trace.steps > 120_000
    assert "steps in all" in program.render_trace(found.trace)
    calls = tuple((name, "8" if name == "n" else text) for name, text in found.trace.calls)
    with pytest.raises(ReplayFailed):
        program.replay(replace(found.trace, calls=calls))
    with pytest.raises(ReplayFailed):
        program.replay(replace(found.trace, calls=found.trace.calls[:-1]))


def test_assumptions_are_met(tmp_path: Path) -> None:
    """Values that nobody would guess come from the other variables."""
    path = tmp_path / "program.bpl"
    path.write_text("""
        procedure main(x: int) { var y: int; assume x > 1000; assume y == x + 1; assert y < 12345; }""")
    found = solve(load([path]), "explore", context=Context(budget=Budget(seconds=30))).verdict
    assert isinstance(found, Unsafe)
