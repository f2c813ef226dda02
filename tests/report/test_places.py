"""Runs of the program itself on the graph: the way is found by the lines."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

from revet.api import check
from revet.model.cfa import Cfa
from revet.report.html import html_report
from revet.report.html.places import edges_by_lines
from revet.report.html.run import run_of
from revet.result.trace import InputTrace
from revet.result.verdict import Unsafe

C = """extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
static int twice(int x) { return x + x; }
int main(void) {
  int i = 0, s = 0;
  while (i < 5) {
    if (i % 2 == 0) s = s + 1; else s = s + 10;
    for (int j = 0; j < 2; j++) { s = twice(s); }
    i++;
  }
  if (s > 3)
    __VERIFIER_error();
  return 0;
}
"""
BOOGIE = """procedure ULTIMATE.start()
{
  var x, y: int;
  x, y := 0, 0;
  loop:
    goto up, out;
  up:
    assume x < 4;
    x := x + 1;
    if (x == 2) { y := y + 1; } else { y := y + 2; }
    goto loop;
  out:
    assume x >= 4;
    assert y != 7;
}
"""


@pytest.mark.parametrize(("name", "text"), [("p.c", C), ("p.bpl", BOOGIE)])
def test_the_run_is_drawn(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    answer = check(path, engine="explore", timeout=60, property="assertions" if name == "p.c" else None)
    model = answer.program.model
    assert isinstance(answer.verdict, Unsafe) and isinstance(model, Cfa)
    trace = answer.verdict.trace
    assert isinstance(trace, InputTrace)
    run = run_of(answer, trace)
    found = edges_by_lines(model, run.steps, trace.violated)  # type: ignore[union-attr]
    assert found is not None
    edges, firsts = found
    assert edges[0].source is model.initial and edges[-1].target.name == trace.violated
    assert all(one.target is other.source for one, other in itertools.pairwise(edges))
    # Every turn of the loop, and both branches as often as the run takes them.
    lines = [edge.position.line for edge in edges if edge.position and edge.statements]
    turn = next(n for n, line in enumerate(text.splitlines(), 1) if line.strip() in ("i++;", "x := x + 1;"))
    assert lines.count(turn) == (5 if name == "p.c" else 4)
    assert sum(first is not None for first in firsts) > len(firsts) // 2

    page = html_report(answer)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert data["steps"][-1]["e"] is not None and 'class="edge run"' in page
    last = run.steps[-1].position  # type: ignore[union-attr]
    assert last is not None and f'<tr id="f0l{last.line}" class="error-line">' in page
    assert "replayed in the source language" in page


def test_lines_that_lead_nowhere_draw_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(C)
    answer = check(path, engine="explore", timeout=60)
    assert isinstance(answer.verdict, Unsafe) and isinstance(answer.program.model, Cfa)
    run = run_of(answer, answer.verdict.trace)
    cut = run.steps[:4]  # type: ignore[union-attr]
    assert edges_by_lines(answer.program.model, cut, answer.verdict.trace.violated) is None
