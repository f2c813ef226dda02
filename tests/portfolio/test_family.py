"""Limits and signals, seen from outside: exit statuses, and nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.portfolio.processes import Family

HARD = (
    "int a, b, c;\nwhile (nondet()) { a = a + 1; if (nondet()) { b = b + a; c = c - a; } }\n"
    "assert(a*a*a + b*b*b != c*c*c + 42);\n"
)


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    path = tmp_path / "hard.spa"
    path.write_text(HARD)
    return path


def test_a_killed_parent_takes_its_workers_along(hard: Path) -> None:
    family = Family(["check", hard])
    assert family.wait_for_children()
    family.process.kill()
    family.result()
    assert family.gone()


def test_killed_children_are_no_answer(hard: Path) -> None:
    family = Family(["check", "--engine", "bmc", "--json", hard])
    for child in family.wait_for_children():
        os.kill(child, signal.SIGKILL)
    status, out, _ = family.result()
    assert status == 3 and family.gone()
    assert "the process died" in json.loads(out)["reason"]


def test_statistics_of_everybody_after_a_timeout(hard: Path) -> None:
    start = time.monotonic()
    family = Family(["check", "--timeout", "4", "--json", hard])
    status, out, _ = family.result()
    assert time.monotonic() - start < 45
    data = json.loads(out)
    assert status == 3 and data["verdict"] == "unknown" and data["peak_memory"] > 1 << 20
    assert len(data["participants"]) >= 2
    solving = [one for one in data["participants"] if one["name"] != "absint"]  # which asks no solver
    for participant in solving[:2]:
        assert participant["statistics"]["counts"]["queries"] > 0 and participant["cpu_seconds"] > 0


def test_a_signal_leaves_what_is_known(hard: Path) -> None:
    family = Family(["check", "--stats", hard])
    family.wait_for_children()
    time.sleep(1.0)
    family.process.send_signal(signal.SIGTERM)
    status, out, _ = family.result()
    assert status == 3 and family.gone()
    assert out.splitlines()[-1] == "verdict: unknown (interrupted)"
    assert "statistics" in out


def test_the_replay_of_a_long_run_keeps_the_time_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text(
        "extern void __VERIFIER_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  unsigned i = 0;\n"
        "  while (i < 4000000000u) { i = i + 1u; if (x == 7) { } }\n"
        "  if (x == 7) __VERIFIER_error();\n  return 0;\n}\n"
    )
    start = time.monotonic()
    family = Family(["check", "--timeout", "4", path])
    status, _, _ = family.result()
    assert status in (1, 3) and time.monotonic() - start < 45 and family.gone()


def test_engines_are_chosen_by_the_user_and_explained() -> None:
    example = Path(__file__).parents[2] / "examples/lustre/two_counters.lus"
    family = Family(["check", "--engines", "bmc:bound=2,kind", "--explain-choice", "--json", example])
    status, out, err = family.result()
    data = json.loads(out)
    assert status == 0 and data["engine"] == "kind"
    assert {one["name"] for one in data["participants"]} <= {"bmc:bound=2", "kind"}
    assert "bmc:bound=2 (bmc bound=2): asked for" in err and "transition system" in err
    _, _, err = Family(["check", "--explain-choice", example]).result()
    assert "not for such a model: " in err and "pdr-cfa" in err.splitlines()[-1]
