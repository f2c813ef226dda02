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
    "copied": (STRING, "char *d = __builtin_alloca(n), *t = d; const char *p = s; while ((*t++ = *p++)) ;"),
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


def answer(folder: Path, parts: tuple[str, ...], engine: str) -> revet.Result:
    path = folder / "p.c"
    path.write_text(HEAD + "int main(void) {\n  " + "\n  ".join(parts) + "\n  return 0;\n}\n")
    return revet.check(
        path, engine=engine, timeout=120, property="valid-memsafety", data_model="ilp32",
        validate_translation="off",
    )


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
