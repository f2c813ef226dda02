"""A guard over constants may cut every edge to an error, also in a loop that goes on for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

PROGRAM = """extern void reach_error(void); extern int nondet_int(void);
int main(void) {
  while (nondet_int()) { int a[3] = {1}; if (a[2]) reach_error(); a[2] = 7; }
  return 0;
}
"""


@pytest.mark.parametrize("options", [{}, {"strategy": "depth-first"}, {"direction": "backward"}])
@pytest.mark.parametrize("reduce", [True, False])
def test_blocks_without_an_edge_to_the_error_are_a_proof(
    tmp_path: Path, options: dict[str, str], reduce: bool
) -> None:
    file = tmp_path / "loop.c"
    file.write_text(PROGRAM)
    answer = revet.check(
        file, engine="bmc", options=options, reduce=reduce, property="assertions", timeout=30
    )
    assert answer.status == "safe"
