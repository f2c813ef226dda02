"""Equal latches are found, are really equal, and evidence survives their going."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.driver.prepare import Preparation, prepare
from revet.engines import bmc, kind, pdr
from revet.engines.common.context import Context
from revet.engines.registry import REGISTRY
from revet.model.circuit import ANY, Circuit, evaluate, literal_value, successor
from revet.result import Safe, Unsafe
from revet.transform import latches
from revet.transform.latches import equal_latches, merge_latches
from tests.frontends.aiger.random_circuits import random_circuit, shortest_violation


def twinned(random: Random, circuit: Circuit) -> Circuit:
    """Every latch with a reset gets a twin, equal or opposite, with next-state gates of its own; it is
    bad, too, if a twin differs. Latches without a reset are shared."""
    twins = [n for n, reset in enumerate(circuit.reset) if reset != ANY]
    first = circuit.first_gate
    sign = {n: random.randrange(2) for n in twins}
    moved = len(twins)
    latch = {circuit.first_latch + n: 2 * (first + k) + sign[n] for k, n in enumerate(twins)}

    def shifted(literal: int) -> int:
        return literal + 2 * moved if literal >> 1 >= first else literal

    left, right = [shifted(a) for a in circuit.left], [shifted(b) for b in circuit.right]
    copy = {2 * s: latch.get(s, 2 * s) for s in range(first)}

    def gate(a: int, b: int) -> int:
        left.append(a)
        right.append(b)
        return 2 * (first + moved + len(left) - 1)

    def of(literal: int) -> int:
        return copy[literal & ~1] ^ (literal & 1)

    for g, (a, b) in enumerate(zip(circuit.left, circuit.right, strict=True), first):
        # a and (a implies b): the same with other gates
        copy[2 * g] = gate(of(a), gate(of(a), of(b) ^ 1) ^ 1)
    after = [shifted(f) for f in circuit.next]
    after += [of(circuit.next[n]) ^ sign[n] for n in twins]
    bad = {name: shifted(f) for name, f in circuit.bad.items()}
    if twins:
        n = random.choice(twins)
        x, y = 2 * (circuit.first_latch + n), latch[circuit.first_latch + n]
        bad["twins"] = gate(gate(x, y) ^ 1, gate(x ^ 1, y ^ 1) ^ 1)
    return Circuit(
        inputs=circuit.inputs,
        next=after,
        reset=[*circuit.reset, *(circuit.reset[n] ^ sign[n] for n in twins)],
        left=left,
        right=right,
        bad=bad,
        constraints=[shifted(c) for c in circuit.constraints],
    )


def reachable(circuit: Circuit) -> set[tuple[int, ...]]:
    """States in which a run can be, the constraints of their step included."""
    rows = list(itertools.product((0, 1), repeat=circuit.inputs))
    stack = list(itertools.product(*[(0, 1) if reset == ANY else (reset,) for reset in circuit.reset]))
    seen, found = set(stack), set()
    while stack:
        state = stack.pop()
        for row in rows:
            values = evaluate(circuit, row, state)
            if all(literal_value(values, c) for c in circuit.constraints):
                found.add(state)
                after = tuple(successor(circuit, values))
                if after not in seen:
                    seen.add(after)
                    stack.append(after)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_what_is_called_equal_is_equal_in_every_reachable_state(seed: int) -> None:
    random = Random(seed)
    merged = 0
    for number in range(60):
        circuit = random_circuit(random, 6 if number % 2 else 4, gates=12)
        if number % 2 == 0:
            circuit = twinned(random, circuit)
        classes = equal_latches(circuit)
        for state in reachable(circuit):
            values = [0] * circuit.first_latch + list(state)
            for first, *others in classes:
                assert all(literal_value(values, x) == literal_value(values, first) for x in others)
        merged += sum(len(group) - 1 for group in classes)
    assert merged > 60


@pytest.mark.parametrize("engine", ["pdr", "bmc", "kind", "pdr-ia"])
def test_engines_agree_with_explicit_search_on_twins(engine: str) -> None:
    options = {"pdr": pdr.Options(), "bmc": bmc.Options(bound=10), "kind": kind.Options(max_k=20)}.get(engine)
    random = Random(3)
    seen = {"safe": 0, "unsafe": 0, "unknown": 0}
    info = REGISTRY[engine]
    for _ in range(16 if engine == "pdr-ia" else 120):
        circuit = twinned(random, random_circuit(random, 5, gates=15))
        reduction = prepare(circuit, info, Preparation())
        module = info.load()
        found = module.check(reduction.model, options or module.Options(), Context())
        verdict = reduction.verdict_back(found)
        expected = shortest_violation(circuit)
        if isinstance(verdict, Safe):
            assert expected is None
            report = check_certificate(circuit, verdict.certificate)
            assert report.accepted, str(report)
            seen["safe"] += 1
        elif isinstance(verdict, Unsafe):
            assert expected is not None
            replay(circuit, verdict.trace)
            seen["unsafe"] += 1
        else:
            seen["unknown"] += 1
    assert seen["unsafe"] > 1
    assert seen["safe" if engine != "bmc" else "unknown"] > 1


def test_twins_are_merged() -> None:
    """A counter of four bits and its opposite: one of each pair is left, and one bad literal is false."""
    left, right, after = [], [], []

    def gate(a: int, b: int) -> int:
        left.append(a)
        right.append(b)
        return 2 * (5 + len(left) - 1)

    carry = 1
    for n in range(4):
        x = 2 * (1 + n)
        after.append(gate(gate(x, carry) ^ 1, gate(x ^ 1, carry ^ 1) ^ 1))
        carry = gate(x, carry)
    counter = Circuit(0, after, [0, 1, 0, 0], left, right, {"full": gate(carry, 1)})
    circuit = twinned(Random(1), counter)
    assert sorted(map(len, equal_latches(circuit))) == [2, 2, 2, 2]
    small = merge_latches(circuit).model
    assert small.latches == 4 and small.bad["twins"] == 0


def test_latches_without_a_reset_are_not_equal_for_having_the_same_next_state() -> None:
    """The trap: with both taken as 0 at first, 4 and not 6 would never be true."""
    circuit = Circuit(1, next=[2, 2], reset=[ANY, ANY], left=[7], right=[4], bad={"b": 8})
    assert equal_latches(circuit) == []
    assert merge_latches(circuit).model is circuit
    assert shortest_violation(circuit) == 0


def test_latches_without_a_reset_may_be_equal_by_a_constraint() -> None:
    """2 and 4 keep their values, 6 becomes true, and 10 is "2, not 4, and 6". The constraints, not
    both and not neither, say that 2 and 4 are opposite: a run must start that way."""
    both, neither = 12, 14
    circuit = Circuit(
        0, next=[2, 4, 1], reset=[ANY, ANY, 0], left=[5, 8, 4, 5], right=[2, 6, 2, 3], bad={"b": 10},
        constraints=[both ^ 1, neither ^ 1],
    )
    assert equal_latches(circuit) == [[2, 5]]
    reduction = merge_latches(circuit)
    assert reduction.model.latches == 2 and not reduction.model.constraints
    verdict = reduction.verdict_back(pdr.check(reduction.model, pdr.Options(), Context()))
    assert isinstance(verdict, Unsafe)
    replay(circuit, verdict.trace)
    assert verdict.trace.initial[:2] == (1, 0)


def test_a_formula_about_opposite_latches_is_carried_back() -> None:
    """Regression: the sign of a latch that equals the negation of another was lost in formulas."""
    info = REGISTRY["pdr-ia"]
    module = info.load()
    # The latch 4 flips when the input 2 is true; 6 is its opposite, by other gates; 8 is both.
    left = [6, 4, 5, 13, 7, 6, 19]
    right = [4, 3, 2, 11, 3, 2, 17]
    circuit = Circuit(1, next=[15, 20], reset=[0, 1], left=left, right=right, bad={"both": 8})
    assert shortest_violation(circuit) is None
    assert equal_latches(circuit) == [[4, 7]]
    reduction = prepare(circuit, info, Preparation())
    verdict = reduction.verdict_back(module.check(reduction.model, module.Options(), Context()))
    assert isinstance(verdict, Safe)
    report = check_certificate(circuit, verdict.certificate)
    assert report.accepted, str(report)


def test_nothing_is_merged_when_the_work_would_be_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    circuit = twinned(random, random_circuit(random, 6, gates=20))
    assert equal_latches(circuit)
    monkeypatch.setattr(latches, "_QUERIES", 1)
    assert equal_latches(circuit) == []
    assert merge_latches(circuit).model is circuit


def test_the_latch_that_stays_is_the_one_with_a_reset() -> None:
    """Two latches toggle; only a constraint says that the one without a reset starts as the other."""
    free, other, started = 2, 4, 6
    circuit = Circuit(
        inputs=0,
        next=[free ^ 1, other ^ 1, 1],
        reset=[ANY, 1, 0],
        left=[free, free ^ 1, 9, started ^ 1],
        right=[other, other ^ 1, 11, other ^ 1],
        bad={"b0": 14},  # not started, and the other is 0
        constraints=[13],
    )
    assert shortest_violation(circuit) is None
    assert [free, other] in equal_latches(circuit)
    reduction = merge_latches(circuit)
    assert reduction.model.reset.count(ANY) == 0
    verdict = reduction.verdict_back(pdr.check(reduction.model, pdr.Options(), Context()))
    assert isinstance(verdict, Safe) and check_certificate(circuit, verdict.certificate).accepted
