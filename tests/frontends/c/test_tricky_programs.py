"""Short programs that once got no answer: the claim holds, and its opposite does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.errors import Unsupported

HEAD = """#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#define CLAIM(c) assert(c)
extern int nondet_int(void);
"""
# The claim is the last assertion.
PROGRAMS = {
    "offsetof in a macro that becomes a text": """struct s { char a; int b; short d; };
        int main(void) { CLAIM(offsetof(struct s, d) == 8); return 0; }""",
    "offsetof of a type that an expression has": """struct s { char a; int b; };
        int main(void) { struct s x; CLAIM(offsetof(typeof(x), b) == 4); return 0; }""",
    "lines with another number": """
#line 7
        struct s { int a; struct { int b, c; }; };
        int main(void) { struct s x = { 1, { 2, 3 } }; struct { int q; } y = { 4 };
        CLAIM(x.c == 3 && y.q == 4); return 0; }""",
    "lines that are asked for": """
#line 1000 "other.y"
        int main(void) { CLAIM(__LINE__ == 1000 && __FILE__[0] == 'o'); return 0; }""",
    "a compound literal that a pointer outlives": """int main(void) { int *p[2], n = 0;
        if (nondet_int()) { p[1] = &(int){ 4 }; n = ++*p[1]; } CLAIM(n == 0 || n == 5); return 0; }""",
    "declared alignment": """static _Alignas(64) char a[3];
        int main(void) { char b[2] __attribute__((aligned(32)));
        CLAIM((uintptr_t)a % 64 == 0 && (uintptr_t)&b[1] % 32 == 1); return 0; }""",
    "objects of each thread": """static _Thread_local int t = 3;
        int main(void) { t++; CLAIM(t == 4); return 0; }""",
    "a union whose members another object mixes": """struct s { int a; union { int d; char e; }; };
        int main(void) { struct s x = { 1, { 5 } }; int last = 7; x.e = 3;
        for (int i = 0; i < 2; i++) { struct s y = { .d = 4 }; last = y.a; y.a = 44; }
        CLAIM(x.d == 3 && last == 0); return 0; }""",
    "bit-fields beside such a union": """struct s { unsigned a : 4; struct { unsigned b : 4, c : 8; };
          union { unsigned d : 8; unsigned char e; }; };
        int main(void) { struct s x = { .d = 6 }; x.e = 255; struct s y[2] = { [1] = { .c = 44 } };
        CLAIM(x.d == 255 && y[1].c == 44 && y[0].c == 0); return 0; }""",
}
NEW = {  # of C23
    "null pointers": """static int is(nullptr_t n, int *p) { return p == n; }
        int main(void) { int x, *p = nullptr; typeof(nullptr) q = nullptr; p = q;
        CLAIM(!p && !nullptr && is(q, p) && !is(nullptr, &x) && sizeof(nullptr) == 8); return 0; }""",
    "truth values": """int main(void) { bool b = true; b = b && !false;
        CLAIM(b == true && sizeof(true) == 1); return 0; }""",
}


def answers(folder: Path, text: str, **options: object) -> list[str]:
    file = folder / "program.c"
    file.write_text(HEAD + text)
    return [
        revet.check(file, timeout=60, data_model="lp64", **options).status,  # type: ignore[arg-type]
        revet.check(file, timeout=60, data_model="lp64", engine="bmc", **options).status,  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("name", [*PROGRAMS, *NEW])
def test_the_claim_holds_and_its_opposite_does_not(tmp_path: Path, name: str) -> None:
    text = PROGRAMS.get(name) or NEW[name]
    options = {"standard": "gnu23"} if name in NEW else {}
    assert answers(tmp_path, text, **options) == ["safe", "safe"]
    assert answers(tmp_path, text.replace("CLAIM(", "CLAIM(!(").replace("); return 0", ")); return 0"),
                   **options)[1] == "unsafe"


def test_an_effect_in_the_length_of_a_parameter_is_refused(tmp_path: Path) -> None:
    """It happens when the function is entered, and clang's tree does not have it."""
    text = """int c; static int f(int n, int a[%s]) { return a[n - 1]; }
    int main(void) { int x[3] = { 1, 2, 3 }; CLAIM(f(3, x) == 3 && c == 0); return 0; }"""
    for length in ("n", "static 1", "n == 3 ? n : sizeof(int)"):
        assert answers(tmp_path, text % length)[0] == "safe"
    for length in ("(c++, n)", "c = n", "nondet_int()"):
        with pytest.raises(Unsupported, match="an effect in the length of a parameter"):
            answers(tmp_path, text % length)
