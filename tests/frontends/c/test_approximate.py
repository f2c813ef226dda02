"""``--approximate``: what is not modelled has any value, and can only make an answer unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.driver.answer import Answer
from revet.engines.common.context import Context
from revet.errors import InputError, Unsupported, UsageError
from revet.frontends.c import load
from revet.frontends.c.options import Options

HEAD = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"


def answer(folder: Path, body: str, **options: object) -> Answer:
    path = folder / "program.c"
    path.write_text(HEAD + body)
    program = load([path], {"property": "assertions", "approximate": True, "data_model": "lp64", **options})
    return solve(program, "bmc", context=Context(budget=Budget(20)))


COMPLEX = """int main(void) { int y = 3; double x = __real__ (1.0 + 2.0i); if (x > 1.0) y = 4;
  if (%s) reach_error(); return 0; }"""


def test_without_the_option_it_is_an_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"program\.c:2:56: "):
        answer(tmp_path, COMPLEX % "y == 7", approximate=False)


def test_a_proof_that_holds_for_any_value_counts(tmp_path: Path) -> None:
    found = answer(tmp_path, COMPLEX % "y == 7")
    assert found.status == "safe"
    assert any("any value at" in line and "program.c:2:" in line for line in found.program.assumptions)


def test_a_run_through_it_needs_the_compiled_program(tmp_path: Path) -> None:
    assert answer(tmp_path, COMPLEX % "y == 4").status == "unknown"  # x is 1.0
    text = (COMPLEX % "y == 4").replace("1.0 + 2.0i", "2.0 + 2.0i")
    found = answer(tmp_path, text)
    assert found.status == "unsafe"
    assert found.checked is not None and "confirmed by execution" in found.checked.notes[0]


BITS = """int main(void) { int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_int();
  int c = a & b; if (%s) reach_error(); return 0; }"""


def test_bit_operations_over_integers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs --arithmetic bv or --approximate"):
        answer(tmp_path, BITS % "c == a + 1 && c < a", arithmetic="int", approximate=False)
    assert answer(tmp_path, BITS % "c == a + 1 && c < a", arithmetic="int").status == "safe"
    assert answer(tmp_path, BITS % "c > 0 && a == 0", arithmetic="int").status == "unknown"
    assert answer(tmp_path, BITS % "c > 0 && a == 0").status == "safe"  # bit-vectors: exact


def test_unknown_effects_stay_unsupported(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match="system"):
        answer(tmp_path, "int system(const char *); int main(void) { return system(\"x\"); }")
    with pytest.raises(Unsupported, match="assembly"):
        answer(tmp_path, 'int main(void) { asm goto("jmp %l0" : : : : out); return 1; out: return 0; }')


def test_what_va_arg_gives_is_known(tmp_path: Path) -> None:
    text = """int x; int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);
      *__builtin_va_arg(l, int *) = n; return __builtin_va_arg(l, int); }
    int main(void) { if (f(1, &x, 5) == %d && x == 1) reach_error(); return 0; }"""
    assert answer(tmp_path, text % 5).status == "unsafe"
    assert answer(tmp_path, text % 6).status == "safe"


def test_overflow_inside_what_is_not_modelled_would_be_missed(tmp_path: Path) -> None:
    with pytest.raises(Unsupported):
        answer(tmp_path, COMPLEX % "y == 7", property="no-overflow")


def test_strict_and_approximate_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="exclude"):
        Options.from_mapping({"strict": True, "approximate": True})


LIBRARY = """typedef unsigned long size_t; size_t strxfrm(char *, const char *, size_t);
size_t strftime(char *, size_t, const char *, const void *); struct tm; long mktime(struct tm *);
int at_quick_exit(void (*)(void)); int feclearexcept(int); char *strerror(int);
double lgamma(double), remquo(double, double, int *);
void f(void) { }
int main(void) { char a[8] = "b"; int y = 3, n = 7; size_t r = 0;
  %s; if (%s) reach_error(); return 0; }"""


@pytest.mark.parametrize("call, condition, status", [
    ('r = strxfrm(a, "abc", 4)', "y != 3 || n != 7", "safe"),
    ('strxfrm(a, "abc", 4)', "a[0] == 'z'", "unknown"),  # the function wrote something else
    ('strxfrm(a, "abc", 4)', "a[0] == 'a'", "unsafe"),
    ("double d = remquo(7.5, 2.0, &n)", "d > 7 || n == 5", "unknown"),
    ("remquo(7.5, 2.0, &n)", "n == 4", "unsafe"),
])
def test_library_functions_change_what_they_are_given(
    tmp_path: Path, call: str, condition: str, status: str
) -> None:
    found = answer(tmp_path, LIBRARY % (call, condition))
    if status == "unsafe" and found.status == "unknown" and "not confirmed" in str(found.verdict):
        pytest.skip("no compiled program to ask")
    assert found.status == status


@pytest.mark.parametrize(
    "call", ["at_quick_exit(f)", "feclearexcept(0)", "a[0] = *strerror(3)", "lgamma(0.5)"]
)
def test_callbacks_state_and_unknown_pointers_stay_refused(tmp_path: Path, call: str) -> None:
    with pytest.raises(Unsupported, match="is not modelled"):
        answer(tmp_path, LIBRARY % (call, "y != 3"))
