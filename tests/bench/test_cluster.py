"""``revet bench --cluster`` with a real scheduler and worker processes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

PROGRAM = "int x;\nx = 0;\nwhile (x < {n}) {{ x = x + 1; }}\nassert(x == {n});\n"
HARD = "int a, b, c;\nwhile (nondet()) { a = a + 1; }\nassert(a*a*a + b*b*b != c*c*c + 42);\n"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


Cluster = tuple[str, subprocess.Popen[bytes], list[subprocess.Popen[bytes]]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers without a nanny that would start them again."""
    address = f"tcp://127.0.0.1:{_free_port()}"
    scheduler = _scheduler(address, tmp_path)
    workers = [
        _dask(tmp_path, "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--name", name)
        for name in ("one", "two")
    ]
    ready = f"import distributed as d; d.Client({address!r}, timeout=90).wait_for_workers(2, timeout=90)"
    try:
        _await_port(address)
        subprocess.run([sys.executable, "-c", ready], check=True, timeout=120, capture_output=True)
        yield address, scheduler, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def _scheduler(address: str, folder: Path) -> subprocess.Popen[bytes]:
    port = address.rsplit(":", 1)[1]
    return _dask(folder, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")


def _dask(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments], cwd=folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _bench(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "revet", "bench", *map(str, arguments)]


@pytest.mark.parametrize("script", [["-m", "revet"], [str(Path(__file__).parents[2] / "bin" / "revet")]])
def test_a_local_cluster_of_the_installed_script(tmp_path: Path, script: list[str]) -> None:
    """Its workers load the script again: it must not start Revet again."""
    (tmp_path / "p.spa").write_text(PROGRAM.format(n=3))
    (tmp_path / "tasks.csv").write_text("path,expected,set\np.spa,safe,s\n")
    done = subprocess.run(
        [sys.executable, *script, "bench", "tasks.csv", "--cluster", "local:1", "--engines", "kind"],
        cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert "1 solved, 0 wrong" in done.stderr


def test_a_worker_killed_during_a_run_costs_no_task(
    tmp_path: Path, cluster: Cluster
) -> None:
    address, _, workers = cluster
    rows = ["path,expected,set,options", "hard.spa,,s,--timeout 4"]
    (tmp_path / "hard.spa").write_text(HARD)
    for n in range(4):
        (tmp_path / f"p{n}.spa").write_text(PROGRAM.format(n=n + 3))
        rows.append(f"p{n}.spa,safe,s,")
    (tmp_path / "tasks.csv").write_text("\n".join(rows) + "\n")
    process = subprocess.Popen(
        _bench(tmp_path / "tasks.csv", "--timeout", "60", "--out", tmp_path / "out",
               "--cluster", address),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    victim = _worker_running(workers, tmp_path / "hard.spa")
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    out, err = process.communicate(timeout=180)
    assert process.returncode == 0, err
    results = [json.loads(line) for line in (tmp_path / "out/journal.jsonl").read_text().splitlines()]
    assert sorted(r["task"] for r in results) == ["hard.spa --timeout 4", *(f"p{n}.spa" for n in range(4))]
    assert {r["task"]: r["status"] for r in results if r["expected"]} == {
        f"p{n}.spa": "safe" for n in range(4)
    }
    assert [r["status"] for r in results if not r["expected"]] == ["unknown"]
    assert out.splitlines()[1].split()[:5] == ["s", "default", "5", "4", "0"]
    assert not _children_of(victim.pid)


def test_a_cluster_that_goes_away_is_one_message_and_the_journal_stays(
    tmp_path: Path, cluster: Cluster
) -> None:
    address, scheduler, workers = cluster
    (tmp_path / "hard.spa").write_text(HARD)
    process = subprocess.Popen(
        _bench(tmp_path / "hard.spa", "--timeout", "60", "--out", tmp_path / "out", "--cluster", address),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    _worker_running(workers, tmp_path / "hard.spa")
    scheduler.kill()
    out, err = process.communicate(timeout=180)
    assert process.returncode == 2 and out == ""
    assert len(err.splitlines()) == 1 and "is gone with 1 runs undone" in err
    assert (tmp_path / "out/journal.jsonl").read_text() == ""


def _worker_running(
    workers: list[subprocess.Popen[bytes]], program: Path
) -> subprocess.Popen[bytes]:
    """The worker that has started a run of the program, as soon as there is one."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        for worker in workers:
            if any(str(program) in command for command in _children_of(worker.pid).values()):
                return worker
        time.sleep(0.05)
    raise AssertionError("no worker took the task")


def _children_of(parent: int) -> dict[int, str]:
    """Command lines of the runs that a worker started: they name it (see revet.cli.child)."""
    found = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                words = (path / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if "revet.cli.child" in words and words[words.index("revet.cli.child") + 1] == str(parent):
                found[int(path.name)] = " ".join(words)
    return found


def test_an_unreachable_scheduler_is_one_message_within_seconds(tmp_path: Path) -> None:
    (tmp_path / "p.spa").write_text(PROGRAM.format(n=3))
    start = time.monotonic()
    done = subprocess.run(
        _bench(tmp_path / "p.spa", "--cluster", f"tcp://127.0.0.1:{_free_port()}"),
        capture_output=True, text=True, timeout=120, check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and "no scheduler answers there" in done.stderr
    assert time.monotonic() - start < 60  # 2 on a quiet machine


def test_a_scheduler_without_workers_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "p.spa").write_text(PROGRAM.format(n=3))
    address = f"tcp://127.0.0.1:{_free_port()}"
    scheduler = _scheduler(address, tmp_path)
    try:
        _await_port(address)
        done = subprocess.run(
            _bench(tmp_path / "p.spa", "--cluster", address),
            capture_output=True, text=True, timeout=120, check=False,
        )
        assert done.returncode == 2 and "the scheduler has no workers" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    finally:
        scheduler.kill()
        scheduler.wait()


def _await_port(address: str) -> None:
    host, port = address.removeprefix("tcp://").split(":")
    end = time.monotonic() + 90
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)
