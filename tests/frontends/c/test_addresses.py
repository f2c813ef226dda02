"""Runs that depend on where objects are in memory, and runs that do not; and when variables end."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.frontends.c.interpret import Outcome, Random, run
from revet.frontends.c.parse import parse_text

_HEAD = """
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long); extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);
extern unsigned long strlen(const char *); extern int printf(const char *, ...);
extern void reach_error(void);
struct pair { int number; int *place; };
struct loose { char letter; int number; };
union either { int *place; long number; };
int x, y, a[4], *p, *q, **pp; char text[8]; struct pair s, t; union either u;
"""

_NOWHERE = {
    "reads and writes": "p = &x; *p = 3; q = p; if (*q != 3) reach_error();",
    "pointers to pointers": "p = &x; pp = &p; **pp = 3; if (x != 3) reach_error();",
    "null": "p = 0; if (p) reach_error(); if (p == &x) reach_error();",
    "different objects": "if (&x == &y) reach_error();",
    "within an array": "p = a; q = a + 4; if (!(p < q) || q - p != 4) reach_error();",
    "a walk": "for (p = a; p != a + 4; p++) *p = 1; if (a[3] != 1) reach_error();",
    "structures": "s.place = &s.number; t = s; *t.place = 4; if (s.number != 4) reach_error();",
    "through a pointer": "struct pair *r = &s; r->place = &x; t = *r; if (t.place != &x) reach_error();",
    "bytes of numbers": "x = 258; if (*(char *)&x != 2) reach_error();",
    "strings": 'const char *w = "abc"; if (w[1] != 98 || strlen(w) != 3) reach_error(); printf("%s", w);',
    "allocated": "p = malloc(8); p[0] = 1; p[1] = 2; if (p[0] + p[1] != 3) reach_error(); free(p);",
    "allocated pointers": "pp = malloc(sizeof *pp); *pp = &x; **pp = 1; if (x != 1) reach_error();",
    "null in zeros": "pp = calloc(2, sizeof *pp); if (pp[1]) reach_error(); pp[0] = &x; *pp[0] = 1;",
    "a copy": "s.place = &x; memcpy(&t, &s, sizeof s); *t.place = 5; if (x != 5) reach_error();",
    "set to zero": "memset(&s, 0, sizeof s); if (s.place) reach_error();",
    "functions": "void (*f)(void) = reach_error; if (!f) f();",
}
_SOMEWHERE = {
    "an integer": "if ((unsigned long)&x % 4096 == 1) reach_error();",
    "from an integer": "p = (int *)4096; if (p == &x) reach_error();",
    "order": "if (&x < &y) x = 1;",
    "difference": "x = &y - &x;",
    "behind": "if (&x + 1 == &y) reach_error();",
    "far behind": "p = &x + 100000; if (p == &y) reach_error();",
    "bytes of a pointer": "p = &x; text[0] = *(char *)&p;",
    "a pointer as a number": "*(long *)&p = 0; u.place = &x; if (u.number == 77) reach_error();",
    "a copy to bytes": "p = &x; memcpy(text, &p, sizeof p); x = text[1];",
    "from allocated memory": "pp = malloc(8); *pp = &x; if (*(long *)pp == 1) reach_error();",
    "padding": "struct loose l = {1, 2}; if (((char *)&l)[1] == 9) reach_error();",
    "gone": "p = malloc(4); free(p); q = malloc(4); if (p == q) reach_error();",
    "the next member": "int *r = &s.number; s.place = &x; text[0] = r[2];",
    "a text of pointers": "p = &y; x = strlen((char *)&p);",
}


def _outcome(body: str) -> Outcome:
    program = parse_text(f"{_HEAD} int main(void) {{ {body} return 0; }}")
    return run(program, Random(1))


@pytest.mark.parametrize("body", _NOWHERE.values(), ids=_NOWHERE)
def test_a_run_that_does_not_look_at_addresses(body: str) -> None:
    outcome = _outcome(body)
    assert (outcome.kind, outcome.undefined, outcome.unspecified) == ("exit", (), ())


@pytest.mark.parametrize("body", _SOMEWHERE.values(), ids=_SOMEWHERE)
def test_a_run_that_looks_at_addresses(body: str) -> None:
    outcome = _outcome(body)
    assert outcome.unspecified or outcome.undefined


_ENDED = {
    "a block": "{ int v = 1; p = &v; } x = *p;",
    "a turn": "for (int i = 0; i < 2; i++) { int v = i; if (i) x = *p; p = &v; }",
    "a loop's own": "for (int i = 0; i < 2; i++) p = &i; x = *p;",
    "break": "while (1) { int v = 1; p = &v; break; } x = *p;",
    "continue": "int n = 0; do { int v = 1; p = &v; if (n++) break; continue; } while (*p);",
    "goto": "{ int v = 1; p = &v; goto out; } out: x = *p;",
    "back": "int n = 0; again: if (n) x = *p; { int v = 1; p = &v; if (!n++) goto again; }",
    "switch": "switch (1) { int v; case 1: v = 2; p = &v; } x = *p;",
    "a literal": "if (!x) { p = (int[]){1, 2}; } x = *p;",
    "an expression": "p = ({ int v = 1; &v; }); x = *p;",
}
_ALIVE = {
    "several at once": "{ int v = 1, *w = &v, z = *w; x = z + *w; }",
    "further in": "{ int v = 1; p = &v; { int w = 2; q = &w; x = *p + *q; } x = *p; }",
    "a label in the block": "int n = 0; { int v = 1; p = &v; again: x = *p; if (!n++) goto again; }",
    "a literal": "p = (int[]){1, 2}; goto on; on: x = p[1];",
    "after a loop": "int v = 1; for (;;) { p = &v; break; } x = *p;",
    "in a switch": "switch (1) { int v; case 1: v = 2; p = &v; x = *p; }",
}


@pytest.mark.parametrize("body", _ENDED.values(), ids=_ENDED)
def test_a_variable_is_gone_after_its_block(body: str) -> None:
    outcome = _outcome(body)
    assert outcome.kind == "undefined" and outcome.undefined[0].kind == "dereference"


@pytest.mark.parametrize("body", _ALIVE.values(), ids=_ALIVE)
def test_a_variable_lives_in_its_block(body: str) -> None:
    outcome = _outcome(body)
    assert (outcome.kind, outcome.undefined, outcome.unspecified) == ("exit", (), ())


@pytest.mark.parametrize(("condition", "status"), [
    ("(unsigned)(unsigned long)f == (unsigned long)f", "unknown"),  # false where programs lie high
    ("(unsigned long)f % 16 == 0", "unknown"),
    ("(unsigned long)none == 0", "safe"),
    ("f != none", "safe"),
])
def test_functions_are_anywhere_in_the_model(tmp_path: Path, condition: str, status: str) -> None:
    file = tmp_path / "functions.c"
    file.write_text(
        "extern void reach_error(void); int f(void) { return 1; } int (*none)(void);\n"
        f"int main(void) {{ if (!({condition})) reach_error(); return 0; }}"
    )
    assert revet.check(file, engine="kind", property="assertions", timeout=10).status == status


_PROLOGUE = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
char a, b; int x, y, t[4]; char odd[3]; struct pair { int first; long second; } pair;
union view { int *pointer; uintptr_t number; unsigned char bytes[8]; } view;
uintptr_t local(void) { int here = 1; int *p = &here; return (uintptr_t)p + *p; }
uintptr_t deeper(void) { int more[9]; more[0] = 1; int *p = more; return local() + (uintptr_t)p * 0; }
"""


