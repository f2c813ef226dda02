"""Waypoints of a violating run, recorded while the interpreter runs it.

After a statement that draws a value into a variable, the next statement of the same function gets
an *assumption* that says what the variable holds; the *target* is the place of the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from revet.errors import Position
from revet.frontends.c import ast
from revet.frontends.c.harness import NotExpressible, c_value
from revet.frontends.c.interpret.machine import Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.interpret.outcome import Outcome
from revet.frontends.c.interpret.recorder import Recorder
from revet.frontends.c.scopes import Scopes
from revet.frontends.c.types import CType, Int
from revet.frontends.c.witness.writing import Waypoint

_MOST = 5000


@dataclass(slots=True)
class _Pending:
    function: str
    depth: int
    variable: ast.Variable
    constraint: str


class Waypoints(Recorder):
    """A recorder; :meth:`finished` gives the waypoints."""

    def __init__(self, program: ast.CProgram, entry: str = "main") -> None:
        self._start = program.functions[entry].position
        self._scopes = Scopes(program)
        self._found: list[Waypoint] = []
        self._drew = False
        self._at: Position | None = None
        self._pending: list[_Pending] = []

    def statement(self, machine: Machine, span: ast.Span) -> None:
        function, depth = machine.frame.code.name, len(machine.frames)
        if self._pending and span.start == self._at:
            return  # the next declarator of the same declaration
        self._drew, self._at = False, span.start
        for pending in self._pending:
            if (pending.function, pending.depth) != (function, depth) or len(self._found) >= _MOST:
                continue
            variable = pending.variable
            if self._scopes.names(function, span.start).get(variable.name) is variable:
                self._found.append(Waypoint("assumption", span.start, function, pending.constraint))
        self._pending.clear()

    def drawn(self, machine: Machine, name: str, value: Any) -> None:
        self._drew = True

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        if not self._drew or not isinstance(type, Int) or size != target.size:
            return
        self._drew = False
        variable = _variable_of(machine, target)
        if variable is None:
            return
        try:
            constraint = f"{variable.name} == {c_value(value, type)}"
        except NotExpressible:
            return
        self._pending.append(_Pending(machine.frame.code.name, len(machine.frames), variable, constraint))

    def finished(self, outcome: Outcome) -> list[Waypoint]:
        at = outcome.at or self._start
        return [*self._found, Waypoint("target", at, outcome.function)]


def _variable_of(machine: Machine, target: MemoryObject) -> ast.Variable | None:
    """The variable of this object, if it is one of the current function or a global."""
    for slot, found in enumerate(machine.frame.slots):
        if found is target:
            return machine.frame.code.variables[slot]
    return next((v for v, found in machine.statics.items() if found is target and v.is_global), None)
