"""The interpreter of C source: values, memory, control flow, and undefined behaviour."""

from __future__ import annotations

from typing import Any

import pytest

from revet.frontends.c.interpret import Draw, Outcome, Random, Recorded, run
from revet.frontends.c.parse import parse_text
from revet.frontends.c.types import ILP32, LP64, DataModel, Int

INT = Int(32, True)


def outcome(text: str, *values: Any, model: DataModel = ILP32, **options: Any) -> Outcome:
    program = parse_text(text, model=model)
    draws = Recorded(Draw("__VERIFIER_nondet_int", value, INT) for value in values)
    return run(program, draws, **options)


def status(body: str, *values: Any, model: DataModel = ILP32, before: str = "") -> int:
    declarations = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long);"
    text = f"{declarations}\n{before}\nint main(void) {{ {body} }}"
    ended = outcome(text, *values, model=model)
    assert ended.kind == "exit", ended
    assert not ended.undefined, ended.undefined
    return ended.status


EXPRESSIONS = [
    ("(unsigned char)300", 44),
    ("(signed char)200 == -56", 1),
    ("-7 / 2 == -3 && -7 % 2 == -1", 1),
    ("(-1 < 1u)", 0),
    ("(unsigned short)-1 > 0", 1),
    ("(unsigned char)255 + 1 == 256", 1),
    ("0u - 1 == 4294967295u", 1),
    ("~0u >> 28", 15),
    ("-16 >> 2 == -4", 1),
    ("(1ll << 40) / (1 << 20) == 1 << 20", 1),
    ("sizeof(long) + sizeof(char *)", 8),
    ("(_Bool)0.5 + (_Bool)2", 2),
    ("(int)3.99 + (int)-3.99", 0),
    ("(float)16777217 == 16777216.0f", 1),
    ("0.1 + 0.2 == 0.3", 0),
    ("0.1f == 0.1", 0),
    ("(1.0L / 3) * 3 == 1.0L", 1),
    ("1 ? 5 : 1 / 0", 5),
    ("(0 && 1 / 0) || 1", 1),
    ("(1, 2, 3)", 3),
    ("'a'", 97),
    ("({ int t = 4; t * t; })", 16),
]


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS)
def test_expressions(expression: str, expected: int) -> None:
    assert status(f"return {expression};") == expected


BODIES = {
    "loop": ("int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; s += i; } return s;", 7),
    "do": ("int i = 0; do i++; while (i < 4); return i;", 4),
    "goto": ("int i = 0; again: if (i < 6) { i += 2; goto again; } return i;", 6),
    "switch": (
        ("int r = 0; switch (3) { case 1: r = 1; case 3: r = 3; case 4: r += 4; break; default: r = 9; }"
        "return r;"),
        7,
    ),
    "array": ("int a[2][3] = {{1, 2, 3}, {4}}; return a[1][0] * 10 + a[1][2] + a[0][1];", 42),
    "pointer": ("int a[4] = {1, 2, 3, 4}; int *p = a + 1; *p++ += 5; return (p - a) * 10 + a[1];", 27),
    "string": ('char s[] = "ab"; return sizeof s * 10 + (s[1] == 98);', 31),
    "struct": ("struct { char c; int x; } a = {1, 2}, b = a; b.x += 3; return b.x * 10 + sizeof a;", 58),
    "union": ("union { unsigned w; char b[4]; } u; u.w = 0x01020304; return u.b[0] * 10 + u.b[3];", 41),
    "bits": ("struct { unsigned a:3; int b:2; } s; s.a = 13; s.b = 3; return s.a * 10 + (s.b == -1);", 51),
    "heap": ("int *p = malloc(3 * sizeof(int)); p[2] = 5; int **q = &p; return (*q)[2];", 5),
    "address": ("int x = 1; int *p = &x; *p = 8; return x;", 8),
    "compound": ("unsigned char c = 250; c += 10; short s = 1; s <<= 3; return c * 10 + s;", 48),
    "elements": (
        ("struct { int x; short y; } a[3], b = {4, 5}; a[1] = b; a[2] = a[1]; short s[2]; s[1] = 70000;"
        "return a[2].x * 10 + a[2].y + (s[1] == 4464);"),
        46,
    ),
    "values": ("int a[2], i = 0; int j = (a[i++] = 7); j += a[0] + (a[1] = i); return j * 10 + i;", 151),
    "decisions": (
        ("double n = 0.0; n = n / n; if (n < 1 || n >= 1 || n == n) return 1; unsigned u = 0; int s = -1;"
        "if (s < u) return 2; while (s != 3) s++; return n != n && s > 2 ? s : 4;"),
        3,
    ),
    "postfix": ("int i = 5; int j = i++ * 10 + i--; return j + i;", 61),
}


@pytest.mark.parametrize("name", BODIES)
def test_statements(name: str) -> None:
    body, expected = BODIES[name]
    assert status(body) == expected


def test_function_pointers_and_recursion() -> None:
    before = """
    static int twice(int (*f)(int), int x) { return f(f(x)); }
    static int add(int x) { return x + 3; }
    int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
    """
    assert status("return twice(add, 1) + (depth(20000) == 20000);", before=before) == 8


