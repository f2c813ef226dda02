"""Lifted PDR with its options, against enumeration; evidence by the checker."""

from __future__ import annotations

from itertools import product

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import pdr_cfa
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.model.cfa import Cfa
from revet.result import Safe, Unsafe
from tests.generators import random_cfa, search_cfa

# Every combination of the options: 3 * 2 ** 8 = 768.
COMBINATIONS = [
    pdr_cfa.Options(
        levels=levels, unsat_cores=cores, drop_literals=drop, syntactic=syntactic, interpolate=interpolate,
        predecessors=predecessors, split_equalities=split, weaken_bounds=weaken, propagate=propagate,
    )
    for levels, cores, drop, syntactic, interpolate, predecessors, split, weaken, propagate in product(
        ("back-edges", "edges"), (True, False), (True, False), (True, False), ("no", "diverging", "always"),
        ("projection", "normal-form"), (True, False), (True, False), (True, False),
    )
]


def confirmed(cfa: Cfa, options: pdr_cfa.Options, how: Preparation) -> str:
    reduction = prepare(cfa, engine("pdr-cfa"), how)
    verdict = reduction.verdict_back(pdr_cfa.check(reduction.model, options, Context(Budget(60))))
    match verdict:
        case Safe(certificate):
            report = check_certificate(cfa, certificate, budget=Budget(60))
            assert report.accepted, report
            return "safe"
        case Unsafe(trace):
            replay(cfa, trace)
            return "unsafe"
    raise AssertionError(verdict)


def agree(number: int) -> None:
    """The number picks a combination and a random automaton, differently paired every round."""
    seed = number % 97
    cfa = random_cfa(seed)
    expected = "safe" if search_cfa(cfa).safe else "unsafe"
    how = Preparation(reduce=number % 2 == 0, large_blocks=number % 3 != 0)
    options = COMBINATIONS[number % len(COMBINATIONS)]
    assert confirmed(cfa, options, how) == expected, (seed, options, how)


@pytest.mark.parametrize("number", range(0, len(COMBINATIONS), 11))
def test_a_sample_of_all_combinations(number: int) -> None:
    agree(number)


@pytest.mark.long
@pytest.mark.parametrize("number", range(3 * len(COMBINATIONS)))
def test_every_combination_of_options_on_three_automata(number: int) -> None:
    agree(number)
