"""Frames of circuits with many constraints, of inputs, latches and gates, against explicit search."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Literal

import pytest

from revet.checker.replay import replay
from revet.engines.bmc import Options, check
from revet.engines.common.context import Context
from revet.result import Exhausted, Safe, Unknown, Unsafe
from revet.smt.sat import Sat
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation


@pytest.mark.parametrize(
    ("stride", "solver", "hard"), [(1, "minisat22", False), (8, "cadical195", False), (8, "cadical195", True)]
)
def test_constraints_hold_up_to_the_end_of_a_run_and_not_beyond(
    stride: int, solver: Literal["minisat22", "cadical195"], hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``hard``: no depth is refuted quickly, so that every query is about as many as it may be."""
    if hard:
        monkeypatch.setattr(Sat, "attempt", lambda *_: None)
    random = Random(5)
    seen = {"safe": 0, "unsafe": 0, "unknown": 0, "later": 0}
    for _ in range(400):
        circuit = random_circuit(random, 4, inputs=3, gates=12)
        constraints = [random.randrange(2, 2 * circuit.size) for _ in range(random.randint(1, 3))]
        circuit = replace(circuit, constraints=constraints)
        expected = shortest_violation(circuit)
        match check(circuit, Options(bound=12, stride=stride, solver=solver), Context()):
            case Unsafe(trace):
                assert expected is not None and (stride > 1 or len(trace) == expected)
                replay(circuit, trace)
                seen["unsafe"] += 1
                seen["later"] += expected > 1
            case Safe(Exhausted()):
                assert expected is None
                seen["safe"] += 1
            case Unknown():
                assert expected is None
                seen["unknown"] += 1
    assert min(seen.values()) > 3, seen
