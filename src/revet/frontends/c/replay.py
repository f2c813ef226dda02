"""A run of the automaton as a run of the program: its inputs, given to the interpreter of C.

The trace's draws (values that functions without a body return, and what uninitialised variables
hold) determine the run of the source. The interpreter shares nothing with lowering but the syntax
tree, so an error in lowering shows here as a run that does not reach the error.
"""

from __future__ import annotations

import struct
from collections import deque
from typing import Any

from revet.frontends.c.ast import CProgram, Variable
from revet.frontends.c.interpret import Draw, Recorded, run
from revet.frontends.c.interpret.floating import pack
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.property import ERROR_FUNCTIONS
from revet.frontends.c.types import Array, CType, Floating, Int, size_of
from revet.frontends.program import ReplayFailed
from revet.logic.sorts import BitVecSort, FloatSort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value
from revet.result.trace import CfaTrace, Trace


def inputs_of(lowered: Lowered, trace: CfaTrace) -> tuple[list[Draw], dict[Variable, deque[bytes]]]:
    """The values a trace draws: calls in order, and the bytes of uninitialised variables."""
    calls: list[Draw] = []
    memory: dict[Variable, deque[bytes]] = {}
    for step, edge in enumerate(trace.edges):
        for drawn in lowered.inputs.get(edge, ()):
            value = trace.states[step + 1][drawn.variable]
            type = lowered.meanings[drawn.variable].type
            if drawn.uninitialised is None:
                calls.append(Draw(drawn.function, c_value(value, drawn.variable, type), type, drawn.position))
            else:
                data = _bytes(value, drawn.variable, drawn.uninitialised.type, type)
                memory.setdefault(drawn.uninitialised, deque()).append(data)
    return calls, memory


def c_value(value: Value, term: Term, type: CType) -> Any:
    """A value of the automaton as the interpreter's: integers in the type's range, floats."""
    return _scalar(value, term.sort, type)


def _scalar(value: Any, sort: object, type: CType) -> Any:
    if isinstance(sort, FloatSort):
        return _float(int(value), sort)
    if isinstance(sort, BitVecSort) and isinstance(type, Int):
        return type.wrap(int(value))
    return int(value)


def _float(bits: int, sort: FloatSort) -> float:
    data = bits.to_bytes(sort.width // 8, "little")
    number: float = struct.unpack("<f" if sort.width == 32 else "<d", data)[0]
    return number


def _bytes(value: Value, term: Term, whole: CType, scalar: CType) -> bytes:
    if not isinstance(whole, Array) or not isinstance(value, ArrayValue):
        return _pack(_scalar(value, term.sort, scalar), scalar)
    element = getattr(term.sort, "element", None)
    size = size_of(scalar)
    data = bytearray(_pack(_scalar(value.default, element, scalar), scalar) * (size_of(whole) // size))
    for index, entry in value.entries.items():
        start = int(index) * size  # type: ignore[arg-type]
        if 0 <= start <= len(data) - size:
            data[start : start + size] = _pack(_scalar(entry, element, scalar), scalar)
    return bytes(data)


def _pack(value: Any, type: CType) -> bytes:
    if isinstance(type, Floating):
        return pack(value, type)
    size = size_of(type)
    return int(value % (1 << 8 * size)).to_bytes(size, "little")


def replay(lowered: Lowered, tree: CProgram, property: str, trace: Trace) -> list[str]:
    """Confirm a trace with the interpreter; notes about how."""
    if not isinstance(trace, CfaTrace):
        raise ReplayFailed("not a run of an automaton")
    if trace.locations[-1] in lowered.cuts:
        raise ReplayFailed(f"the model ends at {trace.violated}, the program goes on")
    calls, memory = inputs_of(lowered, trace)
    overflow = property == "no-overflow"
    outcome = run(
        tree, Recorded(calls, memory), error_functions=() if overflow else ERROR_FUNCTIONS,
        stop_at=("overflow",) if overflow else (),
    )
    if outcome.kind != "error":
        where = f" at {outcome.at}" if outcome.at else ""
        raise ReplayFailed(f"the source does not reach the error: {outcome.kind}{where}: {outcome.message}")
    return [f"confirmed by the interpreter of C in {outcome.steps} steps"]
