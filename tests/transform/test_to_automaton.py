"""Transition systems as automata: every engine for automata answers as explicit search does."""

from __future__ import annotations

from importlib import import_module

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import Safe, Unknown, Unsafe
from tests.engines.systems import explicit, random_system
from tests.models import MODELS

SYSTEMS = [tiny for tiny in MODELS if isinstance(tiny.model, TransitionSystem)]
ENGINES = ("cegar", "post", "pdr-cfa")


def verdict_of(name: str, model: TransitionSystem, how: Preparation | None = None) -> Safe | Unsafe | Unknown:
    """The engine's verdict about the system; its evidence is checked on the system itself."""
    module = import_module(REGISTRY[name].module)
    reduction = prepare(model, REGISTRY[name], how or Preparation())
    limits = {"max_layers": 12} if name == "post" else {}
    found = reduction.verdict_back(
        module.check(reduction.model, module.Options(**limits), Context(Budget(60)))
    )
    if isinstance(found, Safe):
        report = check_certificate(model, found.certificate)
        assert report.accepted, str(report)
    elif isinstance(found, Unsafe):
        replay(model, found.trace)
    return found


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("tiny", SYSTEMS, ids=lambda tiny: tiny.name)
def test_tiny_systems(name, tiny) -> None:
    found = verdict_of(name, tiny.model)
    if isinstance(found, Unknown):
        assert name == "post"  # it has no abstraction: most loops have no last layer
    else:
        assert isinstance(found, Safe) is tiny.safe


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("reduce", [True, False])
def test_random_finite_systems(name: str, reduce: bool) -> None:
    for seed in range(6):
        model = random_system(seed)
        found = verdict_of(name, model, Preparation(reduce))
        if not isinstance(found, Unknown):
            assert isinstance(found, Safe) is (explicit(model) is None), seed


def test_assumed_invariants_leave_states_out() -> None:
    """x grows by an input; the invariant forbids states beyond 3, so the property holds."""
    x, i = b.var("x", INT), b.var("i", INT)
    step = Relation(b.TRUE, {x: x + i}, (i,))
    model = TransitionSystem((x,), x.eq(0), step, {"state": x <= 3}, (x <= 3,))
    assert isinstance(verdict_of("pdr-cfa", model), Safe)
    other = TransitionSystem((x,), x.eq(0), step, {"small": x <= 2}, (x <= 3,))
    assert isinstance(verdict_of("cegar", other), Unsafe)
