"""``pdr --explain``: J. Werner, *Property Directed Reachability in Ultimate* (2018), systems U and B."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from revet.cli.commands import revet

SEEDS = Path(__file__).parents[3] / "examples" / "seeds"


def explained(system: str, target: str, *options: str) -> str:
    arguments = ["check", str(SEEDS / system), "--engine", "pdr", "--no-reduce", "--no-progress", "--quiet"]
    done = CliRunner().invoke(revet, [*arguments, "--explain", target, *options], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.output if target == "-" else Path(target).read_text()


def test_the_story_of_a_counterexample() -> None:
    text = explained("system_U.sts", "-")
    assert "F0: not x1 and not x2 and not x3" in text
    assert "(is bad)" in text and "lemma up to level 1: not x3" in text
    last = text.split("counterexample, frames 0 to 2")[1]
    chain = [line for line in last.splitlines() if line.strip().startswith("obligation")]
    assert [line.split(" at level ")[1][0] for line in chain] == ["2", "1", "1", "0"]
    assert text.endswith("verdict: unsafe (property 0)\n")


def test_the_story_of_a_proof() -> None:
    text = explained("system_B.sts", "-")
    assert "lemma always:" in text and "F1 = F2" in text and text.endswith("verdict: safe\n")


@pytest.mark.parametrize(
    ("suffix", "marks"), [("dot", ['"F0" -> "F1"', "color=red"]), ("svg", ["<svg", "run"])]
)
def test_drawings(suffix: str, marks: list[str], tmp_path: Path) -> None:
    drawn = explained("system_U.sts", str(tmp_path / f"frames.{suffix}"))
    assert all(mark in drawn for mark in marks) and "s0" in drawn
