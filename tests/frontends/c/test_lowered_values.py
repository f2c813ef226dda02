"""What the validation of the translation cannot see, because a compiled run has one value where the model has
any, or zeros where nobody wrote: each of these notices a fault that `scripts/mutate-lowering` seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.frontends.c.load import load
from revet.result.verdict import Unsafe

HEAD = """extern void reach_error(void); extern unsigned nondet_uint(void); extern int nondet_int(void);
extern unsigned char nondet_uchar(void); extern int *give(void); extern unsigned long nondet_ulong(void);
extern double nondet_double(void); extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long);
extern _Bool __CPROVER_r_ok(const void *, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
"""
SAFE = {
    "an initialiser clears the rest each time":
        "for (int i = 0; i < 2; i++) { int a[3] = {i}; if (a[2]) reach_error(); a[2] = 7; }",
    "both sides of a comma": "int a = 0, b = 0; a = 1, b = 5; if (a != 1 || b != 5) reach_error();",
    "more elements than there is room for":
        "unsigned long n = nondet_ulong(); if (calloc(n, 16) && n > 1ul << 61) reach_error();",
    "what is undefined is assumed not to be":
        "int y = nondet_int(), x = 7 / y; if (y == 0 && x < 9) reach_error();",
    "places that are never one, in no order":
        "int a[2] = {3, 3}; unsigned i = nondet_uint() & 1; a[i] = a[1 - i]++; if (a[i] != 3) reach_error();",
    "no block is there before it is made":
        "int *p = 0; for (int i = 0; i < 2; i++) "
        "{ if (__CPROVER_r_ok(p, 4) && !i) reach_error(); p = malloc(4); }",
    "nor one that is made once":
        "int *p; if (__CPROVER_r_ok(p, 4)) reach_error(); p = malloc(4); if (p) *p = 1;",
    "a call through a pointer": "int (*g)(int) = nondet_int() ? f : h; if (g(1) < 2) reach_error();",
}
INTEGERS = {
    "bits in the middle":
        "unsigned x = nondet_uint(); if (x >= 16 && x < 256 && (x & 0xF0) == 0) reach_error();",
    "what is drawn is of its type": "unsigned d = nondet_uchar(); if (d + 1 > 300) reach_error();",
    "what is read is of its type":
        "unsigned char a[3]; unsigned i = nondet_uint(); if (i < 3 && a[i] + 1 > 300) reach_error();",
    "what a block holds is of its type":
        "signed char *p = malloc(300); unsigned i = nondet_uint(); "
        "if (p && i < 300 && (p[i] > 127 || p[i] < -128)) reach_error();",
    "what a variable holds is of its type":
        "unsigned char c; int k = c; if (k > 255 || k < 0) reach_error();",
}
NOT_SAFE = {
    "a variable without a value has a new one each time":
        "int last = 0; for (int i = 0; i < 2; i++) { int x; if (i && x != last) reach_error(); last = x; }",
    "a number that does not fit becomes any other":
        "double d = nondet_double(); if (d > 1e20) { int a = (int)d; if (a == 77) reach_error(); }",
    "a number that does not fit becomes another one each time":
        "double d = nondet_double(); int last = 0; if (d > 1e20) for (int i = 0; i < 2; i++) "
        "{ int a = (int)d; if (i && a != last) reach_error(); last = a; }",
}
UNSAFE = {
    "what a block holds": "int *p = malloc(4); if (p && *p == 77) reach_error();",
    "what each of several blocks holds":
        "for (int i = 0; i < 2; i++) { int *p = malloc(4); if (i && p && *p == 77) reach_error(); }",
    "what a structure holds": "struct { int a, b; } s, *p = &s; if (p->a == 77 && s.b == 5) reach_error();",
    "what an array holds":
        "int a[300], *p = a; unsigned i = nondet_uint(); if (i > 3 && i < 300 && p[i] == 77) reach_error();",
    "what a pointer from outside leads to": "int *p = give(); if (p && *p == 77) reach_error();",
    "a block that is too large": "char *p = malloc(nondet_ulong()); if (!p) reach_error();",
}
BLOCKS = """unsigned long n = nondet_ulong(), m = nondet_ulong();
char *p = malloc(n), *q = malloc(m), *r = malloc(1); if (p && q && r && r == p) reach_error();"""
ARITHMETIC = {  # with what is known of the operands
    "too large, never too small": "return nondet_int() + 1;",
    "too small, never too large": "return nondet_int() - 1;",
    "the least number by minus one":
        "int x = nondet_int(); signed char y = (signed char)nondet_int(); return y ? x / y : 0;",
}
LIBRARY = {
    "bytes copied upon each other": "char b[8] = {0}; memcpy(b, b + (nondet_int() & 3), 2);",
}
POINTERS = {
    "a variable that is gone": "int *p; { int x = nondet_int(); p = &x; } return *p == 3;",
    "a structure or nothing":
        "struct S { int x; } s = {1}; struct S *p = nondet_int() ? &s : 0; return p->x;",
}


def status(folder: Path, body: str, property: str = "assertions", **options: str) -> str:
    path = folder / "p.c"
    text = f"static int f(int x) {{ return x + 1; }} static int h(int x) {{ return x + 2; }}\n{HEAD}"
    path.write_text(f"{text}int main(void) {{ {body} return 0; }}\n")
    return revet.check(
        path, engine="kind", timeout=120, property=property, validate_translation="off", **options
    ).status


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_what_holds(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body) == "safe"


@pytest.mark.parametrize("body", INTEGERS.values(), ids=INTEGERS)
def test_what_holds_of_mathematical_integers(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body, arithmetic="int") == "safe"


@pytest.mark.parametrize("body", NOT_SAFE.values(), ids=NOT_SAFE)
def test_what_does_not(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body) != "safe"


def test_a_block_that_is_lost_before_a_loop_without_end_is_not_ruled_out(tmp_path: Path) -> None:
    assert status(tmp_path, "char *p = malloc(4); p = 0; while (1) { }", "leaks") == "unknown"


@pytest.mark.parametrize("arithmetic", ["int", "bv"])
@pytest.mark.parametrize("moved", ["1l << 62", "-(1l << 62)"])
def test_who_moves_a_pointer_around_all_addresses_is_not_back(
    tmp_path: Path, moved: str, arithmetic: str
) -> None:
    body = f"int a[4] = {{0}}, *p = a; long i = nondet_ulong(); return i == {moved} ? *(p + i) : 0;"
    assert status(tmp_path, body, "pointers", arithmetic=arithmetic) == "unsafe"


@pytest.mark.parametrize("body", UNSAFE.values(), ids=UNSAFE)
def test_what_is_broken(tmp_path: Path, body: str) -> None:
    """With evidence: what was drawn is known."""
    assert status(tmp_path, body, malloc="if-too-large") == "unsafe"


@pytest.mark.parametrize("body", ARITHMETIC.values(), ids=ARITHMETIC)
def test_what_overflows(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body, "arithmetic", arithmetic="int") == "unsafe"


@pytest.mark.parametrize("body", LIBRARY.values(), ids=LIBRARY)
def test_wrong_calls_of_the_library(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body, "library") == "unsafe"


def test_a_block_that_no_address_space_holds_is_assumed_not_to_be_asked_for(tmp_path: Path) -> None:
    body = "unsigned long n = nondet_ulong(); if (n > 1ul << 63) { malloc(n); reach_error(); }"
    assert status(tmp_path, body, "assertions,memory", malloc="never-fails") == "safe"


def test_what_is_broken_has_its_name(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    head = "void reach_error(void); int nondet_int(void);\n"
    path.write_text(f"{head}int main(void) {{ if (nondet_int()) reach_error(); return 0; }}\n")
    verdict = revet.check(path, engine="bmc", timeout=120, property="assertions").verdict
    assert isinstance(verdict, Unsafe)
    assert verdict.trace.violated == "reach_error@p.c:2"


def test_blocks_are_apart(tmp_path: Path) -> None:
    assert status(tmp_path, BLOCKS, malloc="if-too-large", arithmetic="bv") == "safe"


@pytest.mark.parametrize("body", POINTERS.values(), ids=POINTERS)
def test_pointers_to_nothing(tmp_path: Path, body: str) -> None:
    assert status(tmp_path, body, "pointers") == "unsafe"


def test_the_automaton_is_called_like_the_file(tmp_path: Path) -> None:
    path = tmp_path / "some.c"
    path.write_text("int main(void) { return 0; }\n")
    assert load([path], {}).model.name == "some.c"
