"""Inputs that a circuit needs with one value only.

An input that no next state depends on, and that can only help the constraints and the bad states by being
true, is taken to be true (and the other way round): with it, whatever else is a run, is one still, and what
is bad stays bad. Assumptions written for simulators leave many such inputs, for values that are not defined.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from revet.result.trace import CircuitTrace
from revet.transform.circuit import with_signals
from revet.transform.reduction import Reduction, unchanged

if TYPE_CHECKING:
    from revet.model.circuit import Circuit
    from revet.result.certificate import Certificate

_POSITIVE, _NEGATIVE = 1, 2


def one_sided_inputs(circuit: Circuit) -> Reduction:
    """For invariants over latches and for runs; not for k-induction, which assumes that states are good."""
    fixed = {
        number: int(sides == _POSITIVE)
        for number, sides in enumerate(_sides(circuit)[1 : circuit.first_latch], 1)
        if sides in (_POSITIVE, _NEGATIVE)
    }
    if not fixed:
        return unchanged(circuit)
    return Reduction(with_signals(circuit, fixed), _Back(fixed).trace, _same)


def _sides(circuit: Circuit) -> bytearray:
    """For every signal: is it wanted true, false or both?"""
    sides = bytearray(circuit.size)
    for literal in (*circuit.bad.values(), *circuit.constraints):
        sides[literal >> 1] |= _NEGATIVE if literal & 1 else _POSITIVE
    for literal in circuit.next:
        sides[literal >> 1] |= _POSITIVE | _NEGATIVE
    swapped = (0, _NEGATIVE, _POSITIVE, _POSITIVE | _NEGATIVE)
    first, left, right = circuit.first_gate, circuit.left, circuit.right
    for gate in range(circuit.size - 1, first - 1, -1):
        wanted = sides[gate]
        if wanted:
            for literal in (left[gate - first], right[gate - first]):
                sides[literal >> 1] |= swapped[wanted] if literal & 1 else wanted
    return sides


def _same(certificate: Certificate) -> Certificate:
    return certificate


@dataclass(frozen=True)
class _Back:
    fixed: dict[int, int]

    def trace(self, trace: CircuitTrace) -> CircuitTrace:
        rows = []
        for given in trace.inputs:
            row = list(given)
            for number, value in self.fixed.items():
                row[number - 1] = value
            rows.append(tuple(row))
        return replace(trace, inputs=tuple(rows))
