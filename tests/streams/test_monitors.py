"""Monitors in Python on the command line; theorems, lemmas and what is admitted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from revet.cli.commands import revet
from revet.errors import RevetError
from revet.events import BoundReached, Event
from revet.streams import Integer, Spec, declare, exists, forall

EXAMPLES = Path(__file__).parents[2] / "examples" / "streams"
ONE_STEP = {"max-k": 1, "invariants": False, "compression": "none", "completeness": False}


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(revet, arguments, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value), done.output


def sums() -> Spec:
    """Laurent's example of relative induction: x counts, y adds up."""
    x, y = declare(Integer, "x"), declare(Integer, "y")
    x.define([0] @ (1 + x))
    y.define([1] @ (x + y))
    spec = Spec("sums")
    spec.lemma("low", forall(x >= 0))
    spec.theorem("sum", forall(y >= 1), using=["low"])
    spec.prop("alone", forall(y >= 1))
    spec.lemma("wrong", forall(x <= 5))
    spec.theorem("on sand", forall(y >= 1), using=["wrong"])
    spec.admit("faith", forall(x <= 5))
    spec.theorem("by faith", forall(y <= 100), using=["low", "faith"])
    return spec


def test_lemmas_make_a_property_inductive() -> None:
    found = sums().prove("sum", "alone", engine="kind", options=ONE_STEP)
    assert str(found["sum"]) == "sum: proved, using low"
    assert found["alone"].status == "unknown"


def test_a_theorem_stands_on_what_it_uses() -> None:
    found = sums().prove("on sand", "by faith", "wrong", "faith", engines="kind,bmc")
    assert found["wrong"].status == "refuted" and found["on sand"].status == "unknown"
    assert "wrong, which was not proved" in str(found["on sand"])
    assert found["faith"].status == "admitted" and not found["faith"]
    assert str(found["by faith"]) == "by faith: proved, using low, faith, admitting faith"


def test_what_cannot_be_used_is_refused() -> None:
    spec = sums()
    x = declare(Integer, "x")
    x.define([0] @ x)
    with pytest.raises(RevetError, match="was not stated before"):
        spec.theorem("early", forall(x >= 0), using=["late"])
    spec.prop("some", exists(x == 0))
    with pytest.raises(RevetError, match="only what always holds"):
        spec.theorem("bad", forall(x >= 0), using=["some"])
    with pytest.raises(RevetError, match="only what always holds"):
        spec.admit("never", exists(x == 1))


def test_observers_hear_the_engines() -> None:
    seen: list[Event] = []
    sums().prove("low", engine="kind", observe=seen.append)
    assert any(isinstance(event, BoundReached) for event in seen)


def test_check_gives_every_property_its_answer() -> None:
    status, text = run("check", str(EXAMPLES / "engine.py"), "--no-progress")
    assert status == 1
    assert "no other value has a majority: proved\n" in text
    assert "the cooler is never needed: refuted\n" in text and text.endswith("verdict: unsafe\n")
    status, text = run("check", str(EXAMPLES / "engine.py"), "-p", "no other value has a majority", "--json")
    data = json.loads(text)
    assert status == 0 and data["verdict"] == "safe" and data["properties"][0]["status"] == "proved"


def test_simulate_and_compile(tmp_path: Path) -> None:
    status, text = run("simulate", str(EXAMPLES / "engine.py"), "3")
    assert status == 0 and "tmp_probe_1" in text and "shutoff()" in text
    status, text = run("compile", str(EXAMPLES / "engine.py"), "-o", str(tmp_path))
    assert status == 0 and (tmp_path / "engine.c").exists() and (tmp_path / "engine.h").exists()


def test_tables_and_pictures_on_the_command_line(tmp_path: Path) -> None:
    picture = tmp_path / "run.svg"
    status, text = run("simulate", str(EXAMPLES / "engine.py"), "3", "--format", "csv")
    assert status == 0 and text.splitlines()[0].startswith("instant,tmp_probe_1,")
    run("simulate", str(EXAMPLES / "engine.py"), "3", "--format", "svg", "-o", str(picture))
    assert picture.read_text().startswith("<svg")
    with pytest.raises(RevetError, match="not for monitors"):
        run("simulate", str(EXAMPLES / "engine.py"), "3", "--format", "vcd")
    run("compile", str(EXAMPLES / "engine.py"), "-o", str(tmp_path), "--prefix", "unit", "--step", "tick")
    assert "void tick(void);" in (tmp_path / "unit.h").read_text()


def test_files_that_are_no_monitors(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty.py", tmp_path / "broken.py"
    empty.write_text("x = 1\n")
    broken.write_text("1 / 0\n")
    with pytest.raises(RevetError, match="defines no Spec"):
        run("check", str(empty))
    with pytest.raises(RevetError, match="ZeroDivisionError"):
        run("check", str(broken))
    with pytest.raises(RevetError, match="not for monitors"):
        run("check", str(EXAMPLES / "engine.py"), "--html", str(tmp_path / "r.html"))
    with pytest.raises(RevetError, match="did you mean"):
        run("check", str(EXAMPLES / "engine.py"), "-p", "the cooler is never neded")


MONITOR = "from revet.streams import *\nm = Spec('m')\nx = extern('x', Bool)\nm.prop('p', forall(x | ~x))\n"
HARD = "y, z = extern('y', Int64), extern('z', Int64)\n" + "".join(
    f"m.prop('hard{n}', forall((y * y * y + z * z * z * z) != {11445234 + n}))\n" for n in range(30)
)


@pytest.mark.parametrize("ending", ["import sys\nsys.exit(0)\n", "def f() -> Spec:\n    return 1 / 0\n"])
def test_a_file_that_ends_the_run_itself_has_no_verdict(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "monitor.py"
    path.write_text(MONITOR + ending)
    with pytest.raises(RevetError, match=r"running it failed: (SystemExit|ZeroDivisionError)"):
        run("check", str(path))


def test_standard_output_is_for_the_answer_alone(tmp_path: Path) -> None:
    path = tmp_path / "monitor.py"
    path.write_text(MONITOR + "print('hello')\ndef f() -> Spec:\n    print('again')\n    return Spec('f')\n")
    done = subprocess.run([sys.executable, "-m", "revet", "check", "--json", str(path)],
                          capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert json.loads(done.stdout)["verdict"] == "safe"
    assert done.stderr == "hello\nagain\n"


@pytest.mark.parametrize("slow", ["while True: pass\n", HARD])
def test_the_time_limit_is_for_everything(tmp_path: Path, slow: str) -> None:
    path = tmp_path / "monitor.py"
    path.write_text(MONITOR + slow)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-m", "revet", "check", "-q", "-t", "2", str(path)],
                          capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert done.returncode == 3 and done.stdout.startswith("verdict: unknown")
    assert time.monotonic() - start < 20  # thirty properties that each begin take longer