def test_static_locals_keep_their_value() -> None:
    before = "int next(void) { static int n = 5; return n++; }"
    assert status("next(); next(); return next();", before=before) == 7


def test_variadic_functions() -> None:
    before = """
    int sum(int n, ...) {
      __builtin_va_list list; int s = 0; __builtin_va_start(list, n);
      while (n--) s += __builtin_va_arg(list, int);
      __builtin_va_end(list); return s; }
    """
    assert status("return sum(3, 10, 20, 12);", before=before, model=LP64) == 42


def test_arrays_of_variable_length() -> None:
    body = "int n = __VERIFIER_nondet_int(); int a[n]; a[n - 1] = 7; return a[n - 1];"
    assert status(body, 3) == 7
    text = f"int __VERIFIER_nondet_int(void); int main(void) {{ {body.replace('a[n - 1] = 7', 'a[n] = 7')} }}"
    assert outcome(text, 3).kind == "undefined"
    assert outcome(text, -1).kind == "undefined"


def test_deep_expressions_do_not_overflow_the_stack() -> None:
    assert status("return " + "(" * 2000 + "1" + " + 1)" * 2000 + " == 2001;") == 1


def test_values_are_drawn_in_order() -> None:
    body = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return a * 10 + b;"
    assert status(body, 4, 2) == 42


def test_asking_for_more_values_than_recorded_is_a_mismatch() -> None:
    text = "int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int(); }"
    assert outcome(text).kind == "mismatch"
    assert outcome(text.replace("int main", "int other(void); int main"), 3).kind == "exit"


UNDEFINED = [
    ("int x = 2147483647; x = x + 1;", "overflow", "exit"),
    ("int x = -2147483647 - 1; x = -x;", "overflow", "exit"),
    ("int x = -2147483647 - 1; x--;", "overflow", "exit"),
    ("int x = 1; x = x << 40;", "shift", "exit"),
    ("int x = 0; x = 1 / x;", "division", "undefined"),
    ("int *p = 0; *p = 1;", "dereference", "undefined"),
    ("int a[3]; int i = 3; a[i] = 1;", "index", "undefined"),
    ("int a[3] = {0}; int i = -1; i = a[i];", "index", "undefined"),
    ("int a[3]; int i = a[1];", "uninitialised", "exit"),
    ("int i; i++;", "uninitialised", "exit"),
    ("int *p = malloc(8); p[2] = 1;", "dereference", "undefined"),
    ("int *p = malloc(8); free(p); *p = 1;", "dereference", "undefined"),
    ("int *p = malloc(8); free(p); free(p);", "free", "undefined"),
    ("int *p; { int x = 1; p = &x; } int y = f(&p); *p = y;", "dereference", "undefined"),
    ("int x; if (x) return 1;", "uninitialised", "exit"),
    ("int x = (int)1e30;", "conversion", "exit"),
    ("void (*g)(void) = 0; g();", "call", "undefined"),
]


@pytest.mark.parametrize(("body", "kind", "ending"), UNDEFINED)
def test_undefined_behaviour_is_reported_with_its_place(body: str, kind: str, ending: str) -> None:
    text = (
        "void *malloc(unsigned); void free(void *);\n"
        "int f(int **p) { int y = 2; *p = &y; return y; }\n"
        f"int main(void) {{ {body} return 0; }}"
    )
    ended = outcome(text)
    assert ended.kind == ending, ended
    assert [met.kind for met in ended.undefined] == [kind]
    assert ended.undefined[0].at.line == 3


def test_overflow_is_the_error_where_the_property_says_so() -> None:
    text = "int main(void) { unsigned u = 4294967295u; u++; int x = 2147483647;\n x += 1; return 0; }"
    ended = outcome(text, stop_at=("overflow",))
    assert (ended.kind, ended.at and ended.at.line) == ("error", 2)


def test_error_and_assumption() -> None:
    text = """
    int __VERIFIER_nondet_int(void); void __VERIFIER_error(void); void __VERIFIER_assume(int);
    void reach_error(void) { }
    int main(void) {
      int x = __VERIFIER_nondet_int();
      __VERIFIER_assume(x != 1);
      if (x == 2) __VERIFIER_error();
      if (x == 3) reach_error();
      return 0;
    }"""
    assert [outcome(text, x).kind for x in range(5)] == ["exit", "assume", "error", "error", "exit"]


def test_limits_hold() -> None:
    assert outcome("int main(void) { for (;;) ; }", max_steps=10_000).kind == "limit"
    endless = "int f(int x) { return f(x + 1) + 1; } int main(void) { return f(0); }"
    assert outcome(endless, max_steps=100_000).kind == "limit"


def test_random_draws_are_repeatable() -> None:
    program = parse_text(
        "int __VERIFIER_nondet_int(void); int main(void) { int s = 0, i;"
        "for (i = 0; i < 9; i++) s ^= __VERIFIER_nondet_int(); return s; }"
    )
    first, second = Random(7), Random(7)
    assert run(program, first) == run(program, second)
    assert run(program, Recorded(first.given)).status == run(program, Random(7)).status
