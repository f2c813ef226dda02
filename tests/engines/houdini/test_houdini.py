"""Houdini: what it proves holds, and it proves loops and array programs from guesses."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver.prepare import Preparation, prepare
from revet.engines import houdini
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.logic.terms import Op
from revet.logic.walk import subterms
from revet.result import LocationInvariants, Safe, Unknown
from tests.generators import random_cfa, search_cfa

HEAD = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"

TWO_SPEEDS = HEAD + """
int main(void) {
  int i = 0, j = 7;
  while (__VERIFIER_nondet_int() && i < 1000) { i = i + 1; j = j + 3; }
  if (j != 3 * i + 7) reach_error();
}
"""

COPY = HEAD + """
int main(void) {
  int a[5000], b[5000], i;
  for (i = 0; i < 5000; i++) b[i] = a[i];
  for (i = 0; i < 5000; i++) if (a[i] != b[i]) reach_error();
}
"""

REVERSE = HEAD + """
int main(void) {
  int a[3000], b[3000], i;
  for (i = 0; i < 3000; i++) b[2999 - i] = a[i];
  for (i = 0; i < 3000; i++) if (b[i] != a[2999 - i]) reach_error();
}
"""

GREATEST = HEAD + """
int main(void) {
  int a[900], i, top = 0;
  for (i = 0; i < 900; i++) if (a[i] > top) top = a[i];
  for (i = 0; i < 900; i++) if (a[i] > top) reach_error();
}
"""

SQUARES_OF_PLACES = HEAD + """
int main(void) {
  int a[800], i;
  for (i = 0; i < 800; i++) a[i] = 2 * i + 1;
  for (i = 0; i < 800; i++) if (a[i] != 2 * i + 1) reach_error();
}
"""

EVERY_THIRD = """
extern void reach_error(void);
int main(void) {
  int a[3000], b[9000], i = 0, j = 0;
  for (i = 0; i < 9000; i += 3) { a[j] = b[i]; j++; }
  for (i = 0, j = 0; i < 9000; i += 3) { if (a[j] != b[3 * j]) reach_error(); j++; }
}
"""

INCREASED = """
extern void reach_error(void);
int main(void) {
  int a[3000], i, more;
  for (i = 0; i < 3000; i++) a[i] = 7;
  for (i = 0; i < 3000; i++) a[i] = a[i] + more;
  for (i = 0; i < 3000; i++) if (a[i] != 7 + more) reach_error();
}
"""


def test_equal_speeds(tmp_path: Path) -> None:
    file = tmp_path / "speeds.c"
    file.write_text(TWO_SPEEDS)
    answer = revet.check(file, engine="houdini", timeout=60)
    assert answer.status == "safe", answer.verdict


@pytest.mark.parametrize("text", [COPY, REVERSE, GREATEST, SQUARES_OF_PLACES, EVERY_THIRD, INCREASED])
def test_quantified_invariants_about_arrays(tmp_path: Path, text: str) -> None:
    file = tmp_path / "arrays.c"
    file.write_text(text)
    answer = revet.check(file, engine="houdini", array_cells=True, timeout=100, property="assertions")
    assert answer.status == "safe", answer.verdict
    assert answer.checked is not None and answer.checked.accepted
    assert isinstance(answer.verdict, Safe) and isinstance(answer.verdict.certificate, LocationInvariants)
    formulas = answer.verdict.certificate.formulas.values()
    assert any(node.op == Op.FORALL for formula in formulas for node in subterms(formula))


@pytest.mark.parametrize("text", [COPY, REVERSE, SQUARES_OF_PLACES, INCREASED])
def test_a_wrong_program_is_not_proved(tmp_path: Path, text: str) -> None:
    file = tmp_path / "wrong.c"
    file.write_text(text.replace("i = 0; i < ", "i = 1; i < ", 1))
    answer = revet.check(file, engine="houdini", array_cells=True, timeout=100, property="assertions")
    assert answer.status == "unknown"


@pytest.mark.parametrize("seed", range(40))
def test_against_enumeration(seed: int) -> None:
    agree(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40, 600))
def test_against_enumeration_long(seed: int) -> None:
    agree(seed)


def agree(seed: int) -> None:
    cfa = random_cfa(seed)
    found = search_cfa(cfa)
    reduction = prepare(cfa, engine("houdini"), Preparation(array_cells=True))
    verdict = reduction.verdict_back(houdini.check(reduction.model, houdini.Options(), Context(Budget(60))))
    match verdict:
        case Safe(certificate):
            assert found.safe
            report = check_certificate(cfa, certificate, budget=Budget(60))
            assert report.accepted, report
        case _:
            assert isinstance(verdict, Unknown)
