"""Random circuits, and their truth by explicit search."""

from __future__ import annotations

import itertools
from random import Random

from revet.model.circuit import ANY, Circuit, evaluate, literal_value, successor


def random_circuit(random: Random, latches: int, inputs: int = 2, gates: int = 12) -> Circuit:
    """Small enough for explicit search; resets of all kinds, sometimes constraints and two properties."""
    count = random.randint(1, latches)
    wires = random.randint(0, inputs)
    first = 1 + wires + count
    left: list[int] = []
    right: list[int] = []
    for gate in range(first, first + random.randint(1, gates)):
        left.append(random.randrange(2 * gate))
        right.append(random.randrange(2 * gate))
    top = 2 * (first + len(left))

    def literal() -> int:
        # Late gates more often: they depend on more.
        return max(random.randrange(top), random.randrange(top))

    def gate(a: int, b: int) -> int:
        left.append(a)
        right.append(b)
        return 2 * (first + len(left) - 1)

    def toggled(latch: int) -> int:
        """The latch, flipped when all before it are true (a counter), or when a literal is."""
        flip = literal()
        if random.random() < 0.8:
            flip = 1
            for lower in range(first - count, latch):
                flip = gate(flip, 2 * lower)
        return gate(gate(2 * latch, flip) ^ 1, gate(2 * latch ^ 1, flip ^ 1) ^ 1)

    def rare() -> int:
        """A conjunction of literals of several latches: reached late or never."""
        result = random.choice([1, 1, literal()])
        for latch in random.sample(range(1 + wires, first), random.randint(1, count)):
            result = gate(result, 2 * latch + random.randrange(2))
        return result

    likely = random.choice([0.5, 0.8, 1.0])
    after = [
        toggled(first - count + n) if random.random() < likely else literal() for n in range(count)
    ]

    bad = {f"b{n}": rare() for n in range(random.choice([1, 1, 2]))}
    return Circuit(
        inputs=wires,
        next=after,
        reset=[random.choice([0, 0, 0, 0, 1, 1, ANY]) for _ in range(count)],
        left=left,
        right=right,
        bad=bad,
        constraints=[literal() for _ in range(random.choice([0, 0, 0, 1]))],
    )


def shortest_violation(circuit: Circuit) -> int | None:
    """How many steps the shortest run into a bad state has; None if there is none."""
    rows = list(itertools.product((0, 1), repeat=circuit.inputs))
    lanes = len(rows)
    inputs = [sum(row[n] << lane for lane, row in enumerate(rows)) for n in range(circuit.inputs)]
    ones = (1 << lanes) - 1
    starts = [(0, 1) if reset == ANY else (reset,) for reset in circuit.reset]
    layer = set(itertools.product(*starts))
    seen = set(layer)
    for depth in itertools.count():
        following = set()
        for state in sorted(layer):
            values = evaluate(circuit, inputs, [bit * ones for bit in state], lanes)
            allowed = ones
            for constraint in circuit.constraints:
                allowed &= literal_value(values, constraint, lanes)
            if any(literal_value(values, bad, lanes) & allowed for bad in circuit.bad.values()):
                return depth
            after = successor(circuit, values, lanes)
            for lane in range(lanes):
                if allowed >> lane & 1:
                    following.add(tuple(value >> lane & 1 for value in after))
        layer = following - seen
        if not layer:
            return None
        seen |= layer
    raise AssertionError
