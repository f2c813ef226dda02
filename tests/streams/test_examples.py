"""The files in ``examples/streams`` run, and answer what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "streams"


def output(name: str, *arguments: str) -> list[str]:
    command = [sys.executable, FOLDER / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return done.stdout.splitlines()


def test_the_engine_monitor(tmp_path: Path) -> None:
    lines = output("engine.py", str(tmp_path))
    assert "shutoff()       --     --  (true)    --  (true)     --" in [line.rstrip() for line in lines]
    assert "no other value has a majority: proved" in lines
    assert "the cooler is never needed: refuted" in lines
    assert sorted(path.name for path in tmp_path.iterdir()) == ["engine.c", "engine.h", "engine_driver.c"]


def test_the_slides() -> None:
    lines = output("slides.py")
    assert lines[1].split() == ["fib", *["1", "1", "2", "3", "5", "8", "13", "21", "34", "55", "89", "144"]]
    answers = [line for line in lines if line.endswith((": proved", ": refuted"))]
    assert answers == [
        "x is not 0: proved", "y is not negative: proved", "y grows slowly: refuted",
        "e becomes 8: proved", "e becomes 7: refuted",
    ]
