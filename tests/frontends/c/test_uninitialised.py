"""Uninitialised values as a property: each read of one is found, and programs without any are proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported
from revet.frontends.c import load
from revet.result.verdict import Unsafe

HEAD = """typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), free(void *);
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern size_t strlen(const char *); extern int sprintf(char *, const char *, ...);
extern int nondet_int(void);
struct node { int value; struct node *next; };
struct pair { int a, b; } shared;
int numbers[3], *kept;
static int get(int *p) { return *p; }
static void set(int *p) { *p = 1; }
static struct pair made(int k) { struct pair p; p.a = k; if (k) p.b = 1; return p; }
static void list(int written) {
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = (struct node *)kept;
    if (written) n->value = i;
    kept = (int *)n;
  }
}
"""
CASES = {  # the body of main with a read too early, and without
    "local": ("int x; if (nondet_int()) x = 1; return x;",
              "int x; if (nondet_int()) x = 1; else x = 2; return x;"),
    "sum": ("int s; for (int i = 0; i < 3; i++) s += i;", "int s = 0; for (int i = 0; i < 3; i++) s += i;"),
    "increment": ("int x; x++;", "int x; x = nondet_int() & 1; x++;"),
    "declared again": (
        "int r = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; r |= x; }",
        "int r = 0; for (int i = 0; i < 2; i++) { int x; x = nondet_int(); r |= x; }"),
    "array": ("int a[4]; for (int i = 0; i < 3; i++) a[i] = i; return a[nondet_int() & 3];",
              "int a[4]; for (int i = 0; i < 4; i++) a[i] = i; return a[nondet_int() & 3];"),
    "member": ("struct pair p; p.a = 1; return p.b;", "struct pair p; p.a = 1; p.b = 2; return p.b;"),
    "copied structure": ("struct pair p, q; p.a = 1; q = p; return q.b;",
                         "struct pair p, q; p.a = 1; q = p; return q.a;"),
    "copied to a global": ("struct pair p; p.a = 1; shared = p; return shared.b;",
                           "struct pair p; p.a = 1; shared = p; return shared.a;"),
    "returned structure": ("struct pair p = made(nondet_int()); return p.b;",
                           "struct pair p = made(nondet_int() | 1); return p.b;"),
    "through a pointer": ("int x; return get(&x);", "int x; set(&x); return get(&x);"),
    "one of two": ("int x, y; int *p = nondet_int() ? &x : &y; *p = 1; return x;",
                   "int x, y; int *p = nondet_int() ? &x : &y; x = y = 2; *p = 1; return x;"),
    "pointer": ("int *p; if (nondet_int()) p = numbers; return *p;", "int *p; p = numbers; return *p;"),
    "block": ("int *p = malloc(8); p[0] = 1; int r = p[1]; free(p); return r;",
              "int *p = malloc(8); p[0] = 1; int r = p[0]; free(p); return r;"),
    "cleared block": ("int *p = malloc(8); return p[1];", "int *p = calloc(2, 4); return p[1];"),
    "filled block": ("char *p = malloc(8); memset(p, 0, 7); return p[7];",
                     "char *p = malloc(8); memset(p, 0, 8); return p[7];"),
    "grown block": ("int *p = malloc(4); *p = 1; p = realloc(p, 8); return p[1];",
                    "int *p = malloc(4); *p = 1; p = realloc(p, 8); return p[0];"),
    "copied block": ("int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); return b[1];",
                     "int a[2], b[2]; a[0] = 1; memcpy(b, a, sizeof a); return b[0];"),
    "list": ("list(0); return ((struct node *)kept)->value;",
             "list(1); return ((struct node *)kept)->value;"),
    "string": ("char b[4]; b[0] = 'a'; return strlen(b) == 2;",
               "char b[4]; b[0] = 'a'; b[1] = 0; return strlen(b) == 2;"),
    "text": ('char b[8]; sprintf(b, "%d", 3); return b[2];',
             'char b[8]; sprintf(b, "%2d:%3s", 3, "a"); return b[5];'),
    "globals": ("int i; return numbers[i & 1];", "return numbers[nondet_int() & 1] + shared.b;"),
}


def answer(folder: Path, body: str, bits: int, engine: str = "bmc") -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\nreturn 0; }}\n")
    return revet.check(
        path, engine=engine, timeout=120, property="uninitialised",
        data_model="lp64" if bits == 64 else "ilp32", validate_translation="off",
    )


@pytest.mark.parametrize("name", CASES)
def test_each_early_read_is_found_and_its_absence_proved(tmp_path: Path, name: str) -> None:
    early, right = CASES[name]
    bits = 32 if len(name) % 2 else 64
    found = answer(tmp_path, early, bits)
    assert isinstance(found.verdict, Unsafe), found.verdict
    assert found.verdict.trace.violated.startswith("uninitialised@p.c:")
    assert "before it is written" in found.program.render_trace(found.verdict.trace)
    engine = "pdr-cfa" if name == "declared again" else "bmc"  # its loop has nothing left to unroll
    assert answer(tmp_path, right, bits, engine).status == "safe"


def test_copying_a_structure_is_no_read(tmp_path: Path) -> None:
    body = "struct pair p, q[2]; int n = nondet_int() & 1; q[n] = p; q[n].a = 1; return q[n].a;"
    assert answer(tmp_path, body, 64).status == "safe"


def test_it_is_off_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { int x; return x; }")
    assert not any("uninitialised" in error.name for error in load([path], {}).lowered.cfa.errors)


def test_memory_kept_as_bytes_is_refused_with_a_place(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) {\n  union { int i; char c[4]; } u;\n  u.c[0] = 1;\n  return u.i;\n}\n")
    with pytest.raises(Unsupported) as refused:
        load([path], {"property": "uninitialised"})
    assert refused.value.position is not None and refused.value.position.line in (2, 3, 4)
