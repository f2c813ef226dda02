"""``history(x)``: quantifiers over the values that a stream has had."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError, Unsupported
from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import Machine


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


NODE = """
node n(x, y: int) returns (seen, below: bool);
let
  seen = exists (z: history(x)) 2 * z = y;
  below = forall (z: history(x)) z * z <= y;
tel
"""


def test_the_interpreter_tries_the_values_so_far(tmp_path: Path) -> None:
    program = read(written(tmp_path, NODE))
    machine = Machine(program, program.tops[0])
    past: list[int] = []
    for x, y in [(3, 9), (-1, 6), (4, -2), (0, 16), (5, 8), (1, 25)]:
        past.append(x)
        row = machine.step({"x": x, "y": y})
        assert row["seen"] is any(2 * z == y for z in past)
        assert row["below"] is all(z * z <= y for z in past)


@pytest.mark.parametrize(("formula", "status"), [
    ("exists (z: history(x)) z = x", "safe"),
    ("true -> (exists (z: history(x)) z = pre x)", "safe"),
    ("forall (z: history(x)) z <> 0", "unsafe"),
])
def test_properties(formula: str, status: str, tmp_path: Path) -> None:
    text = f'node n(x: int) returns (y: int);\nlet y = x; check "p" {formula}; tel\n'
    answer = check(written(tmp_path, text), timeout=60)
    assert answer.status in (status, "unknown"), answer.reason
    assert status == "unsafe" or answer.status == "safe", answer.reason


@pytest.mark.parametrize(("text", "message"), [
    ("node n(x: int) returns (y: history(x));\nlet y = x; tel\n", "quantifiers"),
    ("node n(x: int) returns (y: bool);\nlet y = exists (z: history(w)) z = x; tel\n", "no stream w"),
    ("function n(x: int) returns (y: bool);\nlet y = exists (z: history(x)) z = x; tel\n", "function"),
])
def test_what_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(written(tmp_path, text))


def test_a_clock_that_depends_on_a_bound_variable(tmp_path: Path) -> None:
    """It has no memory: refused with its place."""
    text = """node n(x: int) returns (y: bool);
let y = true -> forall (z: subtype { k: int | k > x }) z > pre x; check y; tel
"""
    with pytest.raises(Unsupported, match=r"test.lus:2:\d+: 'pre' where"):
        check(written(tmp_path, text), timeout=60)
