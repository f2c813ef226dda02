"""``--html`` and ``--sarif`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def revet(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_reports_leave_the_contract_alone(tmp_path: Path) -> None:
    html, sarif = tmp_path / "r.html", tmp_path / "r.sarif"
    done = revet("check", EXAMPLES / "theta/overfull.cfa", "--html", html, "--sarif", sarif)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "verdict: unsafe (over)"
    page = html.read_text()
    assert page.startswith("<!DOCTYPE html>") and "overfull.cfa" in page and "revet check" in page
    assert json.loads(sarif.read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("option", ["--html", "--sarif"])
def test_an_unwritable_path_is_refused_before_the_run(option: str, tmp_path: Path) -> None:
    done = revet("check", EXAMPLES / "spa/lock.spa", option, tmp_path / "no" / "such" / "file")
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and "there is no directory" in done.stderr


def test_a_directory_is_no_report(tmp_path: Path) -> None:
    done = revet("check", EXAMPLES / "spa/lock.spa", "--html", tmp_path)
    assert done.returncode == 2 and done.stdout == ""


def test_a_device_that_is_full_is_one_message() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    done = revet("check", EXAMPLES / "spa/lock.spa", "--sarif", "/dev/full")
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if "cannot write /dev/full" in line]
    assert "Traceback" not in done.stderr


def test_html_with_each_has_every_property(tmp_path: Path) -> None:
    done = revet("check", EXAMPLES / "spa/lock.spa", "--each", "--html", tmp_path / "r.html")
    assert done.returncode == 0
    page = (tmp_path / "r.html").read_text()
    assert "assert@7" in page and "assert@16" in page


def test_sarif_with_each(tmp_path: Path) -> None:
    done = revet("check", EXAMPLES / "lustre/speed.lus", "--each", "--sarif", tmp_path / "r.sarif")
    assert done.returncode == 1
    assert len(json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"]) == 1
