"""Memory safety as a property: every kind of bad access is found, and the right program is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.frontends.c.toolchain import works_for
from revet.frontends.c.types import LP64
from revet.result.verdict import Unsafe

HEAD = """typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), free(void *);
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern int nondet_int(void);
struct node { int value; struct node *next; };
int *shared; void *kept;
"""
CASES = {  # what is broken; the body of main with the fault, and without
    "null": ("pointer", "int *p = nondet_int() ? &shared_int : 0; *p = 1;",
             "int *p = nondet_int() ? &shared_int : 0; if (p) *p = 1;"),
    "member of null": ("pointer", "struct node n = {1, 0}; return n.next->value;",
                       "struct node n = {1, 0}; n.next = &n; return n.next->value;"),
    "array": ("pointer", "int a[4], *p = a; p += nondet_int() & 7; *p = 1;",
              "int a[4], *p = a; p += nondet_int() & 3; *p = 1;"),
    "neighbour": ("pointer", "int a[4], b[4]; int *p = nondet_int() ? a : b; p[nondet_int() & 255] = 1;",
                  "int a[4], b[4]; int *p = nondet_int() ? a : b; p[nondet_int() & 3] = 1;"),
    "block": ("pointer", "int *p = malloc(12); p[nondet_int() & 3] = 1; free(p);",
              "int *p = malloc(16); p[nondet_int() & 3] = 1; free(p);"),
    "part of a scalar": ("pointer", "char *c = malloc(6); int *p = (int *)c; p[1] = 1; free(c);",
                         "char *c = malloc(8); int *p = (int *)c; p[1] = 1; free(c);"),
    "freed": ("pointer", "int *p = malloc(4); free(p); *p = 1;", "int *p = malloc(4); *p = 1; free(p);"),
    "freed in a list": ("pointer", "build(); for (struct node *n = kept; n; n = n->next) free(n);",
                        "build(); struct node *n = kept, *m; while (n) { m = n->next; free(n); n = m; }"),
    "returned": ("pointer", "stores_local(); return *shared;", "stores_global(); return *shared;"),
    "block of statements": ("pointer", "int *p; { int x = 1; p = &x; } return *p;",
                            "int x = 1, *p; { p = &x; } return *p;"),
    "left by a jump": (
        "pointer",
        "int *p = 0; do { int x = 1; p = &x; if (nondet_int()) break; p = 0; } while (0); return p ? *p : 0;",
        "int *p = 0, x = 1; do { p = &x; if (nondet_int()) break; p = 0; } while (0); return p ? *p : 0;"),
    "never assigned": ("pointer", "int *p; *p = 1;", "int x, *p; p = &x; *p = 1;"),
    "string": ("pointer", 'char *s = nondet_int() ? "abc" : "de"; return s[3];',
               'char *s = nondet_int() ? "abc" : "de"; return s[2];'),
    "written string": ("pointer", 'char *s = "abc"; s[0] = 1;', 'char s[] = "abc"; s[0] = 1;'),
    "copied": ("pointer", "int a[4] = {0}, *p = malloc(12); memcpy(p, a, sizeof a); free(p);",
               "int a[4] = {0}, *p = malloc(16); memcpy(p, a, sizeof a); free(p);"),
    "filled": ("pointer", "int n = nondet_int() & 7; char *p = malloc(n + 1); memset(p, 0, n + 2); free(p);",
               "int n = nondet_int() & 7; char *p = malloc(n + 1); memset(p, 0, n + 1); free(p);"),
    "variable length": ("pointer", "int n = 1 + (nondet_int() & 3); int a[n]; int *p = a; p[n] = 1;",
                        "int n = 1 + (nondet_int() & 3); int a[n]; int *p = a; p[n - 1] = 1;"),
    "copied structure": ("pointer", "struct node *p = malloc(4), n; n = *p; free(p);",
                         "struct node *p = malloc(sizeof *p), n; n = *p; free(p);"),
    "twice": ("free", "int *p = malloc(4); free(p); if (nondet_int()) free(p);",
              "int *p = malloc(4); free(p); p = 0; free(p);"),
    "inside": ("free", "char *p = malloc(4); free(p + (nondet_int() & 1));", "char *p = malloc(4); free(p);"),
    "variable": ("free", "int x; kept = &x; free(kept);", "int x; kept = &x; kept = malloc(1); free(kept);"),
    "reallocated": ("pointer", "int *p = malloc(4); int *q = realloc(p, 8); *p = 1; free(q);",
                    "int *p = malloc(4); *p = 3; p = realloc(p, 8); p[1] = p[0]; free(p);"),
    "leak": ("leak", "int *p = malloc(4); if (nondet_int()) free(p);", "int *p = malloc(4); free(p);"),
    "leak in a loop": ("leak", "int *p = 0; for (int i = 0; i < 2; i++) p = malloc(4); free(p);",
                       "int *p = 0; for (int i = 0; i < 2; i++) { free(p); p = malloc(4); } free(p);"),
}
FUNCTIONS = """int shared_int;
void build(void) {
  for (int i = 0; i < 2; i++) { struct node *n = malloc(sizeof *n); n->next = kept; kept = n; }
}
void stores_local(void) { int x = 1; shared = &x; }
void stores_global(void) { shared = &shared_int; }
"""


def answer(folder: Path, body: str, bits: int, arithmetic: str = "auto") -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}{FUNCTIONS}int main(void) {{\n{body}\nreturn 0; }}\n")
    model = "lp64" if bits == 64 else "ilp32"
    return revet.check(
        path, engine="bmc", timeout=120, property="valid-memsafety", data_model=model, arithmetic=arithmetic,
        validate_translation="off",
    )


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_found_and_its_absence_proved(tmp_path: Path, name: str, bits: int) -> None:
    label, faulty, right = CASES[name]
    found = answer(tmp_path, faulty, bits)
    assert isinstance(found.verdict, Unsafe), found
    assert found.verdict.trace.violated.startswith(f"{label}@")
    assert answer(tmp_path, right, bits).status == "safe"


@pytest.mark.parametrize("name", ["array", "block", "freed", "inside"])
def test_with_bit_vectors(tmp_path: Path, name: str) -> None:
    _, faulty, right = CASES[name]
    assert answer(tmp_path, faulty, 32, "bv").status == "unsafe"
    assert answer(tmp_path, right, 32, "bv").status == "safe"


def test_an_element_behind_a_structure_is_not_taken_for_valid(tmp_path: Path) -> None:
    body = "struct { int n, data[1]; } s, *p = &s; p->data[nondet_int() & 3] = 1;"
    assert answer(tmp_path, body, 64).status != "safe"
    assert answer(tmp_path, body.replace("& 3", "& 0"), 64).status == "safe"


def test_a_pointer_moved_from_object_to_object_is_not_taken_for_valid(tmp_path: Path) -> None:
    """In the model's address space the objects are neighbours, however far apart."""
    moves = "char a[4], b[4]; char *p = nondet_int() ? a : b; for (int i = 0; i < 4; i++) p += N; *p = 1;"
    assert answer(tmp_path, moves.replace("N", "262144"), 32, "bv").status != "safe"


