"""Classes of latches that may be equal or opposite, split by bit-parallel simulation.

A class is a list of literals that may all be equal. The first is the representative; it is not
negated, and the constant 0 represents the latches that may be constant.

Signals are simulated in many runs at once, one bit of a number each (a *lane*), and both a signal
and its negation are kept, so that a gate is one operation without a branch.
"""

from __future__ import annotations

from _random import Random
from typing import TYPE_CHECKING

from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.model.circuit import Circuit

_LANES = 256
_ALL = (1 << _LANES) - 1
_STEPS = 8
"""Of the runs from the initial states."""
_QUIET = 2
"""Steps from random states that split nothing, after which it is time for a solver."""


class TooMuch(Exception):
    """The bound on work is reached."""


class LatchClasses:
    """``groups`` are the classes with at least two members. ``work`` bounds the signals simulated,
    each in all lanes."""

    def __init__(self, circuit: Circuit, work: int) -> None:
        self.circuit = circuit
        self.groups: list[list[int]] = []
        self._random = Random(circuit.size)
        self._left = work
        self._place: dict[int, int] | None = {}  # which class a signal is in, once it was asked
        self._values = [0] * (2 * circuit.size)  # by literal
        first = circuit.first_gate
        self._gates = [
            (2 * gate, a, b)
            for gate, (a, b) in enumerate(zip(circuit.left, circuit.right, strict=True), first)
        ]

    # Classes

    @property
    def superfluous(self) -> int:
        """How many latches can go if all classes are right."""
        return sum(map(len, self.groups)) - len(self.groups)

    def pairs(self) -> list[tuple[int, int]]:
        """Each member with its representative."""
        return [(first, x) for first, *others in self.groups for x in others]

    def together(self, one: int, other: int) -> bool:
        """May the two literals, once in one class, still be equal?"""
        if self._place is None:
            self._place = {x >> 1: n for n, group in enumerate(self.groups) for x in group}
        place = self._place
        return place.get(one >> 1, -1) == place.get(other >> 1, -2)

    def remove(self, literal: int) -> None:
        """It is not known to equal anything."""
        self._replace([[x for x in group if x >> 1 != literal >> 1] for group in self.groups])

    def split(self, latches: Sequence[int], lanes: int) -> bool:
        """Keep together what agrees in the given lanes; says whether anything was split."""
        start = self.circuit.first_latch
        found: list[list[int]] = []
        for group in self.groups:
            by_value: dict[int, list[int]] = {}
            for x in group:
                value = latches[(x >> 1) - start] if x > 1 else 0
                by_value.setdefault((~value if x & 1 else value) & lanes, []).append(x)
            found += by_value.values()
        if len(found) == len(self.groups):
            return False
        self._replace(found)
        return True

    def _replace(self, groups: list[list[int]]) -> None:
        self.groups = [
            [x ^ (group[0] & 1) for x in group] for group in groups if len(group) > 1
        ]
        self._place = None

    # Simulation

    def look_alike(self) -> None:
        """The first classes: all that random runs from the initial states do not tell apart."""
        circuit, bits = self.circuit, self._random.getrandbits
        latches = [bits(_LANES) if reset == ANY else reset * _ALL for reset in circuit.reset]
        lanes = _ALL
        for step in range(_STEPS):
            after, allowed = self._step(self._noise(circuit.inputs), latches)
            lanes &= allowed
            if step == 0:  # with the sign that a latch has in some run
                some = lanes & -lanes or 1
                signed = [2 * n + bool(x & some) for n, x in enumerate(latches, circuit.first_latch)]
                self._replace([[0, *signed]])
            self.split(latches, lanes)
            if not lanes or not self.groups:
                return
            latches = after

    def shake(self) -> None:
        """Split by one step from random states, in which what may be equal is equal: what splits
        is not implied by the equalities."""
        quiet = 0
        while self.groups and quiet < _QUIET:
            quiet += 1
            if self._split_after(self._noise(self.circuit.inputs), self._noise(self.circuit.latches)):
                quiet = 0

    def split_near(self, inputs: Sequence[int], latches: Sequence[int]) -> None:
        """Split by a step (in lane 0) from a state with all equalities, and by others like it.

        Again and again: what was split may take others along in the next step, as in a shift
        register, and a simulated step costs less than a round of queries.
        """
        split = self._split_after(self._near(inputs), self._near(latches))
        if not split:
            raise AssertionError("a counterexample to the equalities splits no class")
        while split:
            split = self._split_after(self._near(inputs), self._near(latches))

    def focus(self) -> None:
        """From now on simulate only what the next states in the classes depend on."""
        circuit = self.circuit
        roots = [circuit.next[(x >> 1) - circuit.first_latch] for group in self.groups for x in group if x]
        cone = circuit.cone([*roots, *circuit.constraints])
        self._gates = [gate for gate in self._gates if cone[gate[0] >> 1]]

    def _split_after(self, inputs: list[int], latches: list[int]) -> bool:
        """The states are made to have the equalities first."""
        start = self.circuit.first_latch
        for first, *others in self.groups:
            value = latches[(first >> 1) - start] if first else 0
            for x in others:
                latches[(x >> 1) - start] = value ^ _ALL if x & 1 else value
        return self.split(*self._step(inputs, latches))

    def _noise(self, count: int, sparse: int = 1) -> list[int]:
        """Random words, in which one bit in 2^sparse is set."""
        bits = self._random.getrandbits
        words = [bits(_LANES) for _ in range(count)]
        for _ in range(sparse - 1):
            words = [word & bits(_LANES) for word in words]
        return words

    def _near(self, bits: Sequence[int]) -> list[int]:
        """The same bits in lane 0, and a few different ones in each other lane."""
        return [bit * _ALL ^ noise & -2 for bit, noise in zip(bits, self._noise(len(bits), 3), strict=True)]

    def _step(self, inputs: list[int], latches: list[int]) -> tuple[list[int], int]:
        """The latches after a step, and the lanes in which the constraints hold before it."""
        self._left -= len(self._gates) + len(latches)
        if self._left < 0:
            raise TooMuch
        values = self._values
        given = [0, *inputs, *latches]
        values[: 2 * len(given) : 2] = given
        values[1 : 2 * len(given) : 2] = [value ^ _ALL for value in given]
        for gate, a, b in self._gates:
            value = values[a] & values[b]
            values[gate] = value
            values[gate + 1] = value ^ _ALL
        lanes = _ALL
        for constraint in self.circuit.constraints:
            lanes &= values[constraint]
        return [values[f] for f in self.circuit.next], lanes
