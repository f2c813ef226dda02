"""The inputs of a run of the automaton, as the interpreter of C wants them.

The trace's draws (values that functions without a body return, and what uninitialised variables and
blocks of memory hold) determine the run of the source. The interpreter shares nothing with lowering
but the syntax tree, so an error in lowering shows as a run that does not reach the error (evidence.py).

What memory holds is looked up when the interpreter reads it (image.py).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from revet.errors import Position
from revet.frontends.c.ast import Span, Variable
from revet.frontends.c.checks import Check
from revet.frontends.c.image import Image, Outside, scalar_value
from revet.frontends.c.interpret import Draw, Recorded
from revet.frontends.c.interpret.draws import drawn_bytes
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import Contents
from revet.frontends.c.interpret.recorder import Recorder
from revet.frontends.c.library.conventions import SCANNED
from revet.frontends.c.lower.flow import Held, Input
from revet.frontends.c.lower.program import Lowered
from revet.frontends.c.types import Array, CType, Pointer, Record, size_of
from revet.logic.evaluate import evaluate
from revet.logic.terms import Term
from revet.logic.values import ArrayValue, Value
from revet.model.cfa import Edge
from revet.model.execute import draws, recover_draws
from revet.result.trace import CfaTrace, State


@dataclass(eq=False)
class Inputs:
    """What a run draws: calls in order, the contents of uninitialised variables and of blocks."""

    outside: Outside
    calls: list[Draw] = field(default_factory=list)
    variables: dict[Variable, deque[bytes | Contents]] = field(default_factory=dict)
    blocks: dict[Position, deque[bytes | Contents]] = field(default_factory=dict)

    def recorded(self) -> Recorded:
        return Recorded(self.calls, self.variables, self.blocks, self.outside.read)


def inputs_of(lowered: Lowered, trace: CfaTrace) -> Inputs:
    """The values a trace draws."""
    strict = not {Check.POINTER, Check.LIBRARY}.isdisjoint(lowered.broken.values())
    found = Inputs(Outside(lowered.layout, trace, strict))
    structures: dict[tuple[Variable, int], bytearray] = {}
    for step, edge in enumerate(trace.edges):
        values = _drawn(lowered, trace, step, edge) if edge in lowered.inputs else {}
        after = trace.states[step + 1]
        for drawn in lowered.inputs.get(edge, ()):
            if isinstance(drawn, Held):
                _hold(found, drawn, after)
                continue
            known = values.get(drawn.variable)  # none where the draw went through a temporary
            value = known.popleft() if known else after[drawn.variable]
            type = lowered.meanings[drawn.variable].type
            scalar = _input(found.outside, value, drawn, type)
            variable = drawn.uninitialised
            if variable is None and drawn.function == SCANNED:
                continue  # the interpreter reads the text
            if variable is None:
                found.calls.append(Draw(drawn.function, scalar, type, drawn.position))
            elif isinstance(variable.type, Record | Array) and not isinstance(value, ArrayValue):
                whole = structures.setdefault((variable, step), bytearray(size_of(variable.type)))
                packed = drawn_bytes(scalar, type)
                whole[drawn.offset : drawn.offset + len(packed)] = packed
            else:
                data = drawn_bytes(scalar, type) if scalar is not None else _bytes(value, drawn, type)
                found.variables.setdefault(variable, deque()).append(data)
    for (variable, _), whole in structures.items():
        found.variables.setdefault(variable, deque()).append(bytes(whole))
    return found


def _hold(found: Inputs, drawn: Held, after: State) -> None:
    address = evaluate(drawn.address, after)
    assert isinstance(address, int)
    variable = drawn.variable
    image = Image(found.outside, drawn.region, address, after, variable.type if variable else None, True)
    if variable is None:
        found.blocks.setdefault(drawn.position, deque()).append(image.read)
    else:
        found.variables.setdefault(variable, deque()).append(image.read)


def _input(outside: Outside, value: Value, drawn: Input, type: CType) -> Any:
    """A drawn scalar as the interpreter's; pointers get the number by which it knows what is there."""
    if isinstance(value, ArrayValue):
        return None
    scalar = scalar_value(value, drawn.variable.sort, type)
    if not isinstance(type, Pointer):
        return scalar
    if drawn.uninitialised is not None:
        return outside.unwritten(scalar, outside.pointee_of(drawn.uninitialised, drawn.offset))
    return outside.pointer(scalar, drawn.region)


def _drawn(lowered: Lowered, trace: CfaTrace, step: int, edge: Edge) -> dict[Term, deque[Value]]:
    """What each variable's havocs on an edge drew, in order."""
    given = trace.inputs[step] if trace.inputs else {}
    found: dict[Term, deque[Value]] = {}
    locals_ = lowered.cfa.relation(edge).locals
    values = recover_draws(edge.statements, locals_, given, trace.states[step + 1])
    for variable, value in zip(draws(edge.statements), values, strict=True):
        found.setdefault(variable, deque()).append(value)
    return found


def _bytes(value: Value, drawn: Input, scalar: CType) -> bytes:
    """An array that is one SMT array of its own."""
    assert isinstance(value, ArrayValue) and drawn.uninitialised is not None
    whole, element = drawn.uninitialised.type, getattr(drawn.variable.sort, "element", None)
    size = size_of(scalar)
    default = drawn_bytes(scalar_value(value.default, element, scalar), scalar)
    data = bytearray(default * (size_of(whole) // size))
    for index, entry in value.entries.items():
        start = int(index) * size  # type: ignore[arg-type]
        if 0 <= start <= len(data) - size:
            data[start : start + size] = drawn_bytes(scalar_value(entry, element, scalar), scalar)
    return bytes(data)


class Drawing(Recorder):
    """Notices statements that draw more than one value: their order is the compiler's choice."""

    def __init__(self) -> None:
        self._here = 0
        self._at: Position | None = None
        self.several: Position | None = None

    def statement(self, machine: Machine, span: Span) -> None:
        self._here = 0
        self._at = span.start

    def drawn(self, machine: Machine, name: str, value: Any) -> None:
        self._here += 1
        if self._here > 1 and self.several is None:
            self.several = self._at
