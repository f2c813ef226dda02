"""A run of the source, as stepping through it in a debugger would show it.

The interpreter tells a :class:`Session` every statement and every variable that changes. What a variable
holds that was never assigned is shown where it is read first. Long runs keep their beginning and their
end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from revet.errors import Position
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret import Frame, Outcome
from revet.frontends.boogie.lower_flow import source_text
from revet.frontends.boogie.lower_types import numbered
from revet.frontends.kit.source_run import SourceRun, SourceStep
from revet.logic.values import ArrayValue


@dataclass(slots=True)
class _Step:
    at: Position
    procedure: str
    depth: int
    text: str
    changes: list[tuple[str, str]] = field(default_factory=list)


class Session:
    """Records a run; keeps the first ``head`` and the last ``tail`` steps."""

    def __init__(self, checked: s.Checked, head: int = 60, tail: int = 60) -> None:
        self.checked = checked
        self.program = checked.program
        self.count = 0
        self._names = {
            (constant.type, number): constant.name for constant, number in _numbers(checked).items()
        }
        self._head: list[_Step] = []
        self._tail: deque[_Step] = deque(maxlen=tail)
        self._room = head
        self._current: _Step | None = None
        self._unseen: set[s.Variable] = set()  # hold what they were given by nobody

    # ---- the interpreter tells --------------------------------------------------------------

    def start(self, shared: Mapping[s.Variable, Any]) -> None:
        numbered = _numbers(self.checked)
        self._unseen |= {variable for variable in shared if variable not in numbered}

    def read(self, variable: s.Variable, value: Any) -> None:
        if variable in self._unseen:
            self._unseen.discard(variable)
            if self._current is not None:
                self._current.changes.append((variable.name, self.show(value, variable.type)))

    def enter(self, frame: Frame) -> None:
        self._unseen |= {*frame.implementation.outputs, *frame.implementation.body.locals}
        if frame.call is not None:
            shown = [
                f"{parameter.name} = {self.show(frame.values[parameter], parameter.type)}"
                for parameter in frame.procedure.inputs
            ]
            text = f"{frame.procedure.name}({', '.join(shown)})"
            self._begin(_Step(frame.procedure.position, frame.procedure.name, frame.depth, text))
            return
        start = _Step(frame.procedure.position, frame.procedure.name, frame.depth, "")
        start.text = source_text(self.program, frame.procedure.position)
        self._begin(start)
        for parameter in frame.procedure.inputs:
            self.change(frame, parameter, frame.values[parameter])

    def statement(self, frame: Frame, at: Position) -> None:
        self._begin(_Step(at, frame.procedure.name, frame.depth, source_text(self.program, at)))

    def change(self, frame: Frame, variable: s.Variable, value: Any) -> None:
        self._unseen.discard(variable)
        if self._current is not None:
            self._current.changes.append((variable.name, self.show(value, variable.type)))

    def _begin(self, step: _Step) -> None:
        self.count += 1
        self._current = step
        if len(self._head) < self._room:
            self._head.append(step)
        else:
            self._tail.append(step)

    def show(self, value: Any, type: s.Type) -> str:
        """A value as Boogie writes it, more or less; elements of own types by their constants."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Fraction):
            whole = value.denominator == 1
            return f"{value.numerator}.0" if whole else f"{value.numerator}/{value.denominator}"
        if isinstance(type, s.BitVectorType):
            return f"{value}bv{type.width}"
        if isinstance(type, s.NamedType):
            return self._names.get((type, value)) or f"{type}#{value}"
        if isinstance(value, ArrayValue) and isinstance(type, s.MapType):
            return self._show_map(value, type)
        return str(value)

    def _show_map(self, value: ArrayValue, type: s.MapType) -> str:
        rows: list[tuple[tuple[str, ...], str]] = []
        level: list[tuple[tuple[str, ...], Any]] = [((), value)]
        for index in type.domain:
            level = [
                ((*path, text), inner)
                for path, map_ in level
                for text, inner in (
                    *((self.show(at, index), entry) for at, entry in map_.entries.items()),
                    ("_", map_.default),
                )
            ]
        rows = [(path, self.show(inner, type.range)) for path, inner in level]
        shown = [f"[{', '.join(path)}] = {text}" for path, text in rows[:12]]
        return "{" + "; ".join(shown) + ("; …" if len(rows) > 12 else "") + "}"

    # ---- the answer -------------------------------------------------------------------------

    @property
    def left_out(self) -> int:
        return self.count - len(self._head) - len(self._tail)

    def source_run(self, outcome: Outcome) -> SourceRun:
        """The session as data, for reports."""
        steps = tuple(
            SourceStep(step.text, step.at, tuple(step.changes), step.procedure, step.depth)
            for step in (*self._head, *self._tail)
        )
        return SourceRun(steps, _ending(outcome), gap=len(self._head), left_out=self.left_out)

    def beginning(self, rest: str) -> str:
        """The first steps as text, and a line about the others."""
        return "\n".join([*_lines(self._head), f"        … {rest}"]) + "\n"

    def render(self, outcome: Outcome) -> str:
        """The session as text, ending with how the run ended."""
        lines = _lines(self._head)
        if self.left_out:
            lines.append(f"        … {self.left_out} steps …")
        lines += _lines(self._tail)
        lines.append(_ending(outcome))
        return "\n".join(lines) + "\n"


def _ending(outcome: Outcome) -> str:
    return f"{outcome.at}: {outcome.message}"


def _lines(steps: Iterable[_Step]) -> list[str]:
    """A heading whenever the activation changes, then line numbers, statements and changes."""
    lines: list[str] = []
    where: tuple[str, int] | None = None
    for step in steps:
        indent = "  " * min(step.depth, 8)  # deep recursion stays on the page
        here = (step.procedure, step.depth)
        if here != where:
            lines.append(f"{indent}{step.procedure} at {step.at.file}")
            where = here
        head = f"{indent}{step.at.line:>6}  {step.text}"
        shown = [f"{name} = {value}" for name, value in step.changes]
        shown = [change for change in shown if change != step.text.replace(":=", "=")]
        lines.append(f"{head:<56}  {', '.join(shown)}" if shown else head)
    return lines


def _numbers(checked: s.Checked) -> dict[s.Variable, int]:
    return numbered(checked.constants.values())
