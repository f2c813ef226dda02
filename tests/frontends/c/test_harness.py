"""Harnesses: compiled with the program, they lead into the error."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from revet.frontends.c import toolchain
from revet.frontends.c.ast import CProgram
from revet.frontends.c.execute import execute
from revet.frontends.c.harness import MARKER, c_float, c_integer, harness_text
from revet.frontends.c.interpret import Draw, Recorded, run
from revet.frontends.c.library.conventions import ASSERTIONS, ASSUMPTIONS, NOTHING
from revet.frontends.c.parse import parse_files
from revet.frontends.c.processes import NotRun
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import ILP32, LP64, DataModel, Floating, Int

INT = Int(32, True)
needs_compiler = pytest.mark.skipif(not works_for(LP64), reason="no C compiler")


def program_of(folder: Path, text: str, model: DataModel = LP64, name: str = "program.c") -> CProgram:
    path = folder / name
    path.write_text(text)
    return parse_files([path], model)


TEXT = """
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);
int unknown(int x);
void silent(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  silent();
  if (x + y == -5 && __VERIFIER_nondet_uchar() == 200 && unknown(x) == 3) __VERIFIER_error();
  return 0;
}
"""
DRAWS = [
    Draw("__VERIFIER_nondet_int", -2147483648, INT), Draw("__VERIFIER_nondet_int", 2147483643, INT),
    Draw("__VERIFIER_nondet_uchar", 200, Int(8, False)), Draw("unknown", 3, INT),
]


@needs_compiler
def test_the_compiled_program_reaches_the_error(tmp_path: Path) -> None:
    program = program_of(tmp_path, TEXT)
    assert run(program, Recorded(DRAWS)).kind == "error"
    found = execute(program, DRAWS)
    assert found.reached, found
    assert MARKER in found.harness and "silent" in found.harness


@needs_compiler
def test_other_values_do_not_reach_it(tmp_path: Path) -> None:
    program = program_of(tmp_path, TEXT)
    wrong = [*DRAWS[:2], Draw("__VERIFIER_nondet_uchar", 201, Int(8, False))]
    assert execute(program, wrong).status == "missed"
    assert "more values" in execute(program, DRAWS[:1]).note


@needs_compiler
@pytest.mark.parametrize("error", ["reach_error", "__VERIFIER_error"])
def test_error_functions_with_a_body(tmp_path: Path, error: str) -> None:
    program = program_of(tmp_path, f"void {error}(void) {{ }}\nint main(void) {{ {error}(); return 0; }}")
    assert execute(program, []).reached


@needs_compiler
@pytest.mark.parametrize("declared", [False, True])
def test_every_convention_means_the_same_in_a_compiled_run(tmp_path: Path, declared: bool) -> None:
    """An assumption that holds and one that does nothing, then each assertion in turn."""
    names = (*ASSUMPTIONS, *(name for name in NOTHING if name.startswith("__")))
    prototypes = "".join(f"void {name}(_Bool condition);\n" for name in (*names, *ASSERTIONS) if declared)
    calls = "".join(f"  {name}(1);\n" for name in names)
    for number, name in enumerate(ASSERTIONS):
        text = f"{prototypes}int main(void) {{\n{calls}  {name}(1); {name}(0);\n}}"
        program = program_of(tmp_path, text, name=f"{number}.c")
        assert run(program, Recorded([])).kind == "error"
        found = execute(program, [])
        assert found.reached, (name, found.note)
    text = f"{prototypes}int main(void) {{\n  {ASSUMPTIONS[3]}(0); {ASSERTIONS[0]}(0);\n}}"
    program = program_of(tmp_path, text, name="assumption.c")
    assert execute(program, []).note == "the compiled program violates an assumption"


@needs_compiler
def test_assert_is_an_error(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint main(void) { int x = 1; assert(x == 2); return 0; }"
    program = program_of(tmp_path, text)
    assert run(program, Recorded([])).kind == "error"
    assert execute(program, []).reached


@needs_compiler
def test_assertions_and_assumptions_without_a_body(tmp_path: Path) -> None:
    text = "int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int();"
    text += "assume_abort_if_not(x > 2); __VERIFIER_assert(x != 4); return 0; }"
    program = program_of(tmp_path, text)
    for value, kind, status in ((1, "assume", 109), (3, "exit", 0), (4, "error", 107)):
        draws = [Draw("__VERIFIER_nondet_int", value, INT)]
        assert run(program, Recorded(draws)).kind == kind
        assert execute(program, draws).code == status


@needs_compiler
def test_overflow_traps(tmp_path: Path) -> None:
    nondet = "int __VERIFIER_nondet_int(void);"
    text = nondet + "int main(void) { int x = __VERIFIER_nondet_int(); return x + 1 == 0; }"
    program = program_of(tmp_path, text)
    for value, traps in ((2147483647, True), (7, False)):
        drawn = [Draw("__VERIFIER_nondet_int", value, INT)]
        assert execute(program, drawn, sanitizers=["signed-integer-overflow"]).reached == traps


@needs_compiler
def test_endless_programs_are_stopped(tmp_path: Path) -> None:
    program = program_of(tmp_path, "int main(void) { for (;;) ; }")
    assert execute(program, [], seconds=1).status == "missed"


@needs_compiler
@pytest.mark.skipif(not works_for(ILP32), reason="no 32-bit C library")
def test_the_data_model_is_respected(tmp_path: Path) -> None:
    text = "void reach_error(void);\nint main(void) { if (sizeof(long) == 4) reach_error(); return 0; }"
    assert execute(program_of(tmp_path, text, ILP32), []).reached
    assert not execute(program_of(tmp_path, text, LP64), []).reached


def test_without_a_compiler_the_note_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of(tmp_path, "void reach_error(void);\nint main(void) { reach_error(); return 0; }")

    def nothing_here(*arguments: object) -> None:
        raise NotRun("no C compiler was found")

    monkeypatch.setattr(toolchain, "_toolchain", nothing_here)
    found = execute(program, [])
    assert found.status == "not-run" and "no C compiler" in found.note


def test_functions_that_return_structures_cannot_be_provided(tmp_path: Path) -> None:
    program = program_of(tmp_path, "struct s { int x; } f(void); int main(void) { return f().x; }")
    found = execute(program, [Draw("f", bytes(4), program.declared["f"].result)])
    assert found.status == "not-run"


def test_values_are_written_exactly() -> None:
    assert c_integer(-(1 << 31), INT) == "(-2147483647 - 1)"
    assert c_integer(1 << 63, Int(64, False)) == "9223372036854775808ull"
    assert c_integer(-(1 << 63), Int(64, True)) == "(-9223372036854775807ll - 1)"
    double = Floating(64, 8)
    assert float.fromhex(c_float(0.1, double)) == 0.1
    assert c_float(-math.inf, double) == "-__builtin_inf()"
    assert c_float(Fraction(3, 2), Floating(80, 16)) == "0xc000000000000000p-63l"


def test_harness_text_names_the_files_and_how_to_compile(tmp_path: Path) -> None:
    program = program_of(tmp_path, TEXT, ILP32)
    text = harness_text(program, DRAWS)
    assert "program.c" in text and "-m32" in text and "-fwrapv" in text