# ---- when malloc fails ------------------------------------------------------------------------

LARGE = "char *p = malloc((size_t)-1 - (nondet_int() & 7)); if (p) reach_error();"
SMALL = "char *p = malloc(3); if (!p) reach_error();"
PRODUCT = "char *p = calloc((size_t)-1, 2); if (p) reach_error();"
GROWN = "char *p = malloc(3), *q = realloc(p, (size_t)-7); if (q) reach_error(); p[2] = 1; free(p);"


def allocated(folder: Path, body: str, property: str, **options: str | None) -> revet.Result:
    path = folder / "p.c"
    path.write_text(f"{HEAD}extern void reach_error(void);\nint main(void) {{\n{body}\nreturn 0; }}\n")
    return revet.check(
        path, engine="bmc", timeout=120, property=property, validate_translation="off",
        **{"malloc": "if-too-large", **options},
    )


@pytest.mark.parametrize("body", [LARGE, PRODUCT, GROWN])
def test_what_no_address_space_holds_is_not_allocated(tmp_path: Path, body: str) -> None:
    """A run in which malloc fails is a run: an answer about none of its runs is no answer."""
    assert allocated(tmp_path, body, "assertions,pointers").status == "safe"
    reached = body.replace("if (p)", "if (!p)").replace("if (q)", "if (!q)")
    found = allocated(tmp_path, reached, "assertions")
    assert found.status == "unsafe"
    assert "memory allocation fails only for more than half of the address space" in found.program.assumptions


def test_an_allocation_that_may_fail(tmp_path: Path) -> None:
    assert allocated(tmp_path, SMALL, "assertions").status == "safe"
    found = allocated(tmp_path, SMALL, "assertions", malloc="may-fail")
    assert found.status == "unsafe"
    notes = found.checked.notes if found.checked else ()
    assert any(note.startswith("confirmed by execution") for note in notes) == works_for(LP64)
    careless = "int *p = malloc(4); *p = 1; free(p);"
    assert allocated(tmp_path, careless, "pointers", malloc="may-fail").status == "unsafe"
    careful = "int *p = malloc(4); if (!p) return 1; *p = 1; free(p);"
    assert allocated(tmp_path, careful, "memory,leaks", malloc="may-fail").status == "safe"


def test_by_the_rules_of_the_competition_it_never_fails(tmp_path: Path) -> None:
    found = allocated(tmp_path, LARGE.replace("if (p)", "if (!p)"), "unreach-call", malloc=None)
    assert found.status == "safe"
    assert "memory allocation never fails" in found.program.assumptions


@pytest.mark.parametrize(("size", "said"), [("40", False), ("(unsigned long)-2", True)])
def test_that_a_size_is_possible_is_assumed(tmp_path: Path, size: str, said: bool) -> None:
    found = allocated(tmp_path, f"char *p = malloc({size}); free(p);", "assertions", malloc="never-fails")
    assert any("half of the address space" in line for line in found.program.assumptions) == said


def test_allocations_at_the_same_place_of_two_files_are_two(tmp_path: Path) -> None:
    one, other = tmp_path / "one.c", tmp_path / "other.c"
    one.write_text("extern void *malloc(unsigned long); extern char *other(void);\n"
                   "char *one(void) { return malloc(8); }\n"
                   "int main(void) { char *p = one(), *q = other(); p[7] = q[INDEX] = 1; return p == q; }\n")
    other.write_text("extern void *malloc(unsigned long);\nchar *oth(void) { return malloc(4); }\n"
                     "char *other(void) { return oth(); }\n")
    for index, status in ((3, "safe"), (4, "unsafe")):
        found = revet.check(
            [one, other], property="pointers", malloc="never-fails", defines=[f"INDEX={index}"], timeout=60
        )
        assert found.status == status, found.verdict


def test_the_objects_of_an_entry_are_there(tmp_path: Path) -> None:
    path = tmp_path / "stats.c"
    path.write_text("struct stats { int n; long sum; };\n"
                    "void add(struct stats *s, int v) { s->sum += v; s->n++; }\n"
                    "int last(int *a, unsigned n) { return a[n]; }\n")
    assert revet.check(path, property="pointers", entry="add", timeout=60).status == "safe"
    assert revet.check(path, property="pointers", entry="last", timeout=60).status == "unsafe"
