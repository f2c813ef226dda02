"""A variable that lives again holds any value, by whichever way its block is entered."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.budget import Budget
from revet.frontends.c import load

HEAD = """
extern void reach_error(void); extern int nondet_int(void);
static void check(int c) { if (!c) reach_error(); }
struct pair { int a, b; };
static void set(int *p) { *p = 5; }
"""
# {declare}, {write} and {read} in a loop of two turns: the first one writes, the second one reads.
ENTRIES = {
    "from above": "{{ {declare} if (!i) {write} else {read} }}",
    "by a case": "switch (i) {{ {declare} case 0: {write} break; case 1: {read} }}",
    "by a deep case": "switch (i) {{ if (0) {{ {declare} case 0: {write} break; case 1: {read} }} }}",
    "by a label": "if (i) goto in; {{ {declare} {write} if (i) {{ in: {read} }} }}",
    "past the declaration": "{{ if (i) goto on; {declare} {write} on: if (i) {read} }}",
    "into a loop": (
        "if (i) goto in; for (int k = 0; k < 1; k++) {{ {declare} {write} continue; in: {read} break; }}"
    ),
    "by an address": (
        "void *to[] = {{&&zero, &&one}}; goto *to[i];"
        " {{ {declare} zero: {write} goto out; one: {read} }} out: ;"
    ),
}
KINDS = {
    "scalar": ("int x;", "x = 5;", "x"),
    "known to a pointer": ("int x;", "set(&x);", "x"),
    "array": ("int a[3];", "for (int k = 0; k < 3; k++) a[k] = 5;", "a[nondet_int() & 1]"),
    "structure": ("struct pair p;", "p.a = p.b = 5;", "p.b"),
}


def program(entry: str, kind: str, condition: str) -> str:
    declare, write, read = KINDS[kind]
    turn = ENTRIES[entry].format(
        declare=declare, write=f"{{ {write} }}", read=f"{{ check({read} {condition}); }}"
    )
    return f"{HEAD}int main(void) {{ for (int i = 0; i < 2; i++) {{ {turn} }} return 0; }}\n"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_kept_from_one_life_to_the_next(tmp_path: Path, entry: str, kind: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(program(entry, kind, "== 5"))
    answer = revet.check(path, engine="bmc", timeout=60, property="assertions")
    assert answer.status == "unsafe", answer.verdict


KEPT = {
    "a jump back over no declaration": (
        "int n = 0; again: if (n) goto on; int x; x = 5; n = 1; goto again; on: check(x == 5);"
    ),
    "a jump inside of the block": "int x = 5; goto on; on: check(x == 5);",
    "a case that is reached from above": (
        "switch (nondet_int()) { case 1: ; int x; case 2: x = 4; default: x = 5; check(x == 5); }"
    ),
    "a later turn": "for (int i = 0; i < 2; i++) { if (i) goto on; int x; x = 1; on: x = 5; check(x == 5); }",
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_what_is_written_in_this_life_is_kept(tmp_path: Path, body: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    for options in ({"property": "assertions"}, {"property": "assertions,memory"}):
        answer = revet.check(path, engine="bmc", timeout=60, **options)
        assert answer.status == "safe", answer.verdict


SAME = {
    "a variable": "int *p = 0; again:; int x = 5; if (!p) { p = &x; goto again; } check(p == &x && x == 5);",
    "an unnamed object": (
        "int n = 0, *p = 0; again: p = &(int){p ? *p + 3 : 1}; if (n++ < 2) goto again; check(*p == 7);"
    ),
    "a structure": (
        "int k = 0; struct pair *q = 0; again: ; struct pair s = {k, 2 * k}; if (!q) q = &s;"
        " q->a += 5; if (k++ < 2) goto again; check(q == &s && s.a == 7 && q->b == 4);"
    ),
    "in an inner block": (
        "for (int i = 0; i < 2; i++) { int n = i; back: ; int x = n, *p = &x;"
        " if (++*p < 3) { n = x; goto back; } check(x == 3); }"
    ),
    "in a condition": "int k = 0, *p; while (*(p = &(int){k}) < 3) k++; check(*p == 3);",
}


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_a_jump_back_in_the_block_leads_to_the_same_object(tmp_path: Path, body: str) -> None:
    """In the model, and in runs of the source, which called its address invalid."""
    path = tmp_path / "p.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    run = load([path], {"property": "assertions,memory"}).only_run(Budget(60))
    assert (run.ended, run.undefined, run.choices) == ("exit", (), ())
    answer = revet.check(path, engine="bmc", timeout=60, property="assertions")
    assert answer.status == "safe", answer.verdict


def test_a_block_that_was_left_has_other_objects(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    loop = "for (int i = 0; i < 2; i++) { int x = 5; if (!p) p = &x; else check(*p == 5); }"
    path.write_text(f"{HEAD}int main(void) {{ int *p = 0; {loop} return 0; }}\n")
    assert load([path], {"property": "assertions,memory"}).only_run(Budget(60)).undefined


def test_declarations_that_are_passed_by_are_not_compared_with_the_compiled_program(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        f"{HEAD}static int f(int v) {{\n  int r = 0;\n  switch (v) {{\n    int t;\n"
        "  case 0:\n    t = 4;\n  case 1:\n    r += 7;\n    t = r;\n    r += t;\n  }\n  return r;\n}\n"
        "int main(void) { int v = nondet_int(); if (v == 0 || v == 1) check(f(v) == 14); return 0; }\n"
    )
    answer = revet.check(path, engine="bmc", timeout=60, validate_translation="full")
    assert answer.status == "safe", answer.verdict
