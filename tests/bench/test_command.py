"""``revet bench`` as a user runs it: exit status, resuming, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SAFE = "int x;\nx = 0;\nwhile (x < 5) { x = x + 1; }\nassert(x == 5);\n"
UNSAFE = "int x;\nx = 0;\nwhile (x < 5) { x = x + 1; }\nassert(x == 4);\n"
HARD = "int a, b, c;\nwhile (nondet()) { a = a + 1; }\nassert(a*a*a + b*b*b != c*c*c + 42);\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "safe.spa").write_text(SAFE)
    (tmp_path / "unsafe.spa").write_text(UNSAFE)
    (tmp_path / "hard.spa").write_text(HARD)
    (tmp_path / "tasks.csv").write_text("path,expected,set\nsafe.spa,safe,s\nunsafe.spa,unsafe,s\n")
    return tmp_path


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "revet", "bench", *map(str, arguments)]


def bench(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=240, check=False, cwd=folder
    )


def test_right_answers_give_a_table_files_and_exit_status_0(folder: Path) -> None:
    done = bench(folder, "tasks.csv", "--engines", "default,kind", "--jobs", "2", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:6] for line in done.stdout.splitlines()[1:3]] == [
        ["s", "default", "2", "1", "1", "0"], ["s", "kind", "2", "1", "1", "0"],
    ]
    assert "[4/4] 4 solved, 0 wrong" in done.stderr
    names = {path.name for path in (folder / "out").iterdir()}
    assert names == {
        "journal.jsonl", "table.txt", "results.csv", "cactus.svg", "scatter-default-kind.svg",
    }
    again = bench(folder, "tasks.csv", "--engines", "default,kind", "--out", "out")
    assert again.stdout == done.stdout and "4 of 4 runs are known" in again.stderr


def test_a_wrong_verdict_is_said_and_exit_status_1(folder: Path) -> None:
    (folder / "tasks.csv").write_text("path,expected\nsafe.spa,unsafe\n")
    done = bench(folder, "tasks.csv")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "WRONG: safe.spa: default says safe, expected is unsafe"


def test_a_changed_expectation_counts_for_runs_from_the_journal(folder: Path) -> None:
    assert bench(folder, "tasks.csv", "--engines", "kind", "--out", "out").returncode == 0
    (folder / "tasks.csv").write_text("path,expected,set\nsafe.spa,unsafe,t\nunsafe.spa,unsafe,t\n")
    again = bench(folder, "tasks.csv", "--engines", "kind", "--out", "out")
    assert "2 of 2 runs are known" in again.stderr
    assert again.returncode == 1 and "says safe, expected is unsafe" in again.stdout
    assert [line.split()[0] for line in again.stdout.splitlines()[1:2]] == ["t"]


def test_an_unreadable_program_is_an_error_of_its_run_only(folder: Path) -> None:
    (folder / "bad.spa").write_text("int x = = 3;\n")
    done = bench(folder, "bad.spa", "safe.spa", "--out", "out")
    assert done.returncode == 0
    first, second = (json.loads(line) for line in (folder / "out/journal.jsonl").read_text().splitlines())
    assert first["status"] == "error" and "bad.spa:1" in first["note"]
    assert second["status"] == "safe"


def test_an_interrupted_bench_kills_its_runs_and_goes_on_later(folder: Path) -> None:
    tasks = [folder / "safe.spa", folder / "hard.spa", folder / "unsafe.spa"]
    process = subprocess.Popen(
        command(*tasks, "--out", folder / "out", "--timeout", "60"), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "REVET_TEST_MARK": str(folder)},
    )
    journal = folder / "out/journal.jsonl"
    _until(lambda: journal.exists() and journal.read_text().count("\n") == 1)
    _until(lambda: len(_family(folder)) > 1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=90)
    assert process.returncode == 3 and "interrupted after 1 of 3 runs; the same command goes on" in err
    _until(lambda: not _family(folder))
    done = bench(folder, tasks[0], tasks[2], "--out", folder / "out", "--timeout", "60")
    assert done.returncode == 0 and "1 of 2 runs are known" in done.stderr
    assert [json.loads(line)["status"] for line in journal.read_text().splitlines()] == ["safe", "unsafe"]


def test_a_killed_bench_leaves_no_run_behind(folder: Path) -> None:
    process = subprocess.Popen(
        command(folder / "hard.spa", "--timeout", "60"), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env={**os.environ, "REVET_TEST_MARK": str(folder)},
    )
    _until(lambda: len(_family(folder)) > 2)
    process.kill()
    process.wait()
    _until(lambda: not _family(folder))


BAD_USE = [
    (["gone.spa"], "1 task does not exist: gone.spa"),
    (["lost.csv"], "2 tasks do not exist: "),
    (["tasks.csv", "--engines", "magic"], "no engine magic"),
    (["tasks.csv", "--engines", "bmc:colour=red"], "has no option colour"),
    (["tasks.csv", "--engines", ","], "name at least one engine"),
    (["tasks.csv", "--sets", "none"], "no task is in such a set; there are: s"),
    (["tasks.csv", "--fresh"], "--fresh needs --out"),
    (["tasks.csv", "--cluster", "local:2", "--jobs", "2"], "--jobs is for this machine"),
    (["tasks.csv", "--cluster", "local:none"], "write local:N"),
    (["tasks.csv", "--out", "tasks.csv"], "tasks.csv"),
    (["tasks.csv", "--out", "/proc/nowhere"], "cannot write /proc/nowhere"),
    (["tasks.csv", "--options", "'"], "--options '"),
    (["tasks.csv", "--timeout", "0"], "0.1"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_USE)
def test_wrong_use_is_one_message_and_exit_status_2(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "lost.csv").write_text("path,expected\nsafe.spa,safe\none.spa,safe\ntwo.spa,safe\n")
    done = bench(folder, *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and "Traceback" not in done.stderr


def _until(holds: object) -> None:
    assert callable(holds)
    end = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def _family(folder: Path) -> list[int]:
    """The processes that inherited this test's mark."""
    mark = f"REVET_TEST_MARK={folder}".encode()
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                if mark in (path / "environ").read_bytes().split(b"\0"):
                    found.append(int(path.name))
            except OSError:
                continue
    return found
