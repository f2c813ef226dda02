"""Addresses of local variables: those that stay cost nothing, those that leave are followed."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

HEAD = """
#include <stdlib.h>
extern int any(void);
struct node { int v; struct node *next; };
static struct node *kept;
static struct node **slot;
static struct node *same(struct node *n) { return n; }
static struct node gone(struct node *n) { struct node p = {0, n}, q = {0, &p}; return q; }
static void keep(struct node *n) { kept = n; }
static int sum(struct node *n) { int s = 0; for (; n; n = n->next) s = (s + n->v) & 255; return s; }
"""
# Each is the body of ``static struct node *f(struct node *list)``.
STAYS = {
    "a pointer to the pointer": (
        "struct node **p = &list; while (*p && (*p)->v < 3) p = &(*p)->next;"
        " struct node *n = malloc(sizeof *n); if (!n) return list;"
        " n->v = any(); n->next = *p; *p = n; return list;"
    ),
    "a dummy in front": (
        "struct node head = {0, list}, *last = &head; while (last->next) last = last->next;"
        " struct node *n = malloc(sizeof *n); if (n) { n->v = any(); n->next = 0; last->next = n; }"
        " return head.next;"
    ),
    "an argument": "struct node here = {any(), list}; if (sum(&here) == 300) abort(); return list;",
    "moved and compared": (
        "struct node two[2] = {{1, list}, {2, list}}, *p = two; p += 1; --p; p++;"
        " if (p == two || !p || p - two != 1) abort(); return p->next;"
    ),
    "by a conditional and a comma": (
        "struct node a = {1, list}, b = {2, list}, *p = any() ? &a : (0, &b); return p->next;"
    ),
    "by a statement expression": "struct node a = {1, list}; return ({ struct node *p = &a; p; })->next;",
}
LEAVES = {
    "in a global": "struct node here = {1, list}; kept = &here; return list;",
    "through a parameter": "struct node here = {1, list}; keep(&here); return list;",
    "as the result": "struct node here = {1, list}, *p = &here; struct node *q = p; return q;",
    "as the result of another": "struct node here = {1, list}; return same(&here);",
    "in allocated memory": (
        "struct node here = {1, list}; struct node *n = malloc(sizeof *n); if (!n) return list;"
        " n->v = 1; n->next = &here; return n;"
    ),
    "in a block's own scope": (
        "struct node *p = list; { struct node here = {1, list}; p = &here; } return p ? p->next : 0;"
    ),
    "through the address of its holder": (
        "struct node *p = 0, **q = &p; { struct node here = {1, list}; *q = &here; } return p->next;"
    ),
    "as a number": (
        "struct node here = {1, list}; unsigned long n = (unsigned long)&here; return (struct node *)n;"
    ),
    "in a structure": (
        "struct pair { struct node *a; } s; { struct node here = {1, list}; s = (struct pair){&here}; }"
        " return s.a->next;"
    ),
    "as the value of its block": (
        "return ({ struct node here = {1, list}; struct node *p = &here; p; })->next;"
    ),
    "in the value of its block": (
        "return ({ struct node here = {1, list}; struct node on = {2, &here}; on; }).next->next;"
    ),
    "an unnamed one": "struct node *p; { p = &(struct node){1, list}; } return p->next;",
    "in the result of another": "return gone(list).next->next;",
    "the address of a parameter": "slot = &list; return list;",
}
MAIN = """
int main(void) {{
    struct node *list = 0;
    for (int i = 0; i < {calls}; i++) list = f(list);
    if (kept) list = kept;
    if (slot) list = *slot;
    for (int i = 0; list && i < 3; i++, list = list->next) any();
}}
"""


def program(body: str, calls: int) -> str:
    return f"{HEAD}static struct node *f(struct node *list) {{ {body} }}{MAIN.format(calls=calls)}"


@pytest.mark.parametrize("how", STAYS)
def test_addresses_that_stay_have_no_second_life(tmp_path: Path, how: str) -> None:
    path = tmp_path / "p.c"
    path.write_text(program(STAYS[how], calls=2))
    answer = revet.check(path, property="pointers", engine="bmc", timeout=120)
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize("how", LEAVES)
def test_addresses_that_leave_are_followed(tmp_path: Path, how: str) -> None:
    """What reads the variable when it is gone is found."""
    path = tmp_path / "p.c"
    path.write_text(program(LEAVES[how], calls=1))
    answer = revet.check(path, property="pointers", engine="bmc", timeout=120)
    assert answer.status == "unsafe", answer.verdict
