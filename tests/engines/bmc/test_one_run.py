"""Programs that read nothing: everything folds along the one run, and the solver is not asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet

TABLE = """extern void reach_error(void);
static unsigned table[100], sum = 7;
int main(void) {
  for (unsigned i = 0; i < 100; i++) {
    unsigned x = i;
    for (int j = 0; j < 3; j++) x = x & 1 ? x >> 1 ^ 0xED : x >> 1;
    table[i] = x;
  }
  for (int i = 0; i < 9; i++) sum = sum >> 3 ^ table[sum % 100];
  if (sum %s %d) reach_error();
}
"""


def value() -> int:
    """What the program computes."""
    table, total = [], 7
    for x in range(100):
        for _ in range(3):
            x = x >> 1 ^ 0xED if x & 1 else x >> 1
        table.append(x)
    for _ in range(9):
        total = total >> 3 ^ table[total % 100]
    return total


@pytest.mark.parametrize("test, status", [("!=", "safe"), ("==", "unsafe")])
def test_a_table_that_is_computed_first(tmp_path: Path, test: str, status: str) -> None:
    path = tmp_path / "table.c"
    path.write_text(TABLE.replace("%s %d", f"{test} {value()}"))
    answer = revet.check(path, engine="bmc", property="assertions", arithmetic="bv", timeout=240)
    assert answer.status == status
    assert answer.stats.counts.get("queries", 0) <= (status == "unsafe")  # that one is for its model


def test_a_proof_may_exclude_the_open_ends_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "order.c"
    path.write_text("""extern void reach_error(void);
int x = 1;
int main(void) {
  int y = 0;
  for (int i = 0; i < 4; i++) y += i;
  if (y == 7) y = x++ + x++;
  if (y > 6) reach_error();
}
""")
    answer = revet.check(path, engine="bmc", property="assertions", timeout=240)
    assert answer.program.open_ends and answer.status == "safe"
    assert answer.checked is not None and answer.checked.closed
