"""Engines for circuits against explicit search; every answer's evidence is checked, too."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import bmc, kind
from revet.engines.common.context import Context
from revet.engines.pdr import Options
from revet.engines.registry import REGISTRY
from revet.model.circuit import Circuit
from revet.result import Safe, Unknown, Unsafe
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation

COMBINATIONS = [
    Options(lift=lift, ctg=ctg, ordering=ordering, attempts=attempts, infinity=infinity, renew=renew)
    for lift, ctg, ordering, attempts, infinity, renew in itertools.product(
        ("core", "ternary"), (False, True), ("activity", "index", "reverse"), (None, 1), (True, False),
        (600, 2),
    )
]


def agrees(circuit: Circuit, options: object, reduce: bool, engine: str = "pdr") -> str:
    info = REGISTRY[engine]
    reduction = prepare(circuit, info, Preparation(reduce=reduce))
    context = Context()
    verdict = reduction.verdict_back(info.load().check(reduction.model, options, context))
    expected = shortest_violation(circuit)
    match verdict:
        case Safe(certificate):
            assert expected is None
            report = check_certificate(circuit, certificate)
            assert report.accepted, str(report)
            return "safe"
        case Unsafe(trace):
            assert expected is not None
            replay(circuit, trace)
            if engine in ("bmc", "kind"):
                assert len(trace) == expected
            return "unsafe"
        case Unknown(_, bound):
            assert bound is not None and (expected is None or bound < expected)
            return "unknown"
    raise AssertionError(verdict)


def run(seed: int, count: int, latches: int) -> None:
    random = Random(seed)
    seen = {"safe": 0, "unsafe": 0}
    for number in range(count):
        circuit = random_circuit(random, latches, gates=3 * latches)
        options = COMBINATIONS[number % len(COMBINATIONS)]
        seen[agrees(circuit, options, reduce=bool(number % 3))] += 1
    assert min(seen.values()) > count // 10


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_explicit_search(seed: int) -> None:
    run(seed, 96, 8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_agrees_with_explicit_search_on_many(seed: int) -> None:
    run(seed, 96, 12)


@pytest.mark.parametrize("engine", ["bmc", "kind", "imc", "pdr-ia"])
def test_other_engines_agree_with_explicit_search(engine: str) -> None:
    """bmc and kind work on the circuit, the others on its transition system."""
    options = {"bmc": bmc.Options(bound=10), "kind": kind.Options(max_k=20)}.get(engine)
    random = Random(8)
    seen = {"safe": 0, "unsafe": 0, "unknown": 0}
    for number in range(100 if engine in ("bmc", "kind") else 16):
        circuit = random_circuit(random, 5, gates=15)
        given = options or REGISTRY[engine].load().Options()
        seen[agrees(circuit, given, bool(number % 2), engine)] += 1
    assert seen["unsafe"] > 1 and seen["safe"] + seen["unknown"] > 1
    if engine == "kind":
        assert seen["safe"] > 10
