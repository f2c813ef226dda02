"""All engines on the same random finite systems: they agree with explicit-state search."""

from importlib import import_module

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.result import Safe, Unknown, Unsafe
from tests.engines.systems import explicit, random_system

ENGINES = [name for name in ("kind", "spacer", "ic3-qe", "imc", "pdr-ia", "bmc") if name in REGISTRY]
# bmc does not prove loops; imc's interpolation and Spacer may diverge, on one system in some hundred.
MAY_GIVE_UP = {"bmc", "imc", "spacer"}


def outcome(name: str, seed: int) -> None:
    model = random_system(seed)
    depth = explicit(model)
    module = import_module(REGISTRY[name].module)
    options = module.Options(bound=12) if name == "bmc" else module.Options()
    try:
        verdict = module.check(model, options, Context(Budget(5 if name in MAY_GIVE_UP else 60)))
    except OutOfBudget:
        verdict = Unknown("time is up")
    match verdict:
        case Safe(certificate):
            assert depth is None, f"{name} says safe, but a run of {depth} steps violates"
            report = check_certificate(model, certificate)
            assert report.accepted, str(report)
        case Unsafe(trace):
            assert depth is not None, f"{name} says unsafe"
            assert len(trace) >= depth
            replay(model, trace)
        case Unknown(reason):
            assert name in MAY_GIVE_UP, f"{name}: {reason}"


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("seed", range(1000, 1020))
def test_agreement(name: str, seed: int) -> None:
    outcome(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("block", range(20))
def test_agreement_on_thousands(name: str, block: int) -> None:
    for seed in range(10_000 + 100 * block, 10_000 + 100 * (block + 1)):
        outcome(name, seed)
