"""Every optimisation of PDR can be turned off: answers stay the same, and evidence holds."""

from __future__ import annotations

from random import Random

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import pdr, pdr_ia
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.result import Safe, Unsafe
from tests.engines.systems import explicit, random_system
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

BITS = [
    {}, {"relative": False}, {"cores": False}, {"dropping": False}, {"push": False}, {"propagation": False},
    {"subsumption": False}, {"lift": "none"}, {"infinity": False}, {"initial_clauses": True},
    {"relative": False, "cores": False, "dropping": False, "push": False, "subsumption": False,
     "lift": "none", "infinity": False, "initial_clauses": True},
]
TERMS = [
    {}, {"relative": False}, {"cores": False}, {"dropping": False}, {"push": False}, {"propagation": False},
    {"subsumption": False}, {"lifting": "none"},
    {"relative": False, "cores": False, "dropping": False, "push": False, "subsumption": False},
]


@pytest.mark.parametrize("switches", BITS, ids=str)
def test_circuits(switches: dict[str, object]) -> None:
    for seed in range(12):
        circuit = random_circuit(Random(seed), 5)
        found = pdr.check(circuit, pdr.Options(**switches), Context(Budget(60)))  # type: ignore[arg-type]
        assert isinstance(found, Safe) is (shortest_violation(circuit) is None), seed
        if isinstance(found, Safe):
            assert check_certificate(circuit, found.certificate).accepted
        elif isinstance(found, Unsafe):
            replay(circuit, found.trace)


@pytest.mark.parametrize("switches", TERMS, ids=str)
def test_systems(switches: dict[str, object]) -> None:
    for seed in range(6):
        model = random_system(seed)
        reduction = prepare(model, REGISTRY["pdr-ia"], Preparation())
        try:
            found = reduction.verdict_back(
                pdr_ia.check(reduction.model, pdr_ia.Options(**switches), Context(Budget(20)))  # type: ignore
            )
        except OutOfBudget:
            assert switches, seed  # the default is quick enough
            continue
        if isinstance(found, Safe):
            assert explicit(model) is None and check_certificate(model, found.certificate).accepted
        elif isinstance(found, Unsafe):
            assert explicit(model) is not None
            replay(model, found.trace)
