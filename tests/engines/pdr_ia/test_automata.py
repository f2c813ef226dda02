"""pdr-ia on systems made from automata: random programs against explicit search, evidence by the checker."""

from pathlib import Path

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.driver.run import confirm, run_engine
from revet.engines import pdr_ia
from revet.engines.common.context import Context
from revet.engines.pdr_ia import local
from revet.engines.pdr_ia.control import control_of
from revet.engines.pdr_ia.first_look import FirstLook
from revet.engines.registry import engine
from revet.frontends.registry import load
from revet.model.cfa import Cfa
from revet.model.system import TransitionSystem
from revet.result import Safe, Unsafe
from revet.smt.z3 import Z3
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


@pytest.mark.parametrize("seed", [*range(40), 223, 490])
def test_agrees_with_explicit_search(seed: int) -> None:
    """The last two have errors behind *assume false* only, and cycles before them."""
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


BEFORE_THE_LOOP = """
int a, b, x;
if (a > 0) { x = 1; } else { x = 2; }
if (b > a) { x = x + 1; }
assert(x != LIMIT);
while (x < 10) { x = x + 1; }
assert(x == 10);
"""


@pytest.mark.parametrize("limit, queries", [(3, 1), (4, None)])
def test_runs_without_a_back_edge_take_one_query(limit: int, queries: int | None, tmp_path: Path) -> None:
    """Three is reached on one of four paths, four on none."""
    file = tmp_path / "before.spa"
    file.write_text(BEFORE_THE_LOOP.replace("LIMIT", str(limit)))
    program, context = load([file]), Context(Budget(30))
    verdict = run_engine(program, "pdr-ia", pdr_ia.Options(), context, Preparation(large_blocks=False))
    confirmed_verdict, checked = confirm(program, verdict, Budget(30))
    assert checked is not None and checked.accepted
    if queries is None:
        assert isinstance(confirmed_verdict, Safe) and context.stats.counts["queries"] > 1
    else:
        assert isinstance(confirmed_verdict, Unsafe) and context.stats.counts["queries"] == queries


@pytest.mark.parametrize("seed", range(60))
def test_first_look(seed: int) -> None:
    """What it finds is a run; in an automaton without cycles it finds one if there is one."""
    cfa = random_cfa(seed)
    reduction = prepare(cfa, engine("pdr-ia"), Preparation(large_blocks=False))
    assert isinstance(reduction.model, TransitionSystem)
    control = control_of(reduction.model)
    if control is None:
        return
    trace = FirstLook(reduction.model, control, Z3(), Budget(30)).violation()
    depth = search_cfa(cfa).depth
    if trace is not None:
        replay(cfa, reduction.trace_back(trace))
        assert depth is not None
    elif not control.back:
        assert depth is None
