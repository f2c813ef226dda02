"""What an answer assumes and leaves out is said, with places."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends import load
from revet.frontends.c.source import CSource

HEAD = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int();
"""


def checked(folder: Path, body: str, property: str | None = "assertions") -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}{body}\nreturn 0; }}\n")
    return revet.check(path, engine="bmc", timeout=60, property=property)


def remarks(answer: revet.Result) -> list[str]:
    assert isinstance(answer.program, CSource)
    return answer.program.remarks(answer.verdict)


@pytest.mark.parametrize(
    ("body", "assumption"),
    [
        ("int y = 100 / x; if (y > 100) reach_error();", "no division by zero (p.c:4)"),
        ("unsigned y = 1u << x; if (!y) reach_error();", "shift amounts are smaller"),
        ("int a[4] = {0}; if (a[x & 7] < 0) reach_error();", "array indices are within bounds (p.c:4)"),
        ("int a = 0, *p = x ? &a : (int *)0; if (*p) reach_error();", "memory accesses are valid"),
    ],
)
def test_assumptions_have_places(tmp_path: Path, body: str, assumption: str) -> None:
    found = checked(tmp_path, body).program.assumptions
    assert any(line.startswith(assumption) and line.endswith("(p.c:4)") for line in found), found


def test_what_is_checked_is_not_assumed(tmp_path: Path) -> None:
    """Where accesses are asked about and what the library's functions get is not, or the other way round."""
    path = tmp_path / "p.c"
    path.write_text(
        "#include <string.h>\nint main(int n, char **words) { char a[8]; if (n < 2) return 1;\n"
        "strncpy(a, words[1], sizeof a); return strlen(a) > 7; }\n"
    )
    program = load([path], {})
    assert isinstance(program, CSource)
    accesses, calls = "memory accesses are valid", "library functions get what they are defined for"
    assumed = {name: " ".join(program.portion(name).assumptions) for name in ("memory", "library")}
    assert calls in assumed["memory"] and accesses not in assumed["memory"]
    assert accesses in assumed["library"] and calls not in assumed["library"]


def test_the_number_of_assertions(tmp_path: Path) -> None:
    answer = checked(tmp_path, "if (x > x) reach_error();\nif (x < x) reach_error();")
    assert remarks(answer)[0] == "2 assertions checked"
    answer = checked(tmp_path, "x = 3;")
    assert remarks(answer)[0].startswith("warning: no assertion is checked")


def test_assertions_that_no_run_comes_to(tmp_path: Path) -> None:
    found = remarks(checked(tmp_path, "while (x == x) {}\nreach_error();"))
    assert any("no run comes to any assertion" in line for line in found), found


def test_assertions_that_hold_by_their_text_are_come_to(tmp_path: Path) -> None:
    asserted = tmp_path / "asserted.c"
    asserted.write_text("#include <assert.h>\nint main(void) { assert(sizeof(int) == 4);\n"
                        "if (0) assert(0);\nreturn 0; }\n")
    answer = revet.check(asserted, engine="bmc", timeout=60)
    found = remarks(answer)
    assert answer.status == "safe" and found[-1].startswith("warning: no run comes to the assertion at ")
    assert found[-1].endswith("asserted.c:3:8")


def test_undefined_behaviour_is_not_buried(tmp_path: Path) -> None:
    found = remarks(checked(tmp_path, "int y = 100 / x; if (y > 100) reach_error();"))
    assert any("undefined behaviour" in line and "division by zero" in line for line in found), found


CALLBACK = """extern void each(void (*f)(void));
int g;
void reach_error(void);
static void callback(void) { g = 1; }
int main(void) { each(callback); if (g) reach_error(); return 0; }
"""


def test_a_function_without_a_body_may_call_what_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "callback.c"
    file.write_text(CALLBACK)
    answer = revet.check(file, engine="bmc", timeout=60, property="assertions")
    assert answer.status == "unknown" and "each() may call" in str(answer.reason)
    assert revet.check(file, engine="bmc", timeout=60, property="unreach-call").status == "safe"
    found = revet.check(file, engine="bmc", timeout=60, property="assertions", callbacks="none")
    assert found.status == "safe"


@pytest.mark.parametrize("name", ["__ESBMC_x", "__CPROVER_havoc_object", "__VERIFIER_x", "klee_x"])
def test_conventions_of_other_verifiers_are_known_or_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "convention.c"
    file.write_text(f"void {name}(int *p);\nint x;\nint main(void) {{ {name}(&x); return x; }}\n")
    with pytest.raises(Unsupported, match=name):
        revet.check(file, engine="bmc", timeout=60)
