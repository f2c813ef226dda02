"""Small circuits that take engines long: for runs in which something happens meanwhile."""

from __future__ import annotations

from revet.frontends.aiger.writer import write_aiger
from revet.model.circuit import Circuit


class _Gates:
    """Literals as in AIGER: 0 is false, 1 true, odd ones are negated."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.left: list[int] = []
        self.right: list[int] = []

    def both(self, a: int, b: int) -> int:
        self.left.append(a)
        self.right.append(b)
        return 2 * (self.first + len(self.left) - 1)

    def differ(self, a: int, b: int) -> int:
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def add(self, xs: list[int], ys: list[int], carry: int = 0) -> list[int]:
        """Modulo two to their width."""
        result = []
        for x, y in zip(xs, ys, strict=True):
            half = self.differ(x, y)
            result.append(self.differ(half, carry))
            carry = self.both(self.both(x, y) ^ 1, self.both(half, carry) ^ 1) ^ 1
        return result

    def multiply(self, xs: list[int], ys: list[int]) -> list[int]:
        total = [0] * len(xs)
        for shift, y in enumerate(ys):
            row = [0] * shift + [self.both(x, y) for x in xs[: len(xs) - shift]]
            total = self.add(total, row)
        return total


def multipliers(width: int) -> bytes:
    """Two registers, loaded at every step: is x * y always y * x? Yes, but a solver has to work."""
    inputs = latches = 2 * width
    first = 1 + inputs + latches
    gates = _Gates(first)
    state = [2 * (1 + inputs + n) for n in range(latches)]
    xs, ys = state[:width], state[width:]
    bad = 0
    for a, b in zip(gates.multiply(xs, ys), gates.multiply(ys, xs), strict=True):
        bad = gates.both(bad ^ 1, gates.differ(a, b) ^ 1) ^ 1
    loaded = [2 * (1 + n) for n in range(inputs)]
    return write_aiger(Circuit(inputs, loaded, [0] * latches, gates.left, gates.right, {"b0": bad}))


def counter(width: int, last: int) -> bytes:
    """Counts when its input is on; bad at ``last``."""
    gates = _Gates(2 + width)
    state = [2 * (2 + n) for n in range(width)]
    after = gates.add(state, [0] * width, carry=2)
    bad = 1
    for n, bit in enumerate(state):
        bad = gates.both(bad, bit ^ (last >> n & 1 ^ 1))
    return write_aiger(Circuit(1, after, [0] * width, gates.left, gates.right, {"b0": bad}))
