"""Parameters that get a constant and keep it: ``p->member`` is a variable then, not a choice by address."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.frontends.c import load
from revet.model.cfa import Cfa

_QUEUE = """
#include <assert.h>
struct queue { int buf[4]; int head, tail, count; };
static int put(struct queue *q, int v) {
  if (q->count == 4) return 0;
  q->buf[q->tail] = v; q->tail = (q->tail + 1) % 4; q->count++;
  return 1;
}
static int get(struct queue *q, int *v) {
  if (!q->count) return 0;
  *v = q->buf[q->head]; q->head = (q->head + 1) % 4; q->count--;
  return 1;
}
static void move(struct queue *from, struct queue *to) { int v; if (get(from, &v)) put(to, v); }
"""
_BODIES = {
    "two queues": "struct queue a = {{0}, 0, 0, 0}, b = a; int v = 0; put(&a, 7); put(&a, 8); move(&a, &b);"
        " move(&a, &b); move(&a, &b); assert(%s(get(&b, &v) && v == 7 && b.count == 1 && a.count == 0));",
    "another object on the way": "struct queue a = {{0}, 0, 0, 0}, b = a; other(&a, &b, 1);"
        " assert(%s(b.count == 9 && a.count == 0));",
    "its address taken": "assert(%s(changed(3) == 8));",
    "recursive": "int n = 0; down(&n, 3); assert(%s(n == 6));",
    "moved in a loop": "int a[3] = {1, 2, 3}; *last(a, 2) = 5; assert(%s(a[2] == 5 && a[1] == 2));",
    "two names of one object": "int a[3] = {0}; assert(%s(both(a, a + 1, 1) == 2));",
}
_OTHERS = """
static void other(struct queue *p, struct queue *q, int c) { if (c) p = q; p->count = 9; }
static int changed(int v) { int *p = &v; *p += 5; return v; }
static void down(int *sum, int k) { if (k) { *sum += k; down(sum, k - 1); } }
static int *last(int *p, int k) { while (k-- > 0) p++; return p; }
static int both(int *p, int *q, int i) { p[i] = 1; q[0] = 2; return p[i]; }
"""


@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES)
def test_what_functions_do_with_them(tmp_path: Path, body: str, right: bool) -> None:
    file = tmp_path / "parameters.c"
    file.write_text(f"{_QUEUE}{_OTHERS}int main(void) {{ {body % ('' if right else '!')} return 0; }}")
    program = load([file], {"data_model": "lp64", "property": "assertions"})
    answer = solve(program, "bmc", context=Context(budget=Budget(60)))
    assert answer.status == ("safe" if right else "unsafe"), answer.reason


def test_members_behind_them_are_variables(tmp_path: Path) -> None:
    """Of an array behind one the index chooses; no address of an object is left in the model."""
    file = tmp_path / "queue.c"
    file.write_text(_QUEUE + """
extern int nondet_int(void);
int main(void) { struct queue a = {{0}, 0, 0, 0}; while (nondet_int()) put(&a, nondet_int()); return 0; }""")
    model = load([file], {"data_model": "lp64"}).model
    assert isinstance(model, Cfa)
    guards = [str(model.relation(edge).guard) for edge in model.edges]
    assert any("main::a.tail" in guard for guard in guards)
    assert not any(str(1 << 40)[:6] in guard for guard in guards), guards
