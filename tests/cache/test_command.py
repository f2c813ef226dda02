"""``revet check --cache``."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SAFE = "int x;\nx = 0;\nwhile (x < 5) { x = x + 1; }\nassert(x == 5);\n"
DEEP = """int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
int main(void) { if (f(3) != 3) { ERROR: return 1; } return 0; }
"""


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "revet", "check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=folder)


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(done.stdout)
    return data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.spa").write_text(SAFE)
    return tmp_path


def test_the_cache_is_used_when_asked_for_or_when_its_folder_exists(folder: Path) -> None:
    assert check(folder, "p.spa").returncode == 0
    assert [path.name for path in folder.iterdir()] == ["p.spa"]
    (folder / ".revet-cache").mkdir()
    assert answer(check(folder, "--json", "p.spa"))["engine"] != "cache"
    second = check(folder, "--json", "p.spa")
    assert answer(second)["engine"] == "cache" and second.returncode == 0
    assert any("evidence from the cache" in line for line in answer(second)["checked"]["how"])
    assert answer(check(folder, "--json", "--no-cache", "p.spa"))["engine"] != "cache"
    assert answer(check(folder, "--json", "--cache", "other", "p.spa"))["engine"] != "cache"
    assert answer(check(folder, "--json", "--cache", "other", "p.spa"))["engine"] == "cache"


def test_each_property_has_its_own_entry(folder: Path) -> None:
    (folder / "p.spa").write_text("int x;\nx = 3;\nassert(x == 3);\nassert(x == 4);\n")
    for engine in (False, True):
        done = check(folder, "--each", "--json", "--cache", "c", "p.spa")
        assert done.returncode == 1
        data = json.loads(done.stdout)
        assert [one["verdict"] for one in data] == ["safe", "unsafe"]
        assert all((one["engine"] == "cache") is engine for one in data)


def test_a_damaged_entry_is_a_note_and_the_answer_stays(folder: Path) -> None:
    check(folder, "--cache", "c", "p.spa")
    (entry,) = (folder / "c").glob("*.proof")
    entry.write_bytes(entry.read_bytes()[:50])
    done = check(folder, "--cache", "c", "p.spa")
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "verdict: safe"
    assert len(done.stderr.splitlines()) == 1 and "damaged and is ignored" in done.stderr
    again = check(folder, "--json", "--cache", "c", "p.spa")
    assert answer(again)["engine"] == "cache" and again.stderr == ""


def test_an_unwritable_cache_is_one_note_and_the_answer_stays(folder: Path) -> None:
    done = check(folder, "--cache", "/proc/nowhere", "p.spa")
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "verdict: safe"
    assert len(done.stderr.splitlines()) == 1 and "/proc/nowhere cannot be written" in done.stderr


BAD_USE = [
    (["--cache", "c", "--no-cache", "p.spa"], "--cache and --no-cache exclude each other"),
    (["--cache", "p.spa", "p.spa"], "p.spa"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_USE)
def test_wrong_use_is_one_message_and_exit_status_2(folder: Path, arguments: list[str], message: str) -> None:
    done = check(folder, *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and "Traceback" not in done.stderr


def test_programs_that_end_early_in_the_model_are_checked_with_their_open_ends(folder: Path) -> None:
    (folder / "deep.c").write_text(DEEP)
    for cached in (False, True):
        done = check(folder, "--json", "--engine", "bmc", "--cache", "c", "deep.c")
        assert done.returncode == 0, done.stdout
        assert (answer(done)["engine"] == "cache") is cached
    shallow = check(folder, "--engine", "bmc", "--cache", "c", "--recursion", "2", "deep.c")
    assert shallow.returncode == 3, shallow.stdout


SLOW = """extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
int main(void) {
  int a = 0, b = 0, c = 0, s = 0, i = 0;
  while (__VERIFIER_nondet_int()) {
    int k = __VERIFIER_nondet_int();
    if (i >= 1000) break;
    if (k == 0) { a = a + 1; s = s + 1; }
    else if (k == 1) { b = b + 2; s = s + 2; }
    else if (k == 2) { c = c + 3; s = s + 3; }
    else if (a > 0 && b > 1) { a = a - 1; b = b - 2; s = s - 3; }
    i = i + 1;
  }
  if (a + b + c != s) __VERIFIER_error();
  if (s > 3 * i || s < 0) __VERIFIER_error();
  return 0;
}
"""


@pytest.mark.long  # it measures
def test_the_second_run_takes_at_most_a_third_of_a_first_that_takes_three_seconds(folder: Path) -> None:
    (folder / "slow.c").write_text(SLOW)
    times = []
    for _ in range(2):
        before = _processor()
        assert check(folder, "--engine", "ic3-qe", "--cache", "c", "slow.c").returncode == 0
        times.append(_processor() - before)
    if times[0] < 3:
        pytest.skip(f"a fast machine, or a better engine: {times[0]:.1f} s")
    assert times[1] <= times[0] / 3


def _processor() -> float:
    """Seconds of all children so far: on a busy machine they say more than wall time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
