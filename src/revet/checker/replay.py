"""Replay: a trace is executed on the model, by evaluation alone. No solver has a say here.

``replay(model, trace)`` returns if the trace is a run of the model that ends in a violation, and
raises :class:`ReplayError` otherwise, which says at which step and why. Circuits are here, what
needs terms is in :mod:`revet.checker.replay_terms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.errors import ModelError
from revet.model.circuit import ANY, evaluate, literal_value, successor
from revet.result.trace import CfaTrace, CircuitTrace, Derivation, SystemTrace

if TYPE_CHECKING:
    from revet.model.cfa import Cfa
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.system import TransitionSystem
    from revet.result.trace import Trace


class ReplayError(ModelError):
    """The trace is not a violating run of the model. ``step`` counts from 0, None: the whole."""

    def __init__(self, why: str, step: int | None = None) -> None:
        super().__init__(why if step is None else f"step {step}: {why}")
        self.why = why
        self.step = step


def replay(
    model: Model, trace: Trace, quantifiers: bool = True
) -> None:
    """Execute the trace; see the module's text.

    Quantified formulas cannot be evaluated: a model with some is refused, or, without ``quantifiers``, they
    are left to the interpreter of the source language, which must then confirm the run as well."""
    model.accept(_Replay(trace, quantifiers))


class _Replay:
    """Runs of each kind of model."""

    def __init__(self, trace: Trace, quantifiers: bool) -> None:
        self.trace = trace
        self.quantifiers = quantifiers

    def circuit(self, circuit: Circuit) -> None:
        if not isinstance(self.trace, CircuitTrace):
            raise self._unfit(circuit)
        _replay_circuit(circuit, self.trace)

    def automaton(self, cfa: Cfa) -> None:
        from revet.checker.replay_terms import replay_cfa

        if not isinstance(self.trace, CfaTrace):
            raise self._unfit(cfa)
        replay_cfa(cfa, self.trace)

    def system(self, system: TransitionSystem) -> None:
        from revet.checker.replay_terms import replay_system

        if not isinstance(self.trace, SystemTrace):
            raise self._unfit(system)
        replay_system(system, self.trace, self.quantifiers)

    def clauses(self, clauses: HornSystem) -> None:
        from revet.checker.horn import replay_derivation

        if not isinstance(self.trace, Derivation):
            raise self._unfit(clauses)
        replay_derivation(clauses, self.trace)

    def _unfit(self, model: Model) -> ReplayError:
        return ReplayError(f"a {type(self.trace).__name__} cannot be a run of a {type(model).__name__}")


def _replay_circuit(circuit: Circuit, trace: CircuitTrace) -> None:
    if trace.violated not in circuit.bad:
        raise ReplayError(f"there is no property {trace.violated}")
    if not trace.inputs:
        raise ReplayError("a run has at least one step")
    if len(trace.initial) != circuit.latches or set(trace.initial) - {0, 1}:
        raise ReplayError(f"the first state must have {circuit.latches} bits", 0)
    for number, (value, reset) in enumerate(zip(trace.initial, circuit.reset, strict=True)):
        if reset not in (ANY, value):
            raise ReplayError(f"latch {number} is {value}, but its reset is {reset}", 0)
    latches = list(trace.initial)
    for step, inputs in enumerate(trace.inputs):
        if len(inputs) != circuit.inputs or set(inputs) - {0, 1}:
            raise ReplayError(f"there must be {circuit.inputs} input bits", step)
        values = evaluate(circuit, inputs, latches)
        for number, constraint in enumerate(circuit.constraints):
            if not literal_value(values, constraint):
                raise ReplayError(f"constraint {number} is violated", step)
        latches = successor(circuit, values)
    if not literal_value(values, circuit.bad[trace.violated]):
        raise ReplayError(f"the last step does not violate {trace.violated}", len(trace))
