"""Recursive procedures are inlined to a depth: beyond it the graph engines say unknown, never safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.driver.run import solve
from revet.engines.common.context import Context
from revet.frontends.registry import load

PROGRAM = """\
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);
int count(int n) {{ if (n <= 0) return 0; return count(n - 1) + 1; }}
int main() {{
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < {most}) {{ if ({bad}) __VERIFIER_error(); }}
  return 0;
}}
"""


@pytest.mark.parametrize(
    ("most", "bad", "status"),
    [
        (1000, "count(n) != n", "unknown"),  # true, but no depth of inlining shows it
        (1000, "count(n) == 2", "unsafe"),
        (3, "count(n) != n", "safe"),  # the recursion ends by itself
    ],
)
@pytest.mark.parametrize("engine", ["pdr-cfa", "cegar"])
def test_beyond_the_inlined_depth_nothing_is_claimed(
    engine: str, most: int, bad: str, status: str, tmp_path: Path
) -> None:
    path = tmp_path / "count.c"
    path.write_text(PROGRAM.format(most=most, bad=bad))
    answer = solve(as_program(load([path], {})), engine, context=Context(Budget(60)))
    assert answer.status == status, answer.reason
