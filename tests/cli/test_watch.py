"""What is shown while a run goes on."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from revet.cli.watch import LiveTable, Watch, watch
from revet.events import LemmaLearnt, Progress, Tick, Turn

EXAMPLES = Path(__file__).parents[2] / "examples"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_run(view: Watch) -> None:
    for event in (
        Turn("pdr-cfa", "runs"), Progress("pdr-cfa", 3, 17, 2, 240), Turn("bmc", "runs"),
        Turn("bmc", "waits"),
        Tick("portfolio", 12.0),
    ):
        view(event)


def test_a_quick_run_shows_nothing() -> None:
    terminal = Terminal()
    with watch(time.monotonic(), log=False, progress=True, stream=terminal) as view:
        a_run(view)
    assert terminal.getvalue() == ""


def test_a_terminal_shows_a_table_and_takes_it_away() -> None:
    terminal = Terminal()
    with watch(time.monotonic() - 5, log=False, progress=True, stream=terminal) as view:
        assert isinstance(view, LiveTable)
        a_run(view)
        time.sleep(0.2)
        view(Tick("portfolio", 11.0))
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.getvalue())
    for word in ("pdr-cfa", "17", "240", "waits", "11 s left"):
        assert word in text
    assert "\x1b[2K" in terminal.getvalue()  # lines are erased at the end


def test_elsewhere_a_line_now_and_then() -> None:
    stream = io.StringIO()
    with watch(time.monotonic() - 60, log=False, progress=True, stream=stream) as view:
        a_run(view)
    (line,) = stream.getvalue().splitlines()
    assert line.startswith("revet: 60 s: pdr-cfa ")


def test_no_progress_and_the_log() -> None:
    stream = Terminal()
    a_run(watch(time.monotonic() - 60, log=False, progress=False, stream=stream))
    assert stream.getvalue() == ""
    view = watch(time.monotonic(), log=True, progress=True, stream=stream)
    a_run(view)
    view(LemmaLearnt("pdr-cfa", "x <= 1", 2))
    assert "LemmaLearnt lemma=x <= 1 level=2" in stream.getvalue()
    assert "Progress" not in stream.getvalue()


@pytest.mark.parametrize("option", ["--quiet", "--no-progress"])
def test_nothing_but_the_result(option: str) -> None:
    command = [sys.executable, "-m", "revet", "check", str(EXAMPLES / "spa/lock.spa"), option]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[-1] == "verdict: safe"
    assert (len(lines) == 1) == (option == "--quiet")


def test_a_real_terminal_on_standard_error() -> None:
    """The result on standard output is untouched, the cursor is visible at the end."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "revet", "check", str(EXAMPLES / "c/ring_buffer.c"), "--timeout", "60"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    seen = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(ours)
    assert process.stdout is not None
    output = process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert "\x1b" not in output and output.splitlines()[-1] == "verdict: safe"
    assert seen.count(b"\x1b[?25l") == seen.count(b"\x1b[?25h")
