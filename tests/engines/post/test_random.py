"""Exact reachability against enumeration: the verdict, and the very set of states."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import post
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.logic.evaluate import Evaluator
from revet.result import LocationInvariants, Safe, Unsafe
from tests.generators import random_cfa, search_cfa, valuations

VARIANTS = [post.Options(), post.Options(subsumption="layer"), post.Options(most_cubes=1)]


def agree(seed: int, options: post.Options, how: Preparation) -> None:
    cfa = random_cfa(seed)
    found = search_cfa(cfa)
    reduction = prepare(cfa, engine("post"), how)
    verdict = reduction.verdict_back(post.check(reduction.model, options, Context(Budget(60))))
    match verdict:
        case Safe(LocationInvariants(formulas, _) as certificate):
            assert found.safe
            report = check_certificate(cfa, certificate, budget=Budget(60))
            assert report.accepted, report
            if how.reduce:
                return
            reached = {(place, *state.values()) for place, state in found.states}
            for place, formula in formulas.items():
                for state in valuations(cfa.variables):
                    assert Evaluator(state)(formula) is ((place, *state.values()) in reached), (place, state)
        case Unsafe(trace):
            assert found.depth is not None
            assert how.reduce or len(trace) == found.depth  # breadth first: a shortest run
            replay(cfa, trace)
        case _:
            raise AssertionError(verdict)


@pytest.mark.parametrize("seed", range(30))
def test_the_reachable_states_are_exactly_those_of_enumeration(seed: int) -> None:
    for number, options in enumerate(VARIANTS):
        agree(seed, options, Preparation(reduce=(seed + number) % 4 == 0))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30, 530))
def test_the_reachable_states_are_exactly_those_of_enumeration_long(seed: int) -> None:
    agree(seed, VARIANTS[seed % len(VARIANTS)], Preparation(reduce=seed % 4 == 0))
