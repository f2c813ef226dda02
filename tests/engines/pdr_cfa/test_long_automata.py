"""Effort grows with the number of locations, not with its square (``scripts/long-automaton``)."""

from __future__ import annotations

import cProfile
import pstats
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from revet.api import as_program
from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.driver.prepare import Preparation, prepare
from revet.engines import pdr_cfa
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.frontends.registry import load
from revet.model.cfa import Cfa
from revet.result import Safe

SCRIPT = Path(__file__).parents[3] / "scripts" / "long-automaton"


def long_automaton(locations: int, folder: Path) -> Cfa:
    loader = SourceFileLoader("long_automaton", str(SCRIPT))
    spec = spec_from_loader("long_automaton", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    path = folder / f"{locations}.cfa"
    path.write_text(module.automaton(locations))
    model = as_program(load([path], {})).model
    assert isinstance(model, Cfa)
    return model


def effort(locations: int, folder: Path) -> tuple[int, int, int]:
    """Locations after reduction, solver queries, calls of Python functions."""
    model = long_automaton(locations, folder)
    reduced = prepare(model, engine("pdr-cfa"), Preparation(large_blocks=False)).model
    context, profile = Context(Budget(600)), cProfile.Profile()
    verdict = profile.runcall(pdr_cfa.check, reduced, pdr_cfa.Options(), context)
    assert isinstance(verdict, Safe)
    report = check_certificate(reduced, verdict.certificate)
    assert report.accepted, report
    stats = pstats.Stats(profile)
    return len(reduced.locations), context.stats.counts["queries"], stats.total_calls  # type: ignore[attr-defined]


def test_twice_the_locations_take_twice_the_effort(tmp_path: Path) -> None:
    small, queries, calls = effort(200, tmp_path)
    large, more_queries, more_calls = effort(400, tmp_path)
    assert (small, large) == (199, 399)
    assert more_queries <= 2.1 * queries
    assert more_calls <= 2.2 * calls


@pytest.mark.long
def test_five_thousand_locations(tmp_path: Path) -> None:
    locations, queries, calls = effort(5002, tmp_path)
    assert locations >= 5000
    assert queries <= 15 * locations and calls <= 4000 * locations
