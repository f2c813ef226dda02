"""pdr-ia on systems made from automata: random programs against explicit search, evidence by the checker."""

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import pdr_ia
from revet.engines.common.context import Context
from revet.engines.pdr_ia import local
from revet.engines.registry import engine
from revet.model.cfa import Cfa
from revet.result import Safe, Unsafe
from tests.generators import random_cfa, search_cfa

VARIANTS = [
    pdr_ia.Options(),
    pdr_ia.Options(refinement="all-paths", seeds="property"),
    pdr_ia.Options(interpolation="wp", seeds="property", ctg=2),
    pdr_ia.Options(interpolation="sp", lifting="none", seeds="diverging"),
]


def confirmed(cfa: Cfa, options: pdr_ia.Options, how: Preparation) -> str:
    """The verdict, carried back to the program and accepted by the checker."""
    reduction = prepare(cfa, engine("pdr-ia"), how)
    verdict = reduction.verdict_back(pdr_ia.check(reduction.model, options, Context(Budget(30))))
    match verdict:
        case Safe(certificate):
            report = check_certificate(cfa, certificate, budget=Budget(30))
            assert report.accepted, report
            return "safe"
        case Unsafe(trace):
            replay(cfa, trace)
            return "unsafe"
    raise AssertionError(verdict)


def agree(seed: int, variants: list[pdr_ia.Options]) -> None:
    cfa = random_cfa(seed)
    expected = "safe" if search_cfa(cfa).depth is None else "unsafe"
    for number, options in enumerate(variants):
        how = Preparation(reduce=number % 2 == 0, large_blocks=(seed + number) % 3 != 0)
        assert confirmed(cfa, options, how) == expected, (options, how)


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_explicit_search(seed: int) -> None:
    agree(seed, VARIANTS)


@pytest.mark.parametrize("seed", range(20))
def test_many_locations(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver for every two locations, as for automata with many; and a level for every edge."""
    monkeypatch.setattr(local, "MANY", 1)
    monkeypatch.setattr(local, "GROUP", 2)
    agree(seed, [pdr_ia.Options(), pdr_ia.Options(lifting="none", ctg=1), pdr_ia.Options(levels="edges")])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40, 1040))
def test_agrees_with_explicit_search_long(seed: int) -> None:
    agree(seed, [VARIANTS[seed % len(VARIANTS)], VARIANTS[(seed // 4) % len(VARIANTS)]])
