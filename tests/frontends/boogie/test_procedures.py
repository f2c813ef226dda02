"""Recursive procedures: contracts that prove them, limits of what is unrolled, copies that are kept once."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends import Program, load
from revet.frontends.kit import inlining
from revet.model.cfa import Cfa
from revet.result import ProcedureContracts, Safe

DOWN = """
var g: int;
procedure main(n: int) modifies g; requires n >= 0; { g := n; call down(); assert g == 0; }
procedure down() modifies g; requires g >= 0; ensures g >= 0;
{ if (g > 0) { g := g - 1; call down(); } }
"""
EVEN = """
procedure main(n: int) { var r: bool; assume n >= 0; call r := even(2 * n); assert r; }
procedure even(n: int) returns (r: bool) requires n >= 0;
{ if (n == 0) { r := true; } else { call r := odd(n - 1); } }
procedure odd(n: int) returns (r: bool) requires n >= 0;
{ if (n == 0) { r := false; } else { call r := even(n - 1); } }
"""


def program_of(folder: Path, text: str) -> Program:
    path = folder / "program.bpl"
    path.write_text(text)
    return load([path])


def answer(program: Program, engine: str, seconds: float = 20) -> str:
    return solve(program, engine, context=Context(budget=Budget(seconds=seconds))).status


def test_contracts(tmp_path: Path) -> None:
    program = program_of(tmp_path, DOWN)
    assert program.open_ends
    found = solve(program, "summaries", context=Context(budget=Budget(seconds=20)))
    assert isinstance(found.verdict, Safe) and isinstance(found.verdict.certificate, ProcedureContracts)
    assert set(found.verdict.certificate.contracts) == {"down"}


def test_what_is_unrolled_proves_nothing_about_deeper_calls(tmp_path: Path) -> None:
    assert answer(program_of(tmp_path, DOWN), "bmc", 10) == "unknown"


def test_mutual_recursion(tmp_path: Path) -> None:
    program = program_of(tmp_path, EVEN)
    assert program.recursive
    model = program.procedures()
    assert set(model.procedures) == {model.main, "even", "odd"}
    assert answer(program_of(tmp_path, EVEN.replace("assert r", "assert !r")), "bmc") == "unsafe"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g >= 0; ensures", "g >= 1; ensures"),  # requires: not at the recursive call
        ("ensures g >= 0", "ensures g >= 1"),
        ("assert g == 0", "assert g == 1"),
        ("requires n >= 0", "requires n >= -1"),
    ],
)
def test_bugs_are_found(tmp_path: Path, old: str, new: str) -> None:
    broken = DOWN.replace(old, new)
    assert broken != DOWN
    assert answer(program_of(tmp_path, broken), "bmc") == "unsafe"
    assert answer(program_of(tmp_path, broken), "summaries") == "unknown"


RECURSIVE_BUGS = {
    "a local is not initialised": """
        procedure p(n: int) returns (r: int) ensures r == 1;
        { var l: int; if (n == 1) { l := 1; } if (n > 1) { call l := p(n - 1); } r := l; }""",
    "a result into a global that the callee changes": """
        var g: int; procedure p(n: int) returns (r: int) modifies g; requires n >= 0; ensures g == n;
        { r := n; g := n; if (n > 0) { call g := p(n - 1); } }""",
    "a contract inside": """
        var g: int; procedure p(n: int) modifies g; ensures g > old(g);
        { if (n > 0) { call p(n - 1); } call up(); }
        procedure up(); modifies g; ensures g >= old(g);""",
    "any argument": """
        procedure p(n: int) returns (r: int) requires n > 0; ensures r > 1;
        { r := n; if (*) { call r := p(*); } }""",
    "a constant": """
        const c: int; axiom c > 0; procedure p(n: int) returns (r: int) ensures r != 7;
        { if (n < c) { r := n; } else { call r := p(n - c); } }""",
    "a loop around": """
        var g: int; procedure p(n: int) modifies g; ensures g <= 3;
        { g := 0;
          while (g < n) invariant g < 5; { if (*) { call p(1); } g := g + 1; if (*) { break; } g := n; } }""",
    "only below the entry": """
        var g: int where g == 0; procedure p() modifies g; { assert g < 2; g := g + 1; call p(); }""",
}


@pytest.mark.parametrize("text", RECURSIVE_BUGS.values(), ids=RECURSIVE_BUGS.keys())
def test_the_model_with_procedures_misses_no_bug(tmp_path: Path, text: str) -> None:
    program = program_of(tmp_path, text)
    assert answer(program, "bmc") == "unsafe"
    assert answer(program, "summaries", 5) == "unknown"


def test_old_is_that_of_each_activation(tmp_path: Path) -> None:
    text = """
    var g: int;
    procedure up(n: int) modifies g; ensures n >= 0 ==> g == old(g) + n;
    { g := g + n; if (n > 0) { g := g - n + 1; call up(n - 1); } }
    """
    assert answer(program_of(tmp_path, text), "summaries") == "safe"
    assert answer(program_of(tmp_path, text.replace("old(g) + n", "old(g) + n + 1")), "bmc") == "unsafe"


def test_many_calls_are_not_copied(tmp_path: Path) -> None:
    """Thirty procedures that each call the next one twice: a billion copies, or thirty."""
    lines = ["var g: int;"]
    for number in range(30):
        step = f"call p{number + 1}(); call p{number + 1}();" if number < 29 else "g := g + 1;"
        pad = " ".join("g := g + 1; g := g - 1;" for _ in range(30))
        lines.append(f"procedure p{number}() modifies g; {{ {pad} {step} }}")
    lines.append("procedure ULTIMATE.start() modifies g; { g := 0; call p0(); assert g >= 0; }")
    model = program_of(tmp_path, "\n".join(lines)).model
    assert isinstance(model, Cfa)
    assert len(model.edges) < 40_000


def test_a_kept_copy_returns_to_its_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with limits so low that a small program passes them."""
    monkeypatch.setattr(inlining, "_LIMIT", 20)
    monkeypatch.setattr(inlining, "_WORTH", 5)
    calls = " ".join("call r := add(r, 1);" for _ in range(5))
    text = f"""var g: int;
    procedure ULTIMATE.start() modifies g; {{ var r: int; g := 0; r := 0; {calls} assert r == 5; }}
    procedure add(x: int, y: int) returns (r: int) {{ {"assume g < 9; " * 10} r := x + y; }}"""
    program = program_of(tmp_path, text)
    assert isinstance(program.model, Cfa) and len(program.model.edges) < 60
    assert answer(program, "bmc") == "safe"
    assert answer(program_of(tmp_path, text.replace("r == 5", "r == 4")), "bmc") == "unsafe"
