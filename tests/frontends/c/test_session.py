"""A counterexample as a debugger would show it: the library is stepped over, its effects are told."""

from __future__ import annotations

from pathlib import Path

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.frontends.c import load
from revet.frontends.c.source import CSource
from revet.result.verdict import Unsafe

_TEXT = """#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
struct tag { int id; char text[8]; };
static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int twice(int n) { return 2 * n; }
int main(void) {
  int v[3] = {3, 1, 2};
  char buf[8] = "ab\\n";
  struct tag t = {4, ""};
  qsort(v, 3, sizeof v[0], by_size);
  if (isalpha(buf[0])) strcpy(t.text, buf);
  memset(buf, 'x', 2);
  int sum = twice(1) + twice(2);
  assert(sum == 7);
  return 0;
}
"""


def lines(tmp_path: Path) -> list[str]:
    file = tmp_path / "session.c"
    file.write_text(_TEXT)
    program = load([file], {"data_model": "lp64", "property": "assertions"})
    answer = solve(program, "bmc", context=Context(budget=Budget(60)))
    assert isinstance(program, CSource) and isinstance(answer.verdict, Unsafe)
    return [" ".join(line.split()) for line in program.render_trace(answer.verdict.trace).splitlines()]


def test_the_library_is_stepped_over(tmp_path: Path) -> None:
    shown = lines(tmp_path)
    assert not any("C library" in line or "revet" in line for line in shown)
    assert "12 qsort(v, 3, sizeof v[0], by_size) v[0] = 1, v[1] = 2, v[2] = 3" in shown
    assert '10 char buf[8] = "ab\\n"; buf = "ab\\n"' in shown
    assert '13 strcpy(t.text, buf) t.text = "ab\\n"' in shown
    assert "14 memset(buf, 'x', 2) buf = \"xx\\n\"" in shown


def test_each_call_is_told_with_its_arguments(tmp_path: Path) -> None:
    """Also where no statement of the caller is between two calls: by the library, or in one expression."""
    shown = lines(tmp_path)
    assert shown.count("by_size(a = &v[0], b = &v[1])") >= 1 and "by_size(a = &v[1], b = &v[2])" in shown
    assert "twice(n = 1)" in shown and "twice(n = 2)" in shown


def test_what_a_program_reads_is_tried_as_text(tmp_path: Path) -> None:
    """Lines with the program's own words and marks: nobody guesses ``speed=`` character by character."""
    file = tmp_path / "settings.c"
    file.write_text("""#include <stdio.h>
#include <string.h>
#include <assert.h>
int main(void) {
  char line[40];
  while (fgets(line, sizeof line, stdin)) {
    char *mark = strchr(line, '=');
    if (!mark) continue;
    *mark = 0;
    assert(strcmp(line, "speed") != 0);
  }
  return 0;
}
""")
    program = load([file], {"data_model": "lp64", "property": "assertions"})
    assert solve(program, "explore", context=Context(budget=Budget(120))).status == "unsafe"
