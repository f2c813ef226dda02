"""Gates that are simplified as they are made mean what was asked for."""

from __future__ import annotations

import random

import pytest

from revet.engines.common.frames import _Graph
from revet.model.circuit import Circuit
from revet.transform.gates import FALSE, Gates
from revet.transform.one_sided import one_sided_inputs

INPUTS = 4
ALL = (1 << (1 << INPUTS)) - 1
TABLES = [sum(1 << row for row in range(1 << INPUTS) if row >> n & 1) for n in range(INPUTS)]
"""The truth table of each input."""


class Tables:
    """The truth table of every literal of some gates."""

    def __init__(self, gates: Gates, inputs: list[int]) -> None:
        self.gates = gates
        self.known = {0: 0, **{x >> 1: table for x, table in zip(inputs, TABLES, strict=True)}}

    def of(self, literal: int) -> int:
        signal = literal >> 1
        if signal not in self.known:
            at = signal - self.gates.first
            self.known[signal] = self.of(self.gates.left[at]) & self.of(self.gates.right[at])
        return self.known[signal] ^ (ALL if literal & 1 else 0)


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_random_gates_mean_what_was_asked_for(seed: int, drawn: bool) -> None:
    """``drawn``: inputs are signals among the gates, as in unrolled circuits."""
    choose = random.Random(seed)
    graph = _Graph(1)
    inputs = [graph.free() for _ in range(INPUTS)] if drawn else [2 * n + 2 for n in range(INPUTS)]
    gates: Gates = graph if drawn else Gates(1 + INPUTS)
    tables, literals = Tables(gates, inputs), list(inputs)
    for _ in range(40):
        x, y, z = (choose.choice(literals[-10:]) ^ choose.randint(0, 1) for _ in range(3))
        a, b, c = map(tables.of, (x, y, z))
        match choose.randrange(4):
            case 0:
                made, meant = gates.xor(x, y), a ^ b
            case 1:
                made, meant = gates.ite(x, y, z), a & b | (a ^ ALL) & c
            case _:
                made, meant = gates.and_(x, y), a & b
        assert tables.of(made) == meant
        literals.append(made)


def test_a_choice_whose_condition_is_known_is_made() -> None:
    """An assumption as synthesis writes it: *(if c then x else anything) or not c*."""
    gates = Gates(4)
    c, x, anything = 2, 4, 6
    assumption = gates.or_(gates.ite(c, x, anything), c ^ 1)
    assert assumption == gates.or_(x, c ^ 1)


@pytest.mark.parametrize("seed", range(100))
def test_one_sided_inputs_help(seed: int) -> None:
    """With their values, whatever the other inputs are: what was allowed is allowed, what was bad is bad."""
    choose = random.Random(seed)
    left: list[int] = []
    right: list[int] = []
    for gate in range(1 + INPUTS, 9 + INPUTS):
        left.append(choose.randrange(2, 2 * gate))
        right.append(choose.randrange(2, 2 * gate))
    roots = [choose.randrange(2, 2 * (9 + INPUTS)) for _ in range(2)]
    circuit = Circuit(INPUTS, [], [], left, right, {"p": roots[0]}, [roots[1]])
    old, new = _functions(circuit), _functions(one_sided_inputs(circuit).model)
    for before, after in zip(old, new, strict=True):
        assert before & ~after == 0
    both = old[0] & old[1]
    assert bool(both) == bool(new[0] & new[1])


def _functions(circuit: Circuit) -> tuple[int, int]:
    gates = Gates(circuit.first_gate)
    gates.left, gates.right = list(circuit.left), list(circuit.right)
    tables = Tables(gates, [2 * n + 2 for n in range(INPUTS)])
    allowed = ALL
    for literal in circuit.constraints:
        allowed &= tables.of(literal)
    return tables.of(circuit.bad["p"]), allowed


def test_an_input_that_latches_read_is_left_alone() -> None:
    circuit = Circuit(1, [2], [0], [], [], {"p": 2}, [])
    assert one_sided_inputs(circuit).model is circuit
    assert one_sided_inputs(Circuit(1, [], [], [], [], {"p": 2}, [])).model.bad["p"] == FALSE + 1
