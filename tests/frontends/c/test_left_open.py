"""What C leaves open or undefined, and what is declared: no assertion holds because of a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import InputError, Unsupported
from revet.frontends.c.source import CSource
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64

HEAD = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"


OLD = {"property": "assertions", "malloc": "if-too-large"}


def checked(folder: Path, text: str, engine: str = "bmc", **options: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(HEAD + text)
    return revet.check(path, engine=engine, timeout=60, **{**OLD, **options})


DIE = """int main(void) { int x = __VERIFIER_nondet_int();
if (x < 0) die(); if (x < 0) reach_error(); return 0; }"""
DECLARED = ["_Noreturn void die(void);", "void die(void) __attribute__((noreturn));"]


@pytest.mark.parametrize("declared", DECLARED)
def test_functions_that_do_not_return(tmp_path: Path, declared: str) -> None:
    answer = checked(tmp_path, f"{declared}\n{DIE}")
    assert answer.status == "safe", answer.verdict
    assert "die() has no body: it does not return" in answer.program.assumptions


def test_one_that_returns_all_the_same_decides_nothing(tmp_path: Path) -> None:
    answer = checked(tmp_path, f"_Noreturn void die(void) {{ }}\n{DIE}")
    assert answer.status == "unknown" and "declared not to return" in str(answer.verdict)


def test_a_float_that_does_not_fit_becomes_any_integer(tmp_path: Path) -> None:
    text = "int main(void) { double d = 1e20; int i = (int)d; if (i %s 7) reach_error(); return 0; }"
    assert checked(tmp_path, text % "!=").status == "unsafe"
    assert checked(tmp_path, text % "==").status != "safe"


def test_bit_fields_wider_than_int(tmp_path: Path) -> None:
    start = """struct B { unsigned long long f : 40; };
int main(void) { struct B s; s.f = 0xffffffffffull; """
    with pytest.raises(Unsupported, match="wider than int"):
        checked(tmp_path, start + "if (s.f + 1 != 0x10000000000ull) reach_error(); return 0; }")
    named = "unsigned long long n = s.f; if (n + 1 != 0x10000000000ull) reach_error(); return 0; }"
    assert checked(tmp_path, start + named, data_model="lp64").status == "safe"
    agreed = """if (s.f != 0xffffffffffull || (unsigned long long)s.f + 1 != 0x10000000000ull) reach_error();
return 0; }"""
    assert checked(tmp_path, start + agreed, data_model="lp64").status == "safe"
    with pytest.raises(Unsupported, match="wider than int"):
        checked(tmp_path, start + "if (s.f != -1) reach_error(); return 0; }", data_model="lp64")


def test_what_volatile_objects_hold_decides_no_answer(tmp_path: Path) -> None:
    text = "volatile int flag;\nint main(void) { flag = 1; if (flag %s 1) reach_error(); return 0; }"
    answer = checked(tmp_path, text % "!=")
    assert answer.status == "unknown" and "what volatile objects hold" in str(answer.verdict)
    assert any(line.startswith("volatile objects hold any value") for line in answer.program.assumptions)
    answer = checked(tmp_path, text % "!=", volatile="plain")
    assert answer.status == "safe"
    assert any(line.startswith("volatile objects are plain memory") for line in answer.program.assumptions)


@pytest.mark.skipif(not works_for(LP64), reason="no C compiler")
def test_a_violation_with_volatile_objects_counts_if_the_compiled_program_shows_it(tmp_path: Path) -> None:
    text = "volatile int flag;\nint main(void) { flag = 1; if (flag != 2) reach_error(); return 0; }"
    assert checked(tmp_path, text).status == "unsafe"


def test_what_else_is_read_of_volatile_objects(tmp_path: Path) -> None:
    """Operators that read and write, and local variables, which nobody else knows."""
    text = """volatile unsigned n; volatile unsigned char c;
    int main(void) { volatile int l = 3; c |= 1; unsigned m = ++n; c += 2;
    if (l != 3 || c > 255) reach_error();
    %s return 0; }"""
    assert checked(tmp_path, text % "").status == "safe"
    for read in ("m != 1", "!(c & 1)", "n++ == 5"):
        assert checked(tmp_path, text % f"if ({read}) reach_error();").status == "unknown", read


@pytest.mark.parametrize("call", ["use(x + 1);", 'printf("%d", x + 1);', "int y = any(x + 1); x = y;"])
def test_overflow_in_arguments_that_nobody_looks_at(tmp_path: Path, call: str) -> None:
    text = f"""extern int printf(const char *, ...); extern void use(int); extern int any(int);
