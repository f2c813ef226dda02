"""Tests from modes: which there are, and that they do what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from revet.analyses.mode_tests import mode_tests
from revet.errors import InputError

WATCH = """
node watch(toggle, reset: bool; r: { x: int; y: real }) returns (count: int);
con
  assume not (toggle and reset);
  assume r.x = 3;
  guarantee count >= 0;
  mode resetting ( require reset; ensure count = 0; );
  mode going ( require not reset and (toggle -> toggle <> pre toggle); );
  mode staying ( require not reset and not (toggle -> toggle <> pre toggle); );
  mode never ( require toggle and reset; );
noc
let count = if reset then 0 else (0 -> pre count) + (if toggle then 1 else 0); tel
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


def test_every_sequence_has_one_test(tmp_path: Path) -> None:
    found = mode_tests(written(tmp_path, WATCH), depth=2, timeout=120)
    paths = {tuple(now for (now,) in test.modes) for test in found.tests}
    assert len(paths) == len(found.tests) == 9  # the toggle may be on or off before
    assert found.never == ("never",) and not found.notes
    for test in found.tests:
        for modes, row in zip(test.modes, test.inputs, strict=True):
            assert row["reset"] is (modes == ("resetting",)) and row["r"]["x"] == 3
        for row, out in zip(test.inputs, test.outputs, strict=True):
            assert out["count"] == 0 or not row["reset"]


def test_the_limit_is_noted(tmp_path: Path) -> None:
    found = mode_tests(written(tmp_path, WATCH), depth=3, limit=2, timeout=120)
    assert len(found.tests) == 2 and "--limit" in found.notes[0]


def test_where_the_assumptions_leave_no_way_on(tmp_path: Path) -> None:
    text = """
node n(x: bool) returns (y: bool);
con
  assume x -> (pre x and false);
  mode on ( require x; );
noc
let y = x; tel
"""
    found = mode_tests(written(tmp_path, text), depth=3, timeout=120)
    assert [test.modes for test in found.tests] == [(("on",),)]


def test_without_modes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no modes"):
        mode_tests(written(tmp_path, "node n(x: bool) returns (y: bool);\nlet y = x; tel\n"))


def test_the_files_are_those_that_interpret_reads(tmp_path: Path) -> None:
    path, out = written(tmp_path, WATCH), tmp_path / "out"

    def revet(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "revet", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    page = tmp_path / "page.html"
    done = revet("mode-tests", path, "--depth", 1, "--out", out, "--json", "--html", page)
    assert done.returncode == 3, done.stderr  # a mode is never active
    data = json.loads(done.stdout)
    assert len(data["tests"]) == 3 and "<h2>node watch: 3 tests" in page.read_text()
    monitored = revet("interpret", "--monitor", path, out / "trace-1.json", "--json")
    assert monitored.returncode == 0 and json.loads(monitored.stdout)["kept"] is True
    assert (out / "modes.dot").read_text().startswith("digraph")
