"""A program that draws nothing has one run, unless it looks at what C leaves open: addresses, padding, ..."""

from __future__ import annotations

import pytest

from revet.checker.only_run import ObservedRun
from revet.frontends.c.explore import observed
from revet.frontends.c.interpret import run
from revet.frontends.c.parse import parse_text
from revet.frontends.c.run_inputs import Listed
from revet.result import InputTrace

HEADERS = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdarg.h>\n"


def seen(text: str) -> ObservedRun:
    nothing = Listed(InputTrace((), (), "", 0))
    return observed(run(parse_text(HEADERS + text), nothing), nothing.count)


OPEN = {
    "an address as a number": "int main(void) { int x; return (uintptr_t)&x % 64 == 4; }",
    "an address in a union": "union u { int *p; unsigned long n; }; int x;\n"
                             "int main(void) { union u u; u.p = &x; return u.n % 64 == 4; }",
    "an address in a union that is passed":
        "union u { int *p; unsigned long n; }; int x; static int f(union u u) { return u.n % 64 == 4; }\n"
        "int main(void) { union u u; u.p = &x; return f(u); }",
    "an address in a union that is returned":
        "union u { int *p; unsigned long n; }; int x; union u f(void) { union u u; u.p = &x; return u; }\n"
        "int main(void) { return f().n % 64 == 4; }",
    "an address copied into a number":
        "int main(void) { int x, *p = &x; unsigned long n; memcpy(&n, &p, sizeof n); return n % 64 == 4; }",
    "the bytes of an address":
        "int main(void) { int x, *p = &x; return *(unsigned char *)&p == 4; }",
    "the bytes of an address written later":
        "int main(void) { int x, *p = 0; unsigned char *c = (unsigned char *)&p; p = &x; return *c == 4; }",
    "an address put together from two":
        "int main(void) { int x, y, *p = &x, *q = &y, *r; memcpy(&r, &p, 4);\n"
        "  memcpy((char *)&r + 4, (char *)&q + 4, 4); return r == p; }",
    "an address among the bytes of a structure":
        "struct s { int *p; int n; } s, t; int x;\n"
        "int main(void) { s.p = &x; t = s; return ((unsigned char *)&t)[0] == 4; }",
    "the end of an object": "int main(void) { int a[2], b[2]; return a + 2 == b; }",
    "a dangling pointer":
        "int main(void) { int *p = malloc(4), *q; free(p); q = malloc(4); return p == q; }",
    "padding": "struct s { char c; int i; };\n"
               "int main(void) { struct s s = {1, 2}, t = {1, 2}; return !memcmp(&s, &t, sizeof s); }",
    "padding in an array": "struct s { char c; int i; } a[2];\n"
                           "int main(void) { a[1].c = 1; return ((char *)a)[9]; }",
    "nothing allocated": "int main(void) { return malloc(0) != 0; }",
    "a number as an address": "int main(void) { return (char *)0x20000 == (char *)main; }",
    "an address among arguments":
        "static int f(int n, ...) { va_list l; va_start(l, n); unsigned long m = va_arg(l, unsigned long);\n"
        "  va_end(l); return m % 64 == 4; }\n"
        "int main(void) { int x; return f(1, &x); }",
    "bits never written":
        "struct s { int a : 3, b : 3; }; int main(void) { struct s s; s.a = 1; return s.b == 0; }",
}

DETERMINED = {
    "lists": "struct n { int k; struct n *next; };\n"
             "int main(void) { struct n *h = 0; int s = 0; for (int i = 0; i < 9; i++) {\n"
             "  struct n *n = malloc(sizeof *n); n->k = i; n->next = h; h = n; }\n"
             "  while (h) { struct n *d = h; s += h->k; h = h->next; free(d); } return s; }",
    "strings": 'int main(void) { char b[16]; strcpy(b, "one"); strcat(b, "two");\n'
               '  return strcmp(b, "onetwo") == 0 && strlen(b) == 6; }',
    "structures copied": "struct s { char c; int *p; struct { int v; } in; }; int x = 7;\n"
                         "static struct s f(struct s s) { s.in.v = *s.p; return s; }\n"
                         "int main(void) { struct s a, b; a.p = &x; b = f(a); return b.in.v + *b.p; }",
    "pointers moved": "int main(void) { int x = 1, y = 2, *a[2] = {&x, &y}, *b[2], **c;\n"
                      "  memcpy(b, a, sizeof a); c = malloc(sizeof b); memmove(c, b, sizeof b);\n"
                      "  c = realloc(c, 64); int d = *c[1] - *c[0]; free(c); return d; }",
    "pointers to pointers": "static void swap(void **a, void **b) { void *t = *a; *a = *b; *b = t; }\n"
                            "int main(void) { int x = 1, y = 2; void *p = &x, *q = &y; swap(&p, &q);\n"
                            "  return *(int *)p; }",
    "the structure around a member":
        "struct s { int a, b; };\n"
        "int main(void) { struct s s = {1, 2}; int *p = &s.b;\n"
        "  struct s *q = (struct s *)((char *)p - ((size_t)&((struct s *)0)->b)); return q == &s && q->a; }",
    "functions by pointers": "static int f(int x) { return x + 1; } static int g(int x) { return x; }\n"
                             "int main(void) { int (*t[2])(int) = {f, g}; return t[0](1) + (t[0] == t[1]); }",
    "a walk to the end": "int main(void) { int a[3] = {1, 2, 3}, s = 0;\n"
                         "  for (int *p = a; p != a + 3; p++) s += *p; return s + (a < a + 3); }",
    "addresses compared as numbers":
        "int main(void) { int x, *p = &x, *q = 0; if ((uintptr_t)p == (uintptr_t)q) return 1;\n"
        "  return (unsigned long)p != (unsigned long)((void *)0) && (uintptr_t)p != 0; }",
    "padding overwritten": "struct s { char c; int i; };\n"
                           "int main(void) { struct s s, t; memset(&s, 0, 8); memset(&t, 0, 8);\n"
                           "  s.c = t.c = 1; return !memcmp(&s, &t, sizeof s); }",
}


@pytest.mark.parametrize("what", OPEN)
def test_what_c_leaves_open_is_noticed(what):
    found = seen(OPEN[what])
    assert found.choices or found.undefined, "this run was taken for the only one"
    assert found.flaw is not None


@pytest.mark.parametrize("what", DETERMINED)
def test_pointers_alone_leave_nothing_open(what):
    assert seen(DETERMINED[what]).flaw is None


def test_a_function_without_a_body_may_call_what_it_is_given():
    text = """int g; static void f(void) { g = 1; } extern void each(void (*)(void));
    int main(void) { each(f); return g; }"""
    assert "may call" in seen(text).flaw
