"""What an engine cannot treat is said at once, with its place in the source."""

import re
from pathlib import Path

import pytest

import revet
from revet.result import Unknown

FLOATS = """extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  double sum = 0.0;
  int n = __VERIFIER_nondet_int();
  while (n > 0) { sum = sum + 0.5; n = n - 1; }
  if (sum < 0.0) reach_error();
}
"""


@pytest.mark.parametrize("engine", ["pdr-ia", "ic3-qe", "imc", "spacer"])
def test_the_place_is_named(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "sum.c"
    file.write_text(FLOATS)
    verdict = revet.check(file, engine=engine, timeout=60).verdict
    assert isinstance(verdict, Unknown)
    assert f"{engine} cannot handle floating-point" in verdict.reason.lower()
    place = re.search(r"sum\.c:(\d+):\d+", verdict.reason)
    assert place is not None and int(place[1]) in (4, 6, 7), verdict.reason  # any line with a float
