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


PLAIN = [
    word for name in ("cores", "dropping", "push", "relative", "infinity") for word in ("-O", f"{name}=false")
] + ["-O", "lift=none", "-O", "initial-clauses=true"]


def test_the_runs_of_the_thesis() -> None:
    """Section 3.3: F1 and F2 of U, its obligations, and the invariant of B."""
    failing = explained("system_U.sts", "-", *PLAIN).split("counterexample, frames 0 to 3")[1]
    assert [line.strip().split("  (")[0] for line in failing.splitlines() if line.strip()] == [
        "obligation s0 at level 3: x1 and x2 and x3", "obligation s1 at level 2: x1 and x2 and not x3",
        "obligation s2 at level 1: x1 and not x2 and not x3",
        "obligation s3 at level 0: not x1 and not x2 and not x3", "frames",
        "F0: not x1 and not x2 and not x3", "F1: not x2 and not x3", "F2: not x3", "F3: true",
        "verdict: unsafe (property 0)",
    ]
    passing = explained("system_B.sts", "-", *PLAIN)
    assert "obligation" not in passing and "propagation, F1 = F2" in passing
    assert "  F1: not x1 and not x2\n  F2: not x1 and not x2\n" in passing


@pytest.mark.parametrize(
    ("suffix", "marks"), [("dot", ['"F0" -> "F1"', "color=red"]), ("svg", ["<svg", "run"])]
)
def test_drawings(suffix: str, marks: list[str], tmp_path: Path) -> None:
    drawn = explained("system_U.sts", str(tmp_path / f"frames.{suffix}"))
    assert all(mark in drawn for mark in marks) and "s0" in drawn
