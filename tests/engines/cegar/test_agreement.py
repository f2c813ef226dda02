"""Every configuration on tiny models and random automata: evidence checked, verdicts as enumerated."""

from __future__ import annotations

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.engines.cegar import Options, check
from revet.engines.common.context import Context
from revet.engines.pdr_cfa import Options as PdrOptions
from revet.engines.pdr_cfa import check as pdr_cfa
from revet.model.cfa import Cfa
from revet.result import Safe, Unknown, Unsafe
from revet.transform.blocks import large_blocks
from revet.transform.merge_errors import merge_errors
from tests.generators import random_cfa, search_cfa
from tests.models import AUTOMATA, Tiny

CONFIGURATIONS = {
    "default": Options(),
    "boolean statements": Options(domain="predicates", blocks="false"),
    "boolean blocks": Options(domain="predicates", blocks="true"),
    "cartesian statements": Options(domain="predicates", blocks="false", abstraction="cartesian"),
    "cartesian blocks": Options(domain="predicates", blocks="true", abstraction="cartesian"),
    "positive": Options(domain="predicates", blocks="false", abstraction="cartesian", negations=False),
    "product statements": Options(blocks="false", sharing="location"),
    "product blocks": Options(blocks="true"),
    "depth first": Options(blocks="false", search="depth"),
    "few values": Options(blocks="false", max_values=1),
    "few cubes": Options(domain="predicates", blocks="true", max_cubes=1),
    "explicit": Options(domain="explicit"),
    "explicit by location": Options(domain="explicit", sharing="location", search="depth"),
}
MAY_GIVE_UP = {"explicit", "explicit by location"}  # values alone do not suffice for every program


def outcome(cfa: Cfa, options: Options) -> str:
    """The verdict, after its evidence was accepted."""
    verdict = check(cfa, options, Context(Budget(30)))
    match verdict:
        case Safe(certificate):
            report = check_certificate(cfa, certificate)
            assert report.accepted, str(report)
            return "safe"
        case Unsafe(trace):
            replay(cfa, trace)
            return "unsafe"
        case Unknown(reason):
            return f"unknown: {reason}"


def agree(cfa: Cfa, configuration: str, safe: bool) -> None:
    found = outcome(cfa, CONFIGURATIONS[configuration])
    if configuration in MAY_GIVE_UP and found.startswith("unknown: values alone"):
        return
    assert found == ("safe" if safe else "unsafe"), (cfa.name, configuration)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("tiny", AUTOMATA, ids=lambda tiny: tiny.name)
def test_tiny_models(tiny: Tiny, configuration: str) -> None:
    assert isinstance(tiny.model, Cfa)
    agree(tiny.model, configuration, tiny.safe)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_random_automata(configuration: str) -> None:
    for seed in range(25):
        cfa = random_cfa(seed)
        agree(cfa, configuration, search_cfa(cfa).safe)


def test_agrees_with_pdr() -> None:
    """On automata too large to be enumerated in a moment."""
    for seed in range(500, 515):
        cfa = random_cfa(seed, locations=14)
        blocks = large_blocks(merge_errors(cfa).model).model
        other = pdr_cfa(blocks, PdrOptions(), Context(Budget(30)))
        assert outcome(cfa, Options()) == ("safe" if isinstance(other, Safe) else "unsafe")


@pytest.mark.long
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("block", range(10))
def test_many_random_automata(configuration: str, block: int) -> None:
    for seed in range(1000 + 100 * block, 1000 + 100 * (block + 1)):
        cfa = random_cfa(seed, locations=10)
        agree(cfa, configuration, search_cfa(cfa).safe)
