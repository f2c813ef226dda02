"""``revet interpret``: values from files, contracts on traces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from revet.cli.commands import revet
from revet.errors import InputError
from revet.frontends.lustre.inputs import read_rows, value_of
from revet.frontends.lustre.types import BOOL, INT, REAL, Enum, Machine, Record, TupleOf

WATCH = """
type light = enum { red, green };
node watch(on: bool; l: light; p: [int, real]) returns (n: int; s: real);
con assume p[0] >= 0; guarantee "small" n < 3; noc
let n = (0 -> pre n) + (if on and l = green then p[0] else 0); s = p[1] / 2.0; tel
"""


def ran(
    folder: Path, rows: list[dict[str, object]], *options: str, text: str = WATCH
) -> tuple[int, dict[str, object]]:
    (folder / "watch.lus").write_text(text)
    (folder / "values.json").write_text(json.dumps(rows))
    arguments = ["interpret", str(folder / "watch.lus"), str(folder / "values.json"), "--json", *options]
    result = CliRunner().invoke(revet, arguments, standalone_mode=False)
    return int(result.return_value or 0), json.loads(result.output)


def row(on: bool, light: str, count: object, **more: object) -> dict[str, object]:
    return {"on": on, "l": light, "p": [count, "1/3"], **more}


def test_streams_and_contract(tmp_path: Path) -> None:
    status, data = ran(tmp_path, [row(True, "green", 2), row(True, "red", "9"), row(True, "green", 1)])
    assert data["outputs"] == {"n": ["2", "2", "3"], "s": ["1/6"] * 3}
    assert data["contract"] == {
        "assumption assume of line 4": [True] * 3, "guarantee small": [True, True, False],
    }
    assert status == 1 and data["kept"] is False


def test_nothing_is_owed_once_an_assumption_was_broken(tmp_path: Path) -> None:
    status, data = ran(tmp_path, [row(True, "green", -1), row(True, "green", 9)])
    assert data["contract"]["guarantee small"] == [True, False]  # type: ignore[index]
    assert status == 0 and data["kept"] is True


def test_the_monitor_takes_the_outputs_from_the_trace(tmp_path: Path) -> None:
    rows = [row(True, "green", 1, n=7, s=0), row(True, "green", 1, n=1, s=0)]
    status, data = ran(tmp_path, rows, "--monitor")
    assert data["outputs"] == {"n": ["7", "1"], "s": ["0", "0"]} and "locals" not in data
    assert data["contract"]["guarantee small"] == [False, True] and status == 1  # type: ignore[index]


def test_the_monitor_of_an_imported_node(tmp_path: Path) -> None:
    text = """
    node imported n(x: int) returns (y: int);
    con assume x > 0; guarantee "more" y > x; mode few (require x < 3; ensure "even" y mod 2 = 0;); noc
    """
    status, data = ran(tmp_path, [{"x": 1, "y": 2}, {"x": 3, "y": 3}], "--monitor", text=text)
    assert status == 1 and data["contract"] == {
        "assumption assume of line 3": [True, True], "guarantee more": [True, False],
        "guarantee few: even": [True, True], "guarantee one mode is active": [True, False],
        "mode few": [True, False],
    }


def test_the_run_as_text_and_as_a_page(tmp_path: Path) -> None:
    ran(tmp_path, [row(True, "green", 4)])
    page = tmp_path / "run.html"
    files = [str(tmp_path / "watch.lus"), str(tmp_path / "values.json")]
    result = CliRunner().invoke(revet, ["interpret", *files, "--html", str(page)], standalone_mode=False)
    assert result.return_value == 1
    assert result.output.startswith("a property or guarantee did not hold\n  instant")
    assert "guarantee small" in page.read_text() and "did not hold" in page.read_text()


GOOD = [
    (BOOL, "true", True), (INT, "-3", -3), (REAL, 0.5, 0.5), (Machine(8, True), -128, -128),
    (Enum("e", ("a", "b")), "b", 1), (TupleOf((INT, BOOL)), {"0": 1, "1": False}, (1, False)),
]
BAD = [
    (BOOL, 2), (INT, "1.5"), (INT, True), (Machine(8, False), 256), (Enum("e", ("a",)), "c"),
    (TupleOf((INT, BOOL)), [1]), (Record("r", (("x", INT),)), {"y": 1}), (REAL, "1/0"),
]


@pytest.mark.parametrize(("type_", "raw", "value"), GOOD)
def test_values(type_: object, raw: object, value: object) -> None:
    assert value_of(type_, raw, "here") == value  # type: ignore[arg-type]


@pytest.mark.parametrize(("type_", "raw"), BAD)
def test_what_is_no_value_is_refused(type_: object, raw: object) -> None:
    with pytest.raises(InputError, match=r"here.* is not a value of type"):
        value_of(type_, raw, "here")  # type: ignore[arg-type]


def test_csv_has_a_line_for_each_stream(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("a, 1, 2\nb, true, false\n")
    assert read_rows(tmp_path / "v.csv") == [{"a": "1", "b": "true"}, {"a": "2", "b": "false"}]
    (tmp_path / "v.csv").write_text("a, 1, 2\nb, true\n")
    with pytest.raises(InputError, match="different numbers of values"):
        read_rows(tmp_path / "v.csv")
