"""Replaying a C counterexample within a budget."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from revet.budget import Budget, OutOfBudget
from revet.driver.run import run_engine
from revet.engines.common.context import Context
from revet.frontends.c.execute import execute
from revet.frontends.program import Program
from revet.frontends.registry import load
from revet.result.trace import InputTrace
from revet.result.verdict import Unsafe

EXAMPLE = Path(__file__).parents[2] / "examples/c/traffic_light.c"


@pytest.fixture(scope="module")
def found() -> tuple[Program, Unsafe]:
    program = load([EXAMPLE], {})
    verdict = run_engine(program, "bmc", None, Context())
    assert isinstance(verdict, Unsafe)
    return program, verdict


def test_without_time_the_compiled_run_is_left_out(found: tuple[Program, Unsafe]) -> None:
    program, verdict = found
    notes = program.replay(verdict.trace, Budget(0.15))
    assert notes[0] == "confirmed by the interpreter of C"
    assert "no time is left" in notes[1] or "cannot build" in notes[1] or "no C compiler" in notes[1]


def test_a_replay_that_never_ends_is_out_of_budget(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text(
        "extern void __VERIFIER_error(void);\nint main(void) {\n  unsigned i = 0;\n"
        "  while (i < 4000000000u) i = i + 1u;\n  __VERIFIER_error();\n  return 0;\n}\n"
    )
    program = load([path], {"arithmetic": "int"})
    run_without_inputs = InputTrace((), (), "error", 0)
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        program.replay(run_without_inputs, Budget(0.5))
    assert time.process_time() - start < 3.0


def test_a_compiled_program_that_never_ends(tmp_path: Path) -> None:
    path = tmp_path / "forever.c"
    path.write_text("int main(void) { for (;;) { } return 0; }\n")
    program = load([path], {})
    start = time.monotonic()
    execution = execute(program.tree, [], budget=Budget(2.5))
    assert execution.status == "not-run" and time.monotonic() - start < 40  # 2.6 on a quiet machine
