"""Answers that depend on memory: what may be is not excluded, and what C leaves open decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported

HEAD = """
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
typedef __SIZE_TYPE__ size_t; void *malloc(size_t);
#define CHECK(e) do { if (!(e)) reach_error(); } while (0)
"""

UNSAFE = {
    "pointers from outside may be equal": """extern int *get(void);
      int main(void) { int *p = get(), *q = get();
        if (!p || !q) return 0; *p = 1; *q = 2; CHECK(*p == 1); }""",
    "a variable defined elsewhere": "extern int x; int main(void) { CHECK(x == 0); }",
    "an array defined elsewhere": """struct s { signed char b; unsigned char a; }; extern struct s arr[40];
      int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 40) return 0;
        struct s *p = &arr[i]; CHECK(p->a < 128); }""",
    "the number of arguments": "int main(int argc, char **argv) { CHECK(argc != 3); }",
    "a function without a body through a pointer": """extern int other(int);
      int main(void) { int (*f)(int) = other; CHECK(f(3) != 5); }""",
}

SAFE = {
    "the number of arguments is not negative": "int main(int argc, char **argv) { CHECK(argc >= 0); }",
    "pointers into one object": """int a[4]; int main(void) { int s = 0;
      for (int *p = a; p < a + 4; p++) s++; CHECK(s == 4); }""",
    "an uninitialised variable is one value": "int main(void) { int x; int y = x; CHECK(y == x); }",
}

OPEN = {  # not safe, and no run shows that they are not
    "order of objects": "int a, b; int main(void) { int *p = &a, *q = &b; CHECK(p < q); }",
    "the other order of objects": "int a, b; int main(void) { int *p = &a, *q = &b; CHECK(p > q); }",
    "equal literals": 'int main(void) { const char *p = "abc", *q = "abc"; CHECK(p != q); }',
    "one literal": 'int main(void) { const char *p = "xabc", *q = "abc"; CHECK(p + 1 == q); }',
}

POSSIBLE = {  # the violation exists; not every engine can show it
    "a large block": """int main(void) { unsigned n = __VERIFIER_nondet_uint(); char *p = malloc(n);
      CHECK(n <= 0x10000000u); }""",
    "an object that others may name": """extern int *get(void); int g;
      int main(void) { int *p = get(); if (!p) return 0; g = 1; *p = 2; CHECK(g == 1); }""",
    "malloc through a pointer": """static void *(*alloc)(size_t) = malloc;
      int main(void) { int *p = alloc(sizeof *p); *p = __VERIFIER_nondet_int(); CHECK(*p != 12345678); }""",
}


def status(folder: Path, text: str, *engines: str) -> str:
    path = folder / "program.c"
    path.write_text(HEAD + text)
    chosen = engines[0] if engines else "bmc"
    return revet.check(path, engine=chosen, timeout=60, property="assertions", malloc="if-too-large").status


@pytest.mark.parametrize("name", UNSAFE)
def test_what_may_be_is_found(tmp_path: Path, name: str) -> None:
    assert status(tmp_path, UNSAFE[name]) == "unsafe"


@pytest.mark.parametrize("name", SAFE)
def test_what_cannot_be_is_proved(tmp_path: Path, name: str) -> None:
    assert status(tmp_path, SAFE[name], "kind") == "safe"


@pytest.mark.parametrize("name", OPEN)
def test_what_is_left_open_decides_nothing(tmp_path: Path, name: str) -> None:
    assert status(tmp_path, OPEN[name]) == "unknown"


@pytest.mark.parametrize("name", POSSIBLE)
def test_what_is_possible_is_not_excluded(tmp_path: Path, name: str) -> None:
    assert status(tmp_path, POSSIBLE[name]) in ("unknown", "unsafe")


def test_what_compilers_differ_in_is_refused(tmp_path: Path) -> None:
    field = "struct s { unsigned long long f : 40; }; int main(void) { struct s s; s.f = 0xffffffffff;"
    with pytest.raises(Unsupported, match="wider than int"):
        status(tmp_path, f"{field} CHECK(s.f + 1 == 0x10000000000); }}")
    copied = f"{field} unsigned long long v = s.f; CHECK(v + 1 == 0x10000000000); }}"
    assert status(tmp_path, copied, "kind") == "safe"
