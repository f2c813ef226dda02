"""The inputs of a run of the automaton, as the interpreter of C wants them.

The trace's draws (values that functions without a body return, and what uninitialised variables
hold) determine the run of the source. The interpreter shares nothing with lowering but the syntax
tree, so an error in lowering shows as a run that does not reach the error (evidence.py).
"""

from __future__ import annotations

import struct
from collections import deque
from typing import Any

from revet.frontends.c.ast import Variable
from revet.frontends.c.interpret import Draw
from revet.frontends.c.interpret.draws import drawn_bytes
from revet.frontends.c.lower.flow import Input
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.types import Array, CType, Int, Record, size_of
from revet.logic.sorts import BitVecSort, FloatSort
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value
from revet.model.cfa import Edge
from revet.model.execute import draws, recover_draws
from revet.result.trace import CfaTrace, State

_UNKNOWN_LENGTH = 4096  # elements of an array of variable length whose contents are carried over


def inputs_of(lowered: Lowered, trace: CfaTrace) -> tuple[list[Draw], dict[Variable, deque[bytes]]]:
    """The values a trace draws: calls in order, and the bytes of uninitialised variables."""
    calls: list[Draw] = []
    memory: dict[Variable, deque[bytes]] = {}
    structures: dict[tuple[Variable, int], bytearray] = {}
    for step, edge in enumerate(trace.edges):
        values = _drawn(lowered, trace, step, edge) if edge in lowered.inputs else {}
        for drawn in lowered.inputs.get(edge, ()):
            after = trace.states[step + 1]
            if drawn.base is not None and drawn.uninitialised is not None:
                memory.setdefault(drawn.uninitialised, deque()).append(_memory(drawn, after))
                continue
            known = values.get(drawn.variable)  # none where the draw went through a temporary
            value = known.popleft() if known else after[drawn.variable]
            type = lowered.meanings[drawn.variable].type
            if drawn.uninitialised is None:
                calls.append(Draw(drawn.function, c_value(value, drawn.variable, type), type, drawn.position))
            elif _is_part(drawn.uninitialised.type, value):
                variable = drawn.uninitialised
                whole = structures.setdefault((variable, step), bytearray(size_of(variable.type)))
                packed = drawn_bytes(c_value(value, drawn.variable, type), type)
                whole[drawn.offset : drawn.offset + len(packed)] = packed
            else:
                data = _bytes(value, drawn.variable, drawn.uninitialised.type, type)
                memory.setdefault(drawn.uninitialised, deque()).append(data)
    for (variable, _), whole in structures.items():
        memory.setdefault(variable, deque()).append(bytes(whole))
    return calls, memory


def _is_part(whole: CType, value: Value) -> bool:
    """Is this the value of one scalar of an aggregate?"""
    return isinstance(whole, Record) or (isinstance(whole, Array) and not isinstance(value, ArrayValue))


def _memory(drawn: Input, state: State) -> bytes:
    """What a variable in memory holds: the elements of its class's SMT array at its address."""
    assert drawn.uninitialised is not None and drawn.base is not None
    scalar = drawn.uninitialised.type
    count = 1
    while isinstance(scalar, Array):
        count *= scalar.count if scalar.count is not None else _UNKNOWN_LENGTH
        scalar = scalar.element
    value, size = state[drawn.variable], size_of(scalar)
    element = getattr(drawn.variable.sort, "element", None)
    assert isinstance(value, ArrayValue)
    places = range(drawn.base, drawn.base + count * size, size)
    return b"".join(drawn_bytes(_scalar(value.select(at), element, scalar), scalar) for at in places)


def _drawn(lowered: Lowered, trace: CfaTrace, step: int, edge: Edge) -> dict[Term, deque[Value]]:
    """What each variable's havocs on an edge drew, in order."""
    given = trace.inputs[step] if trace.inputs else {}
    found: dict[Term, deque[Value]] = {}
    locals_ = lowered.cfa.relation(edge).locals
    values = recover_draws(edge.statements, locals_, given, trace.states[step + 1])
    for variable, value in zip(draws(edge.statements), values, strict=True):
        found.setdefault(variable, deque()).append(value)
    return found


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
        return drawn_bytes(_scalar(value, term.sort, scalar), scalar)
    element = getattr(term.sort, "element", None)
    size = size_of(scalar)
    data = bytearray(drawn_bytes(_scalar(value.default, element, scalar), scalar) * (size_of(whole) // size))
    for index, entry in value.entries.items():
        start = int(index) * size  # type: ignore[arg-type]
        if 0 <= start <= len(data) - size:
            data[start : start + size] = drawn_bytes(_scalar(entry, element, scalar), scalar)
    return bytes(data)
