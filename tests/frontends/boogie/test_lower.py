"""Boogie programs to automata: verdicts of small programs, each with its evidence confirmed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.errors import Unsupported
from revet.frontends import load
from revet.frontends.boogie.replay import BoogieProgram
from revet.model.cfa import Cfa
from revet.result import Safe, Unsafe
from tests.frontends.boogie.verdicts import PROGRAMS

DEEP = range(1, 1200)


def program_of(folder: Path, text: str) -> BoogieProgram:
    path = folder / "program.bpl"
    path.write_text(text)
    return load([path])


@pytest.mark.parametrize(("answer", "text"), [row[1:] for row in PROGRAMS], ids=[row[0] for row in PROGRAMS])
def test_verdict(tmp_path: Path, answer: str, text: str) -> None:
    """``solve`` confirms: certificates by the checker, traces by the interpreter."""
    program = program_of(tmp_path, text)
    engine = "summaries" if program.recursive and answer == "safe" else "pdr-cfa"
    found = solve(program, engine, context=Context(budget=Budget(seconds=30)))
    match found.verdict:
        case Safe():
            assert answer == "safe"
        case Unsafe(trace):
            assert answer == f"unsafe {trace.violated}"
            assert program.render_trace(trace)
        case unknown:
            pytest.fail(str(unknown))


@pytest.mark.parametrize(
    "text",
    [
        "procedure main(x: int) { assert " + " + ".join(["x"] * 5000) + " != 1; }",
        "procedure main(x: int) { " + "if (*) { " * 2000 + "assert x > 0; " + "} " * 2000 + "}",
        "function f0(x: int) returns (int) { x }\n"
        + " ".join(f"function f{n}(x: int) returns (int) {{ f{n - 1}(x) + f{n - 1}(x) }}" for n in DEEP)
        + "procedure main(x: int) { assert f1199(x) >= 0; }",
        "\n".join(f"procedure p{n}() {{ call p{n + 1}(); }}" for n in range(1200))
        + "procedure p1200() { assert false; } procedure ULTIMATE.start() { call p0(); }",
    ],
    ids=["sum", "nesting", "functions", "calls"],
)
def test_deep_programs(tmp_path: Path, text: str) -> None:
    """Nothing recurses, and nothing that is used twice is expanded twice."""
    model = program_of(tmp_path, text).model
    assert isinstance(model, Cfa) and len(model.errors) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("procedure main(x: real) { assert x ** 2.0 > 0.0; }", "the operator **"),
        ("var m: [[int]int]int; procedure main() { }", "a map that is indexed by maps"),
        ("function f(x: int) returns (int) { f(x - 1) } procedure main() { assert f(1) == 1; }", "recursive"),
        ("procedure p(); implementation p() { } implementation p() { }", "several implementations"),
        ("function {:bvbuiltin \"bvfoo\"} f(bv8) returns (bv8); procedure main() { assert f(1bv8) == 1bv8; }",
         "the built-in function 'bvfoo'"),
        ("procedure main() { var x: int; x := (if (exists i: int :: i > 0) then 1 else 2); }", "exists"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=re.escape(message)) as refused:
        program_of(tmp_path, text)
    assert refused.value.position is not None


def test_a_program_in_which_nothing_can_go_wrong_says_so(tmp_path: Path) -> None:
    note = "nothing is asserted that could fail: nothing can go wrong"
    assert note in program_of(tmp_path, "procedure f() { var x: int; x := 1; }").assumptions
    assert note not in program_of(tmp_path, "procedure f(x: int) { assert x == 1; }").assumptions
