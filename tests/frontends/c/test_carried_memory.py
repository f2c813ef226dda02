"""What memory holds in a counterexample reaches the interpreter: blocks, structures, what is outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.driver.answer import Answer
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends.registry import load

HEAD = """\
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void __VERIFIER_error(void);
struct cipher { int valid; unsigned algorithms; };
struct state { int number; struct cipher *cipher; struct state *next; };
"""

# Each reaches the error only with the right values in memory that nobody has written.
UNSAFE = {
    "member of a structure behind a drawn pointer": """\
int main(void) {
  struct cipher *c = __VERIFIER_nondet_pointer();
  if (c->algorithms == 77) __VERIFIER_error();
  return 0;
}""",
    "pointer in a block leads outside": """\
int main(void) {
  struct state *s = malloc(sizeof(struct state));
  s->number = 3;
  if (s->cipher->algorithms == 256u && s->cipher->valid == 12) __VERIFIER_error();
  return 0;
}""",
    "different classes of memory at one address": """\
int main(void) {
  struct state *s = __VERIFIER_nondet_pointer();
  int *p = __VERIFIER_nondet_pointer();
  if (s->number == 5 && *p == 6 && s->cipher->valid == 7) __VERIFIER_error();
  return 0;
}""",
    "blocks made in a loop": """\
int main(void) {
  struct state *first = 0;
  for (int i = 0; i < 3; i++) {
    struct state *s = malloc(sizeof(struct state));
    s->next = first;
    first = s;
  }
  if (first->number == 30 && first->next->number == 20 && first->next->next->number == 10) __VERIFIER_error();
  return 0;
}""",
    "a chain outside": """\
int main(void) {
  struct state *s = __VERIFIER_nondet_pointer();
  if (s && s->next && s->next != s && s->next->number == s->number + 9 && s->number > 4) __VERIFIER_error();
  return 0;
}""",
    "structures in arrays that pointers reach": """\
int read(struct cipher *c) { return c->valid; }
int main(void) {
  struct cipher all[3];
  int i = __VERIFIER_nondet_int();
  if (i < 1 || i > 2) return 0;
  if (read(all + i) == 41 && all[i].algorithms == 43) __VERIFIER_error();
  return 0;
}""",
    "bytes of an integer": """\
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 2) return 0;
  unsigned char *block = malloc(4 * n);
  unsigned word = *(unsigned *)block;
  if (word == 0x01020304u && block[3] == 1) __VERIFIER_error();
  return 0;
}""",
    "a copied block": """\
int main(void) {
  int source[4], target[4];
  memcpy(target, source, sizeof source);
  if (target[2] == 99) __VERIFIER_error();
  return 0;
}""",
    "written, then read": """\
int main(void) {
  struct cipher *c = __VERIFIER_nondet_pointer();
  int before = c->valid;
  c->valid = before + 1;
  if (before == 7 && c->valid == 8 && c->algorithms == 9) __VERIFIER_error();
  return 0;
}""",
}

SAFE = {
    "a null pointer has no members": """\
int main(void) {
  struct cipher *c = __VERIFIER_nondet_pointer();
  unsigned a = c->algorithms;
  if (c == 0) __VERIFIER_error();
  return 0;
}""",
    "nor elements": """\
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  int i = __VERIFIER_nondet_int();
  if (i < 1 || i > 5) return 0;
  int x = p[i];
  if (p == 0) __VERIFIER_error();
  return 0;
}""",
    "memory does not change by being read": """\
int main(void) {
  struct cipher *c = __VERIFIER_nondet_pointer();
  int first = c->valid;
  if (c->valid != first) __VERIFIER_error();
  return 0;
}""",
    "addresses of members of nothing are no accesses": """\
int main(void) {
  struct cipher *c = 0;
  if ((unsigned long)&c->algorithms == 4 && __VERIFIER_nondet_int() != 3) return 0;
  if (__VERIFIER_nondet_int() == 3) return 0;
  return 0;
}""",
}


OPTIONS = {"property": "assertions", "malloc": "if-too-large", "data_model": "lp64"}


def solved(folder: Path, text: str, engine: str) -> Answer:
    path = folder / "program.c"
    path.write_text(HEAD + text)
    return solve(load([path], OPTIONS), engine, None, Context(budget=Budget(30)))


@pytest.mark.parametrize("name", UNSAFE)
def test_contents_of_memory_are_replayed(tmp_path: Path, name: str) -> None:
    answer = solved(tmp_path, UNSAFE[name], "bmc")
    assert answer.status == "unsafe", answer.verdict
    assert answer.checked is not None
    assert "confirmed by the interpreter of C" in answer.checked.notes


@pytest.mark.parametrize("name", SAFE)
def test_what_memory_cannot_be(tmp_path: Path, name: str) -> None:
    assert solved(tmp_path, SAFE[name], "pdr-cfa").status == "safe"
