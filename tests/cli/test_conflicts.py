"""Options that do not go together, and files that cannot be written: one message, nothing done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CONFLICTS = [
    (["--parse-only", "--save", "x.json"], "--parse-only gives no answer: it does not go with --save"),
    (["--parse-only", "--json"], "it does not go with --json"),
    (["--parse-only", "--each"], "it does not go with --each"),
    (["--each", "--save", "x.json"], "--save is about one answer: it does not go with --each"),
    (["--each", "--witness", "x.yml"], "--witness is about one answer"),
    (["--engine", "bmc", "--engines", "kind"], "--engine and --engines exclude each other"),
    (["--cache", "c", "--no-cache"], "--cache and --no-cache exclude each other"),
    (["--64"], "p.spa: the small C-like language has no option data_model"),
    (["--entry", "f"], "has no option entry"),
    (["--save", "p.spa"], "--save p.spa would overwrite the program"),
    (["--html", "./p.spa"], "--html ./p.spa would overwrite the program"),
    (["--save", "x", "--html", "./x"], "--save and --html would both write ./x"),
    (["--save", "no/such/x.json"], "cannot write no/such/x.json: there is no directory no/such"),
    (["--witness", "/no/such/x.yml"], "cannot write /no/such/x.yml"),
    (["--html", "other.c"], "other.c is there already, and Revet did not write it"),
    (["--sarif", "notes.html"], "notes.html is there already, and Revet did not write it"),
    (["--html", "no/such/x.html"], "cannot write no/such/x.html"),
    (["--sarif", "no/such/x.sarif"], "cannot write no/such/x.sarif"),
]


@pytest.mark.parametrize(("arguments", "message"), CONFLICTS)
def test_conflicts_are_one_message_and_exit_status_2(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    program = "int x;\nx = 1;\nassert(x == 1);\n"
    (tmp_path / "p.spa").write_text(program)
    (tmp_path / "other.c").write_text("int x;\n")
    (tmp_path / "notes.html").write_text("<p>Mine.</p>\n")
    done = subprocess.run(
        [sys.executable, "-m", "revet", "check", *arguments, "p.spa"], capture_output=True, text=True,
        timeout=60, check=False, cwd=tmp_path,
    )
    assert done.returncode == 2, done.stdout
    assert message in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == "" or "--json" in arguments
    assert (tmp_path / "p.spa").read_text() == program
    assert (tmp_path / "other.c").read_text() == "int x;\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.html", "other.c", "p.spa"]
