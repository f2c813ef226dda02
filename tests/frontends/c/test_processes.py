"""What a compiled program is started under: the same limits by the system's tools and by Python."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from revet.frontends.c import processes
from revet.frontends.c.processes import NotRun, call, guarded

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
WAYS = ["tools", "python"]
LIMITS = {
    resource.RLIMIT_AS: 3_000_000_000, resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: 7,
    resource.RLIMIT_FSIZE: 1 << 20, resource.RLIMIT_NOFILE: 16, resource.RLIMIT_STACK: 1 << 20,
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "python":
        monkeypatch.setattr(processes, "_tools", lambda: None)
    elif processes._tools() is None:
        pytest.skip("no prlimit or setpriv of util-linux")
    return str(request.param)


def test_the_limits_hold_from_the_beginning(way: str) -> None:
    command, before = guarded(["/bin/cat", "/proc/self/limits"], LIMITS)
    assert (before is None) == (way == "tools")
    shown = subprocess.run(command, preexec_fn=before, capture_output=True, text=True, check=True).stdout
    rows = {line[:25].strip(): line[25:].split()[:2] for line in shown.splitlines()}
    names = ("address space", "core file size", "cpu time", "file size", "open files", "stack size")
    for name, (what, most) in zip(names, LIMITS.items(), strict=True):
        hard = resource.getrlimit(what)[1]
        allowed = str(most if hard == resource.RLIM_INFINITY else min(most, hard))
        assert rows[f"Max {name}"] == [allowed, allowed], name


def test_no_process_outlives_the_one_that_started_it(way: str, tmp_path: Path) -> None:
    script = f"""
import subprocess, sys
from revet.frontends.c import processes
if {way == "python"}: processes._tools = lambda: None
command, before = processes.guarded(["/bin/sleep", "60"])
child = subprocess.Popen(command, preexec_fn=before)
while open(f"/proc/{{child.pid}}/comm").read() != "sleep\\n": pass
print(child.pid, flush=True)
child.wait()
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    ends = time.monotonic() + 20
    while time.monotonic() < ends and Path(f"/proc/{child}").exists():
        time.sleep(0.02)
    assert not Path(f"/proc/{child}").exists()


def test_a_compiler_that_is_not_there_is_said_to_be_missing(way: str, tmp_path: Path) -> None:
    with pytest.raises(NotRun, match="no-such-compiler: No such file or directory"):
        call(["no-such-compiler", "a.c"], tmp_path)