def _status(tmp_path: Path, body: str, condition: str, property: str = "assertions") -> str:
    file = tmp_path / "numbers.c"
    file.write_text(f"{_PROLOGUE}int main(void) {{ {body} if (!({condition})) reach_error(); return 0; }}")
    return revet.check(file, engine="bmc", property=property, timeout=10).status


@pytest.mark.parametrize(("body", "condition"), [
    ("", "(uintptr_t)&x < 0x100000000"),
    ("", "(long)(int)(long)&x == (long)&x"),
    ("", "(uintptr_t)&a < (uintptr_t)&b"),
    ("", "(uintptr_t)&a > (uintptr_t)&b"),
    ("", "(uintptr_t)odd % 2 == 0"),
    ("", "(uintptr_t)&x % 8 == 0"),
    ("t[(uintptr_t)&x >> 12 & 3] = 1;", "t[0] == 1"),
    ("view.pointer = &x;", "view.bytes[5] == 0"),
    ("int *p = &x; uintptr_t n; memcpy(&n, &p, sizeof n);", "n < 0x100000000"),
    ("int *p = &x; unsigned char *c = (unsigned char *)&p;", "c[4] == 0"),
    ("int *p = &x, *q = &y;", "memcmp(&p, &q, sizeof p) < 0"),
    ("", "&a + 1 != &b"),
    ("", "&b + 1 != &a"),
    ("", "&x < &y"),
    ("", "&x > &y"),
    ("", "&y - &x == 8"),
    ("", "&x != (int *)0x20000"),
    ("", "local() == deeper()"),
    ("char *p = malloc(4), *q = malloc(4); if (!p || !q) return 0;", "(uintptr_t)p < (uintptr_t)q"),
    ("char *p = malloc(4); uintptr_t n = (uintptr_t)p; free(p); p = malloc(4); if (!p) return 0;",
     "n != (uintptr_t)p"),
    ("uintptr_t n; { int one = 1; n = (uintptr_t)&one + one; } int two = 1;", "(uintptr_t)&two + two != n"),
    ("void (*f)(void) = reach_error; uintptr_t n; memcpy(&n, &f, sizeof n);", "n < 4096"),
])
def test_where_objects_lie_proves_nothing(tmp_path: Path, body: str, condition: str) -> None:
    """The compiler is free to make each of these false."""
    assert _status(tmp_path, body, condition) != "safe"


