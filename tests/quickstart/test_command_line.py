"""What is read without click is what click would have read; everything else is left to click."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

import revet.cli
from revet.cli.commands import check
from revet.cli.options import CHECK, Option
from revet.quickstart.command_line import parse

VALUES = {
    "text": ["x", "a,b", "sum >= 0", "ä", "a=b"],
    "texts": ["key=value", "k=", "=v"],
    "number": ["1", "0.1", "20", "007", "1.", ".5", "0.05", "1e3", "nan", "inf", "soon", "1_0", "٣", "1.2.3"],
    "count": ["64", "63", "1", "0", "0099", "1.5", "x", "٣٣٣", "1_000"],
    "choice": ["auto", "int", "bv", "assume", "wrap", "INT", "in", ""],
    "file": ["out.json", "."],
    "folder": ["cache"],
    "language": ["c", "json", "latin"],
}


def by_click(arguments: list[str]) -> dict[str, Any] | None:
    """The parameters, or None where click refuses (or shows its help)."""
    try:
        return check.make_context("check", list(arguments)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


def words_of(option: Option) -> list[str]:
    return [part for word in option.spelling.split() if word.startswith("-") for part in word.split("/")]


def lines() -> list[list[str]]:
    """Each option alone with each value, then many mixed ones."""
    found: list[list[str]] = [["f.aag"], ["f.aag", "g.aag"], []]
    single: list[list[str]] = []
    for option in CHECK:
        for word in words_of(option):
            if option.kind in ("flag", "switch"):
                single.append([word])
            else:
                single += [[word, value] for value in VALUES[option.kind]]
                single += [[word], [word, "-q"], [f"{word}=1"], [f"{word}1"]]
    found += [line for part in single for line in (part, [*part, "f.aag"], ["f.aag", *part])]
    draw = random.Random(52)
    for _ in range(2000):
        parts = [draw.choice(single) for _ in range(draw.randrange(5))]
        parts.insert(draw.randrange(len(parts) + 1), ["f.aag"])
        found.append([word for part in parts for word in part])
    odd = ["-", "--", "-qt5", "-qt", "--quie", "--help", "-h", "--no-such", "",
           "--no-quiet", "--32/--64", "ilp32"]
    return found + [[word, "f.aag"] for word in odd] + [["f.aag", word] for word in odd]


def test_a_plain_command_line_means_what_click_says(capsys: pytest.CaptureFixture[str]) -> None:
    plain = 0
    for arguments in lines():
        found = parse(arguments, CHECK)
        if found is not None:
            plain += 1
            expected = by_click(arguments)
            assert found == expected, arguments
            assert {name: type(value) for name, value in found.items()} == {
                name: type(value) for name, value in (expected or {}).items()
            }, arguments
    assert plain > 500


@pytest.mark.parametrize("arguments", [
    ["f.aag"], ["-q", "f.aag"], ["--quiet", "--timeout", "20", "f.aag"],
    ["-e", "pdr", "-O", "ctg=true", "f.c"],
    ["f.spa", "--stats", "--no-cache", "-t", "0.5"], ["--64", "--overflow", "wrap", "f.c"],
    ["--json", "f.lus"],
])
def test_common_command_lines_are_plain(arguments: list[str]) -> None:
    assert parse(arguments, CHECK) == by_click(arguments) is not None


def test_mistakes_are_left_to_click(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["revet", "check", "--timeout", "soon", "f.aag"])
    monkeypatch.setattr(revet.cli.signal, "signal", lambda number, handler: None)
    with pytest.raises(SystemExit) as stop:
        revet.cli.main()
    assert stop.value.code == 2
    assert "'soon' is not a valid float" in capsys.readouterr().err


def test_output_where_only_ascii_is_known_and_where_nobody_reads(tmp_path: Path) -> None:
    file = tmp_path / "safe.aag"
    file.write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    command = [sys.executable, "-m", "revet", "check", str(file)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "¬l0" in done.stdout.decode() and not done.stderr
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        assert subprocess.run(command, stdout=nobody).returncode == 2  # 1 would mean unsafe


def test_the_help_of_check_is_in_sections() -> None:
    from click.testing import CliRunner

    from revet.cli.click_options import SECTIONS
    from revet.cli.commands import revet

    shown = CliRunner().invoke(revet, ["check", "--help"]).output
    assert [line[:-1] for line in shown.splitlines() if line[:-1] in SECTIONS.values()] == list(
        SECTIONS.values()
    )
    for option in CHECK:
        assert option.spelling.split()[0].split("/")[0] in shown
    assert "--help  " in shown and "revet check --each model.lus" in shown


def test_options_of_an_engine_whose_types_are_only_annotations(tmp_path: Path) -> None:
    """Their types are read with the real ``typing``, also where a stand-in was loaded first."""
    file = tmp_path / "safe.aag"
    file.write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    command = [sys.executable, "-m", "revet", "check", "--quiet", "--engine", "pdr", "-O", "lift=ternary"]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("verdict: safe\n", 0), done.stderr
