"""Evidence for recursive programs that forgets where the model ends is not accepted on any road."""

from __future__ import annotations

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver.run import confirm, confirm_claim
from revet.frontends.c.load import load
from revet.frontends.c.source import CSource
from revet.frontends.c.witness.validate import prepare_validation
from revet.logic.terms import TRUE
from revet.result import Exhausted, LocationInvariants, Safe
from revet.result.verdict import Unknown

DEEP = """extern void reach_error(void);
int down(int n) { if (n == 0) return 0; return 1 + down(n - 1); }
int main(void) { int r = down(1000); if (r == 1000) reach_error(); return 0; }
"""
EMPTY = """- entry_type: invariant_set
  metadata:
    format_version: "2.0"
    uuid: 00000000-0000-0000-0000-000000000000
    creation_time: 2026-01-01T00:00:00Z
    producer: {name: forger, version: "1"}
    task:
      input_files: [deep.c]
      input_file_hashes: {}
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: LP64
      language: C
  content: []
"""


@pytest.fixture
def deep(tmp_path: Path) -> CSource:
    path = tmp_path / "deep.c"
    path.write_text(DEEP)
    return load([path], {"recursion": 3, "property": "assertions"})


def test_invariants_that_exclude_the_error_but_not_the_end_of_the_model(deep: CSource) -> None:
    assert deep.open_ends, "otherwise this tests nothing"
    for forged in (Safe(Exhausted(1000)), Safe(LocationInvariants({deep.model.initial: TRUE}))):
        verdict, _ = confirm(deep, forged, Budget(60))
        believed = not isinstance(verdict, Unknown)  # the error itself is out of reach in the model
        verdict, checked = confirm_claim(deep, forged, Budget(60))
        assert isinstance(verdict, Unknown) and not (checked and checked.accepted), (forged, believed)


def test_a_witness_that_claims_nothing(tmp_path: Path) -> None:
    (tmp_path / "deep.c").write_text(DEEP)
    (tmp_path / "w.yml").write_text(EMPTY)
    validation = prepare_validation([tmp_path / "deep.c"], tmp_path / "w.yml", {"recursion": 3})
    for certificate in validation.certificates():
        assert not check_certificate(validation.model, certificate, budget=Budget(60)).accepted
