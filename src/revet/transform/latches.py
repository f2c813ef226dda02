"""Latches that are always constant, equal or opposite: guessed by simulation, proved by induction.

Papers
    van Eijk: *Sequential equivalence checking based on structural similarities* (IEEE TCAD 2000).
    Mishchenko, Case, Brayton, Jang: *Scalable and scalably-verifiable sequential synthesis* (ICCAD 2008).

Idea → where
    what looks the same in random runs from the initial states        ``LatchClasses.look_alike``
    equalities that do not follow from themselves, seen by a step
    from random states that satisfy them all                          ``LatchClasses.shake``
    base case: latches without a reset are equal in the initial states
    only if constraints say so                                        ``_hold_initially``
    step: all equalities imply each of them after a step; otherwise the
    classes are split by the counterexample and others like it        ``_are_inductive``

Whatever was guessed before, only the last round of :func:`_are_inductive` counts: in it, every
equality that is returned followed from these very equalities and the constraints of the same step.
So they are an inductive invariant, and the checker proves it again as part of the certificate.

Work is bounded by numbers of gates, queries and conflicts, not by time, so that runs can be
repeated; where that is not enough, and in very large circuits, nothing is merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.model.circuit import ANY
from revet.model.circuit_cnf import Encoder
from revet.smt.sat import Sat
from revet.transform.circuit import influence, replace_latches
from revet.transform.latch_classes import LatchClasses, TooMuch
from revet.transform.reduction import unchanged

if TYPE_CHECKING:
    from revet.model.circuit import Circuit
    from revet.transform.reduction import Reduction

_SIMULATED = 24
"""So often the whole circuit is simulated at most: half of what the reductions before this one take."""
_LEAST_SIMULATED = 50_000
"""Signals; a small circuit may be simulated more often."""
_WORTH = 8
"""If fewer than one latch in so many can go, the engines will not notice."""
_LARGEST = 400_000
"""Signals; simulating more than these, even a few times, takes longer than what engines gain."""
_QUERIES = 1000
_CONFLICTS, _CONFLICTS_OF_ONE = 5000, 1000
"""Of all queries and of one; an equality that needs more is given up."""


def merge_latches(circuit: Circuit) -> Reduction:
    """The circuit with one latch for each class of latches that are proved to be equal."""
    if circuit.size > _LARGEST:
        return unchanged(circuit)
    alias = {}
    for group in equal_latches(circuit):
        stays = _representative(circuit, group)
        alias.update({literal >> 1: stays ^ (literal & 1) for literal in group if literal != stays})
    if not alias:
        return unchanged(circuit)
    return replace_latches(circuit, alias, influence(circuit))


def _representative(circuit: Circuit, group: list[int]) -> int:
    """One that has a reset, if any has: that another starts with the same value may be said by a
    constraint only, and the constraint says nothing any more once both are one latch."""
    if group[0] == 0:
        return 0
    first = circuit.first_latch
    return next((x for x in group if circuit.reset[(x >> 1) - first] != ANY), group[0])


def equal_latches(circuit: Circuit) -> list[list[int]]:
    """Lists of literals that are equal, the first a latch or 0; together inductive."""
    classes = LatchClasses(circuit, max(_LEAST_SIMULATED, _SIMULATED * circuit.size))
    try:
        classes.look_alike()
        if _WORTH * classes.superfluous < circuit.latches:
            return []
        classes.focus()
        classes.shake()
        if _WORTH * classes.superfluous < circuit.latches:
            return []
        _hold_initially(circuit, classes)
        _are_inductive(circuit, classes)
    except TooMuch:
        return []
    return classes.groups


class _Prover:
    """A SAT solver that compares literals of one step of the circuit."""

    def __init__(self, circuit: Circuit, roots: list[int]) -> None:
        self.circuit = circuit
        self.encoder = Encoder(circuit, [*roots, *circuit.constraints])
        self.sat = Sat(self.encoder.clauses)
        for constraint in circuit.constraints:
            self.sat.add([self.encoder.literal(constraint)])
        self._last = self.encoder.variables
        self._left = _QUERIES

    def differ(self, one: int, other: int, given: list[int]) -> bool | None:
        """Can they be different where ``given``, literals of the solver, hold? None: not known."""
        a, b = self.encoder.literal(one), self.encoder.literal(other)
        if a == b:
            return False
        answers = []
        for pair in ([-a, b], [a, -b]):
            conflicts = min(_CONFLICTS_OF_ONE, _CONFLICTS - self.sat.conflicts)
            if self._left == 0 or conflicts <= 0:
                raise TooMuch
            self._left -= 1
            answers.append(self.sat.attempt([*given, *pair], conflicts))
            if answers[-1]:
                return True
        return None if None in answers else False

    def model(self) -> tuple[list[int], list[int]]:
        """Inputs and latches, as bits."""
        latches = self.circuit.latches
        bits = [int(x > 0) for x in self.sat.model()[: latches + self.circuit.inputs]]
        return bits[latches:], bits[:latches]

    def assume(self, pairs: list[tuple[int, int]]) -> int:
        """A new literal of the solver, under which the pairs are equal."""
        self._last += 1
        switch, literal, add = self._last, self.encoder.literal, self.sat.add
        for one, other in pairs:
            a, b = literal(one), literal(other)
            add([-switch, -a, b])
            add([-switch, a, -b])
        return switch


def _hold_initially(circuit: Circuit, classes: LatchClasses) -> None:
    """Split classes with latches that have no reset; the others agree by their choice."""
    start = circuit.first_latch
    free = {start + n for n, reset in enumerate(circuit.reset) if reset == ANY}
    asked: set[tuple[int, int]] = set()

    def open_pairs() -> list[tuple[int, int]]:
        found = [pair for pair in classes.pairs() if pair[0] >> 1 in free or pair[1] >> 1 in free]
        return [pair for pair in found if pair not in asked]

    pairs = open_pairs()
    if not pairs:
        return
    prover = _Prover(circuit, [])
    for latch, reset in enumerate(circuit.reset, start):
        if reset != ANY:
            prover.sat.add([prover.encoder.literal(2 * latch + 1 - reset)])
    while pairs:
        for first, x in pairs:
            asked.add((first, x))
            if classes.together(first, x):
                answer = prover.differ(first, x, [])
                if answer:
                    classes.split(prover.model()[1], 1)
                elif answer is None:
                    classes.remove(x)
        pairs = open_pairs()  # what was split off has a new representative


def _are_inductive(circuit: Circuit, classes: LatchClasses) -> None:
    """Split the classes until their equalities follow from all of them in the state before."""

    def after(literal: int) -> int:
        return circuit.next[(literal >> 1) - circuit.first_latch] ^ (literal & 1) if literal else 0

    prover = _Prover(circuit, [after(x) for group in classes.groups for x in group])
    stable = False
    while not stable:
        stable = True
        switch = prover.assume(classes.pairs())
        for first, x in classes.pairs():
            if not classes.together(first, x):
                continue
            answer = prover.differ(after(first), after(x), [switch])
            if answer:
                classes.split_near(*prover.model())
            elif answer is None:
                classes.remove(x)
            stable = stable and answer is False
        prover.sat.add([-switch])
