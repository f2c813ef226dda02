"""Boogie programs to automata: verdicts of small programs, each with its evidence confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.context import Context
from revet.frontends import Program, load
from revet.result import Safe, Unsafe
from tests.frontends.boogie.verdicts import PROGRAMS


def program_of(folder: Path, text: str) -> Program:
    path = folder / "program.bpl"
    path.write_text(text)
    return load([path])


@pytest.mark.parametrize(("answer", "text"), [row[1:] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_verdict(tmp_path: Path, answer: str, text: str) -> None:
    """``solve`` confirms: certificates by the checker, traces by the interpreter."""
    program = program_of(tmp_path, text)
    engine = "pdr-cfa" if program.procedures is None or answer != "safe" else "summaries"
    found = solve(program, engine, context=Context(budget=Budget(seconds=30)))
    match found.verdict:
        case Safe():
            assert answer == "safe"
        case Unsafe(trace):
            assert answer == f"unsafe {trace.violated}"
            assert program.render_trace is not None and program.render_trace(trace)
        case unknown:
            pytest.fail(str(unknown))