@pytest.mark.parametrize("property", ["assertions", "assertions,memory"])
@pytest.mark.parametrize(("body", "condition"), [
    ("int *p = (int *)(uintptr_t)&x; *p = 1;", "x == 1 && p == &x && (uintptr_t)p == (uintptr_t)&x"),
    ("uintptr_t n = (uintptr_t)&x | 1; *(int *)(n & ~(uintptr_t)1) = 3;",
     "x == 3 && (n & 3) == 1 && (uintptr_t)&x % 4 == 0"),
    ("long *p = &pair.second; ((struct pair *)((uintptr_t)p - 8))->first = 4;",
     "pair.first == 4 && (uintptr_t)p % 8 == 0"),
    ("", "(uintptr_t)&t[3] - (uintptr_t)&t[1] == 8 && (uintptr_t)&t[0] < (uintptr_t)&t[3] && &t[3] - t == 3"),
    ("int *p = malloc(4); if (!p) return 0; uintptr_t n = (uintptr_t)p; *(int *)n = 7;",
     "*p == 7 && n != 0 && n % 4 == 0"),
    ("view.pointer = &x; view.number |= 1; view.number &= ~(uintptr_t)1; *view.pointer = 4;", "x == 4"),
    ("void *p = (void *)-12L; void *q = &x;",
     "(uintptr_t)p >= (uintptr_t)-4095 && (uintptr_t)q < (uintptr_t)-4095 && (uintptr_t)q > 100"),
    ("", "(uintptr_t)(void *)0 == 0 && (long)(void *)42L == 42"),
])
def test_what_holds_wherever_objects_lie(tmp_path: Path, body: str, condition: str, property: str) -> None:
    assert _status(tmp_path, body, condition, property) == "safe"
