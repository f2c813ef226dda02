"""A new engine is one module and one row of the table; nothing else changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import revet
from revet.engines import REGISTRY, EngineInfo
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.core import and_
from revet.logic.sorts import INT
from revet.logic.terms import TRUE
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, Unknown, Verdict

X = b.var("x", INT)


@dataclass(frozen=True)
class Options:
    hope: bool = True
    """claim that the property is inductive"""


def check(model: TransitionSystem, options: Options, context: Context) -> Verdict:
    """Claims; the checker decides."""
    return Safe(KInductive(and_(*model.properties.values()))) if options.hope else Unknown("no hope")


@pytest.fixture(autouse=True)
def row(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(REGISTRY, "hope", EngineInfo("hope", __name__, "system", "claims and hopes"))
    assert sys.modules[__name__].check is check
    yield


@pytest.mark.parametrize(("limit", "wanted"), [(0, "safe"), (-3, "unknown")])
def test_what_it_claims_is_checked(limit: int, wanted: str) -> None:
    """``x >= 0`` is inductive where x only grows; ``x >= -3`` is not where it shrinks."""
    step = Relation(TRUE, {X: X + 1}) if limit == 0 else Relation(TRUE, {X: X - 1})
    model = TransitionSystem((X,), X.eq(0), step, {"bound": limit <= X})
    answer = revet.check(model, engine="hope", timeout=60)
    assert answer.status == wanted, answer.verdict


def test_its_options_are_the_users() -> None:
    model = TransitionSystem((X,), X.eq(0), Relation(TRUE, {X: X + 1}), {"bound": X >= 0})
    answer = revet.check(model, engine="hope", options={"hope": "false"}, timeout=60)
    assert answer.status == "unknown" and "no hope" in str(answer.reason)
