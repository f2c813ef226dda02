"""Proofs about memory: terminators of strings and lists of any length; and nothing wrong is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.invariants.tight import bounds_met
from revet.logic.arith import le, sub
from revet.logic.core import const, var
from revet.logic.sorts import INT
from revet.logic.terms import Op
from revet.logic.walk import subterms
from revet.result import LocationInvariants, Safe
from tests.models import AUTOMATA, Tiny

HEAD = """typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t), *realloc(void *, size_t), free(void *);
extern int nondet(void); extern char nondet_char(void);
struct node { int value; struct node *next; };
"""
PREPEND = """struct node *head = 0;
  while (nondet()) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = head; head = n; }"""
APPEND = """struct node *head = malloc(sizeof *head), *end = head; head->next = 0; head->value = 1;
  while (nondet()) {
    end->next = malloc(sizeof *head); end = end->next; end->next = 0; end->value = 1;
  }"""
WALK = "for (struct node *p = head; p; p = p->next) if (p->value != 1) return 1;"
FREE = "while (head) { struct node *n = head->next; free(head); head = n; }"
MARKED = """struct node *head = malloc(sizeof *head), *end = head;
  while (nondet()) { end->value = 1; end->next = malloc(sizeof *head); end = end->next; }
  end->value = 2; end->next = 0;
  for (struct node *p = head; p->value != 2; p = p->next) ;"""
REVERSE = """struct node *before = 0, *p = head;
  while (p) { struct node *n = p->next; p->next = before; before = p; p = n; }
  head = before;"""
STRING = """int n = nondet(); if (n < 1) n = 1;
  char *s = __builtin_alloca(n);
  for (int i = 0; i < n - 1; i++) s[i] = nondet_char();
  s[n - 1] = 0;
  """
GROWN = """int most = nondet(), size = 0, *a; if (most < 1 || most > 1000) return 0;
  a = malloc(4);
  while (size < most) { size++; a = realloc(a, size * sizeof *a); a[size - 1] = size; }
  free(a);"""
RIGHT = {
    "prepended": (PREPEND, WALK, FREE),
    "appended": (APPEND, WALK, FREE),
    "marked": (MARKED, FREE),
    "reversed": (APPEND, REVERSE, FREE),
    "length": (STRING, "const char *p = s; while (*p) p++; return p - s;"),
    "grown": (GROWN,),
    "spanned": (STRING, """const char *p = s, *q; char c, x;
  next: c = *p++; for (q = s; (x = *q++) != 0;) if (x == c) goto next;"""),
    "copied": (STRING, "char *d = __builtin_alloca(n), *t = d; const char *p = s; while ((*t++ = *p++)) ;"),
}
STACK = """struct node *top = 0;
  while (nondet()) {
    if (nondet()) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = top; top = n; }
    else if (top) { struct node *n = top; top = n->next; free(n); }
  }"""
QUEUE = """struct node *first = 0, *last = 0;
  while (nondet()) {
    if (nondet()) {
      struct node *n = malloc(sizeof *n); n->next = 0;
      if (last) last->next = n; else first = n;
      last = n;
    } else if (first) {
      struct node *n = first; first = n->next; if (!first) last = 0; free(n);
    }
  }"""
DOUBLY = """struct both { struct both *next, *prev; } *head = 0;
  while (nondet()) {
    struct both *n = malloc(sizeof *n); n->next = head; n->prev = 0; if (head) head->prev = n; head = n;
  }
  while (head && head->next && nondet()) {
    struct both *n = head->next; head->next = n->next; if (n->next) n->next->prev = head; free(n);
  }"""
VECTOR = """unsigned size = 0, room = 0; int *a = 0;
  for (int i = 0; i < 20; i++)
    if (nondet()) {
      if (size == room) { room = room ? 2 * room : 4; a = realloc(a, room * sizeof *a); }
      a[size++] = i;
    } else if (size) size--;"""
SORTED = """struct node *head = 0;
  while (nondet()) {
    struct node *n = malloc(sizeof *n); n->value = nondet();
    if (!head || head->value >= n->value) { n->next = head; head = n; }
    else {
      struct node *p = head;
      while (p->next && p->next->value < n->value) p = p->next;
      n->next = p->next; p->next = n;
    }
  }"""
LINKS = """struct node *head = 0, **end = &head;
  while (nondet()) {
    struct node *n = malloc(sizeof *n); n->value = nondet(); n->next = 0; *end = n; end = &n->next;
  }
  for (struct node **p = &head; *p;)
    if ((*p)->value < 0) { struct node *n = *p; *p = n->next; free(n); } else p = &(*p)->next;"""
FREED = {  # in another order than that of the addresses: leaks are not asked about
    "stack": (STACK, "while (top) { struct node *n = top->next; free(top); top = n; }"),
    "queue": (QUEUE,),
    "vector": (VECTOR, "free(a);"),
    "inserted": (SORTED, FREE),
    "links": (LINKS, FREE),
}
FREED_WRONG = {
    "popped and read": (STACK.replace("top = n->next; free(n);", "free(n); top = n->next;"),),
    "popped and kept": (STACK.replace("top = n->next; free(n);", "free(n);"),),
    "last is kept": (QUEUE.replace("if (!first) last = 0;", ""),),
    "no last": (QUEUE.replace("n->next = 0;", ""),),
    "prev is kept": (
        DOUBLY.replace("if (n->next) n->next->prev = head;", ""),
        "if (head && head->next) head->next->prev->next = 0;",
    ),
    "too small": (VECTOR.replace("size == room", "size > room"),),
    "beyond the end": (SORTED.replace("p->next && p->next->value", "p->next->value"),),
    "link is kept": (LINKS.replace("*p = n->next; free(n);", "free(n); p = &n->next;"), FREE),
    "not larger": (VECTOR.replace("room * sizeof", "4 * sizeof"),),
}
WRONG = {
    "not freed": (PREPEND, WALK, "if (head) head = head->next;", FREE),
    "read after free": (PREPEND, "while (head) { free(head); head = head->next; }"),
    "no mark": (MARKED.replace("value = 2", "value = 1"), FREE),
    "lost": (APPEND, REVERSE.replace("head = before;", ""), FREE),
    "no end": (APPEND.replace("end->next = 0; end->value", "end->value"), WALK, FREE),
    "freed twice": (APPEND, "struct node *first = head;", FREE, "free(first);"),
    "no terminator": (STRING.replace("s[n - 1] = 0;", ""), "const char *p = s; while (*p) p++;"),
    "not grown": (GROWN.replace("a[size - 1]", "a[size]"),),
    "no room": (STRING, "char *d = __builtin_alloca(n), *t = d + 1;", "char *p = s; while ((*t++ = *p++)) ;"),
}


def answer(
    folder: Path, parts: tuple[str, ...], engine: str, asked: str = "valid-memsafety"
) -> revet.Result:
    path = folder / "p.c"
    path.write_text(HEAD + "int main(void) {\n  " + "\n  ".join(parts) + "\n  return 0;\n}\n")
    return revet.check(
        path, engine=engine, timeout=120, property=asked, data_model="ilp32",
        validate_translation="off", malloc="never-fails",
    )


@pytest.mark.parametrize("name", FREED)
def test_blocks_are_freed_in_any_order(tmp_path: Path, name: str) -> None:
    assert answer(tmp_path, FREED[name], "shapes", "memory").status == "safe"


@pytest.mark.parametrize("name", FREED_WRONG)
def test_what_is_read_after_it_was_freed_is_not_proved(tmp_path: Path, name: str) -> None:
    assert answer(tmp_path, FREED_WRONG[name], "shapes", "memory").status == "unknown"


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_are_proved(tmp_path: Path, name: str) -> None:
    found = answer(tmp_path, RIGHT[name], "shapes")
    assert found.status == "safe", found.verdict
    assert found.checked is not None and found.checked.accepted
    assert isinstance(found.verdict, Safe) and isinstance(found.verdict.certificate, LocationInvariants)
    if name in ("prepended", "appended"):
        formulas = found.verdict.certificate.formulas.values()
        assert any(node.op == Op.FORALL for formula in formulas for node in subterms(formula))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_not(tmp_path: Path, name: str) -> None:
    assert answer(tmp_path, WRONG[name], "shapes").status == "unknown"


@pytest.mark.parametrize("name", ["not freed", "read after free", "freed twice"])
def test_their_faults_are_there(tmp_path: Path, name: str) -> None:
    assert answer(tmp_path, WRONG[name], "bmc").status == "unsafe"


@pytest.mark.parametrize("tiny", AUTOMATA, ids=lambda tiny: tiny.name)
def test_tiny_models(tiny: Tiny) -> None:
    """What is unsafe it never calls safe; most models have no arrays, and it says so at once."""
    found = revet.check(tiny.model, engine="shapes", timeout=20)
    assert found.status == "unknown" or (found.status == "safe" and tiny.safe)


def test_blocks_without_end(tmp_path: Path) -> None:
    """A program may allocate and free for ever: addresses do not run out in a proof."""
    body = ("while (nondet()) { int *p = malloc(4); *p = 1; free(p); }",)
    assert answer(tmp_path, body, "shapes").status == "safe"


def test_bounds_are_those_that_samples_meet() -> None:
    x, y, z = (var(name, INT) for name in "xyz")
    met = bounds_met({x: [1, 2, 5, 0], y: [2, 3, 6, 9], z: [7, 7, 7, 7]})
    assert le(sub(x, y), const(-1, INT)) in met and le(sub(y, x), const(9, INT)) not in met
    assert bounds_met({x: [1, 2], y: [2, 3]}) == []  # an equation, not a bound
