"""A new kind of certificate is one class and one row in the checker's table; nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from revet.checker.certificate import CHECKS, Tools, check_certificate
from revet.checker.report import malformed
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import TRUE, Term
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import Safe
from revet.result.certificate import KINDS, Certificate
from revet.result.fields import Fields
from revet.result.files import read_evidence, write_evidence
from revet.result.serialize import dump_verdict, load_verdict

X = b.var("x", INT)


@dataclass(frozen=True, eq=False)
class Still(Certificate):
    """Nothing ever changes, and ``claim`` holds initially and implies the properties."""

    kind = "still"
    claim: Term

    def fields(self, term: Callable[[Term], Any]) -> dict[str, Any]:
        return {"claim": term(self.claim)}

    @classmethod
    def read(cls, fields: Fields) -> Still:
        fields.require_keys("claim")
        system = fields.system("for transition systems")
        return cls(fields.formula(fields.record.get("claim"), lambda: system.variables, "claim"))

    def text(self, model: object) -> str:
        return f"nothing changes, and {self.claim}"

    def sentence(self) -> str:
        return "Nothing changes."


KINDS.pop(Still.kind)  # other tests look at all kinds there are: only the tests below know it


def check_still(system: TransitionSystem, certificate: Still, tools: Tools) -> None:
    if system.step.updates:
        raise malformed("something changes")
    for condition, known, wanted in (
        ("initiation", system.init, certificate.claim), ("safety", certificate.claim, system.property),
    ):
        tools.queries.require_unsat(
            [known, b.not_(wanted)], condition, "claim", lambda model: model.valuation(system.variables)
        )


@pytest.fixture(autouse=True)
def row() -> Iterator[None]:
    CHECKS[Still], KINDS[Still.kind] = check_still, Still
    yield
    del CHECKS[Still]
    KINDS.pop(Still.kind, None)


def system(start: int, moves: bool = False) -> TransitionSystem:
    step = Relation(TRUE, {X: X + 1} if moves else {})
    return TransitionSystem((X,), X.eq(start), step, {"small": X <= 5})


def test_it_is_checked():
    assert check_certificate(system(3), Still(X <= 4)).accepted
    assert check_certificate(system(5), Still(X <= 4)).condition == "initiation"
    assert check_certificate(system(3), Still(X <= 6)).condition == "safety"
    assert check_certificate(system(3, moves=True), Still(X <= 4)).condition == "form"


def test_it_travels_and_is_shown(tmp_path: Path):
    model = system(3)
    sent = load_verdict(dump_verdict(Safe(Still(X <= 4)), model), model)
    assert isinstance(sent, Safe) and isinstance(sent.certificate, Still)
    assert sent.certificate.claim is (X <= 4)
    write_evidence(tmp_path / "e.json", sent, model)
    saved = read_evidence(tmp_path / "e.json", model)
    assert isinstance(saved, Safe) and isinstance(saved.certificate, Still)
    assert check_certificate(model, saved.certificate).accepted
    assert "nothing changes" in saved.certificate.text(model)
    assert saved.certificate.data() == {"kind": "still", "claim": "x <= 4"}
