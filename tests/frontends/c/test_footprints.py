"""A run shows whether the order of evaluation matters: what the atoms of an expression touch is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.frontends.c.explore import observed
from revet.frontends.c.interpret.footprints import EVERYTHING, conflict
from revet.frontends.c.interpret.memory import Memory
from revet.frontends.c.load import load
from revet.frontends.c.run_inputs import Listed
from revet.result import InputTrace, OnlyRun, Safe

TWO = """
extern void reach_error(void);
int a, b; int *p = &a, *q = &b;
static int f(void) { for (int i = 0; i < 3; i++) *p += 1; return *p; }
static int g(void) { for (int i = 0; i < 3; i++) *q += 2; return *q; }
int main(void) { %s if (f() + g() != %d) reach_error(); return 0; }
"""
SAME = {
    "two calls through pointers that could lead to one object": TWO % ("", 9),
    "an assignment beside a call":
        "int a, b; int *p = &a, *q = &b; static int f(void) { return (*p)++; }\n"
        "int main(void) { int x = (*q = 4) + f(); return x - 4; }",
    "parts of an array":
        "int a[4]; static int f(int *x) { return *x = 3; }\n"
        "int main(void) { int i = 1; return (a[i] += 2) + f(&a[i + 1]) - 5; }",
    "an assignment inside another one":
        "int a, b; int *p = &a, *q = &b; int main(void) { *p = 1 + (*q = 2, *q); return a - 3; }",
    "more calls than orders are listed of":
        "int a[8]; int *p[8]; static int f(int i) { return *p[i] += i; }\n"
        "int main(void) { for (int i = 0; i < 8; i++) p[i] = &a[i];\n"
        "  return f(0) + f(1) + f(2) + f(3) + f(4) + f(5) + f(6) + f(7) - 28; }",
}
OTHER = {
    "two calls that change one object": TWO % ("q = p;", 12),
    "a call that changes what an operand reads":
        "int a; static int f(void) { return ++a; } int main(void) { return a + f() > 5; }",
    "more calls than orders are listed of, with one object":
        "int a[8]; int *p[8]; static int f(int i) { return *p[i] += i; }\n"
        "int main(void) { for (int i = 0; i < 8; i++) p[i] = &a[i / 2];\n"
        "  return f(0) + f(1) + f(2) + f(3) + f(4) + f(5) + f(6) + f(7) > 99; }",
    "an operand with a branch that changes what the other one reads":
        "int a = 1, b; int *p = &a; static int f(void) { return *p += 1; }\n"
        "int main(void) { return (b || (f() && f())) + a + f() > 99; }",
    "two assignments to one object, neither before the other":
        "int a; int *p = &a; int main(void) { a = (*p)++ + 1; return 0; }",
    "a library function":
        "#include <string.h>\nint a[2], b[2]; int *p = a;\n"
        "static int f(void) { memset(p, 0, sizeof a); return 1; } static int g(void) { return *p = 2; }\n"
        "int main(void) { return f() + g() + b[0] > 9; }",
}


def flaw(tmp_path: Path, text: str) -> str | None:
    """Why the run with zeros is not the only one, and what it ended with."""
    path = tmp_path / "orders.c"
    path.write_text(text)
    nothing = Listed(InputTrace((), (), "", 0))
    outcome = load([path]).evidence.runs.interpret(nothing, None, 20.0)
    found = observed(outcome, nothing.count).flaw
    return found and f"{found}: {outcome.message}"


@pytest.mark.parametrize("name", SAME)
def test_atoms_that_touch_different_objects_have_no_order(tmp_path: Path, name: str) -> None:
    assert flaw(tmp_path, SAME[name]) is None


@pytest.mark.parametrize("name", OTHER)
def test_atoms_that_touch_the_same_have(tmp_path: Path, name: str) -> None:
    found = flaw(tmp_path, OTHER[name])
    assert found is not None and ("order" in found or "unsequenced" in found)


def test_the_only_run_is_a_proof_though_pointers_might_meet(tmp_path: Path) -> None:
    path = tmp_path / "two.c"
    path.write_text(TWO % ("", 9))
    answer = revet.check(path, timeout=60)
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, OnlyRun)


def test_a_violation_in_one_order_only_is_still_found(tmp_path: Path) -> None:
    path = tmp_path / "one.c"
    path.write_text(
        "extern void reach_error(void); int a = 1; int *p = &a; static int f(void) { *p = 5; return 0; }\n"
        "static int g(void) { return *p; } int main(void) { if (g() + f() == 5) reach_error(); return 0; }"
    )
    assert revet.check(path, timeout=60).status == "unsafe"


def test_what_conflicts() -> None:
    memory = Memory(8)
    one, other = memory.allocate("a", 8, "variable"), memory.allocate("b", 8, "variable")
    assert not conflict([(one, 0, 4, True)], [(one, 4, 8, True), (other, 0, 8, True)])
    assert not conflict([(one, 0, 4, False)], [(one, 0, 4, False)])
    assert conflict([(one, 0, 4, False)], [(one, 3, 5, True)])
    assert conflict([(one, 0, 4, True)], [(one, 0, 1, False)])
    assert conflict([EVERYTHING], [(one, 0, 1, False)]) and conflict([(one, 0, 1, False)], [EVERYTHING])
    assert not conflict([EVERYTHING], [])
