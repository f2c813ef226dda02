"""What the validation of the translation cannot see, because a compiled run has one value where the model has
any, or zeros where nobody wrote: each of these notices a fault that `scripts/mutate-lowering` seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

HEAD = "extern void reach_error(void); extern unsigned nondet_uint(void); extern int nondet_int(void);\n"
SAFE = {
    "an initialiser clears the rest each time":
        "for (int i = 0; i < 2; i++) { int a[3] = {i}; if (a[2]) reach_error(); a[2] = 7; }",
    "both sides of a comma": "int a = 0, b = 0; a = 1, b = 5; if (a != 1 || b != 5) reach_error();",
    "a call through a pointer": "int (*g)(int) = nondet_int() ? f : h; if (g(1) < 2) reach_error();",
}
INTEGERS = {
    "bits in the middle":
        "unsigned x = nondet_uint(); if (x >= 16 && x < 256 && (x & 0xF0) == 0) reach_error();",
}
NOT_SAFE = {
    "a variable without a value has a new one each time":
        "int last = 0; for (int i = 0; i < 2; i++) { int x; if (i && x != last) reach_error(); last = x; }",
}
GONE = "int *p; { int x = nondet_int(); p = &x; } return *p == 3;"


def status(folder: Path, body: str, property: str = "assertions", **options: str) -> str:
    path = folder / "p.c"
    text = f"static int f(int x) {{ return x + 1; }} static int h(int x) {{ return x + 2; }}\n{HEAD}"
    path.write_text(f"{text}int main(void) {{ {body} return 0; }}\n")
    return revet.check(path, engine="kind", timeout=120, property=property, **options).status


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_what_holds(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body) == "safe"


@pytest.mark.parametrize("body", INTEGERS.values(), ids=INTEGERS)
def test_what_holds_of_mathematical_integers(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body, arithmetic="int") == "safe"


@pytest.mark.parametrize("body", NOT_SAFE.values(), ids=NOT_SAFE)
def test_what_does_not(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body) != "safe"


def test_a_variable_that_is_gone(tmp_path: Path) -> None:
    assert status(tmp_path, GONE, "pointers") == "unsafe"
