"""Circuits for the engines that take transition systems.

Formulas go back unchanged: the checker reads them over the same system.
"""

from __future__ import annotations

from revet.model.circuit import Circuit
from revet.model.circuit_system import CircuitSystem, system_of
from revet.result.certificate import Certificate
from revet.result.trace import CircuitTrace, SystemTrace
from revet.transform.reduction import Reduction


def circuit_to_system(circuit: Circuit) -> Reduction:
    made = system_of(circuit)

    def trace_back(trace: SystemTrace) -> CircuitTrace:
        return _circuit_trace(made, trace)

    def certificate_back(certificate: Certificate) -> Certificate:
        return certificate

    return Reduction(made.system, trace_back, certificate_back)


def _circuit_trace(made: CircuitSystem, trace: SystemTrace) -> CircuitTrace:
    """Inputs that are state variables are read off the states; the others matter only for steps."""
    first = trace.states[0]
    initial = tuple(int(bool(first.get(latch, False))) for latch in made.latches)
    rows = []
    for step, state in enumerate(trace.states):
        drawn = trace.inputs[step] if step < len(trace.inputs) else {}
        seen = {**drawn, **state}
        rows.append(tuple(int(bool(seen.get(x, False))) for x in made.inputs))
    return CircuitTrace(initial, tuple(rows), trace.violated)
