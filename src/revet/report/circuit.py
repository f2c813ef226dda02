"""Circuits for people: runs as waveforms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.model.circuit import Circuit, evaluate, successor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.model.kind import Model
    from revet.result.trace import CircuitTrace

_MOST_SIGNALS = 40
_MOST_STEPS = 100


def latch_rows(circuit: Circuit, trace: CircuitTrace) -> list[list[int]]:
    """The latches at every step of a run."""
    rows = [list(trace.initial)]
    for inputs in trace.inputs[:-1]:
        rows.append(successor(circuit, evaluate(circuit, inputs, rows[-1])))
    return rows


def signals(circuit: Model, trace: CircuitTrace) -> list[tuple[str, list[int]]]:
    """Every input and latch by name, with its values step by step."""
    assert isinstance(circuit, Circuit), "whose run the trace is"
    rows = latch_rows(circuit, trace)
    found = [
        (circuit.name_of(1 + n), [row[n] for row in trace.inputs]) for n in range(circuit.inputs)
    ]
    found += [
        (circuit.name_of(circuit.first_latch + n), [row[n] for row in rows]) for n in range(circuit.latches)
    ]
    return found


def render_circuit_trace(circuit: Model, trace: CircuitTrace) -> str:
    """A waveform; signals that never change are only counted if there are many."""
    lines = [f"counterexample: {trace.violated} is reached after {len(trace)} steps"]
    shown = signals(circuit, trace)
    if len(shown) > _MOST_SIGNALS:
        moving = [(name, values) for name, values in shown if len(set(values)) > 1]
        chosen = moving[:_MOST_SIGNALS]
        lines.append(f"  {len(shown) - len(chosen)} of {len(shown)} signals are left out")
        shown = chosen
    return "\n".join(lines + waveform(shown))


def waveform(rows: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
    """One line a signal, one character a step: low ``_``, high ``▔``."""
    width = max((len(name) for name, _ in rows), default=0)
    lines = []
    for name, values in rows:
        drawn = "".join("▔" if value else "_" for value in values[:_MOST_STEPS])
        more = f" … {len(values) - _MOST_STEPS} more" if len(values) > _MOST_STEPS else ""
        lines.append(f"  {name:{width}}  {drawn}{more}")
    return lines