int main(void) {{ int x = __VERIFIER_nondet_int(); {call} return 0; }}"""
    assert checked(tmp_path, text, property="no-overflow").status == "unsafe"


@pytest.mark.parametrize("call", ["__builtin_frame_address(0) == 0", "__builtin_return_address(0) == 0"])
def test_functions_of_the_compiler_are_known_or_refused(tmp_path: Path, call: str) -> None:
    with pytest.raises(InputError):
        text = f"int main(void) {{ int x = 0; if ({call}) x = 2; if (x == 1) reach_error(); return 0; }}"
        checked(tmp_path, text)


def test_a_flexible_array_member_has_the_elements_of_its_initialiser(tmp_path: Path) -> None:
    text = "struct F { int n; int v[]; };\nstatic struct F f = { 2, { 5, 6 } };\n"
    text += "int main(void) { if (f.v[1] == 6) reach_error(); return 0; }"
    answer = checked(tmp_path, text, "explore")
    assert answer.status == "unsafe", answer.verdict


@pytest.mark.parametrize("text", [
    """struct hidden; extern struct hidden far; extern void *memcpy(void *, const void *, unsigned long);
int main(void) { int k = 42, j = 0; memcpy(&far, &k, sizeof k); memcpy(&j, &far, sizeof k);
if (j != 42) reach_error(); return 0; }""",
    "extern int far[]; int main(void) { far[3] = 4; if (far[3] != 4) reach_error(); return 0; }",
])
def test_objects_of_unknown_size_are_not_too_small(tmp_path: Path, text: str) -> None:
    path = tmp_path / "far.c"
    path.write_text(HEAD + text)
    answer = revet.check(path, engine="bmc", timeout=60)
    assert answer.status == "safe"
    assert isinstance(answer.program, CSource)
    remarks = answer.program.remarks(answer.verdict)
    assert any("pointers, library, free are not checked" in line for line in remarks), remarks
    assert not any("undefined behaviour" in line for line in remarks), remarks
    explored = revet.check(path, engine="explore", timeout=60)
    assert explored.status == "unknown", explored.verdict


@pytest.mark.skipif(not works_for(LP64), reason="no compiler")
def test_another_assertion_that_fails_confirms_nothing(tmp_path: Path) -> None:
    """What hypot() returns is left to the library, which says five: only the second assertion fails."""
    text = """#include <assert.h>
#include <math.h>
int main(void) { int x = 1;
assert(hypot(3, 4) == 5);
assert(x == 2); return 0; }"""
    answer = checked(tmp_path, text, "explore", data_model="lp64")
    assert answer.status != "unsafe" and "another assertion, in line 6" in str(answer.verdict)


@pytest.mark.parametrize("engine", ["bmc", "explore"])
@pytest.mark.parametrize(("type", "call"), [("double", "fmin(z, -z)"), ("float", "fmaxf(-z, z)"),
                                            ("long double", "fminl(z, -z)"), ("long double", "fmaxl(z, -z)")])
def test_the_smaller_of_two_zeros_is_either(tmp_path: Path, type: str, call: str, engine: str) -> None:
    """Libraries differ; neither sign is proved."""
    text = f"#include <math.h>\nint main(void) {{ {type} z = 0; {type} r = {call}; %s return 0; }}"
    assert checked(tmp_path, text % "if (r != 0) reach_error();").status == "safe"
    for sign in ("", "!"):
        unproved = checked(tmp_path, text % f"if ({sign}__builtin_signbit(r)) reach_error();", engine)
        assert unproved.status != "safe", unproved.verdict
