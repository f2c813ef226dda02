"""A counterexample for people: the run of the source, statement by statement.

The interpreter runs the program with the counterexample's values while a :class:`Session` writes
down every statement and every variable that changes, as stepping through it in a debugger would
show. Functions of the C library are stepped over: what they change is shown with the call. Long runs keep
their beginning and their end.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from revet.errors import Position
from revet.frontends.c.ast import Span
from revet.frontends.c.ast.program import spoken
from revet.frontends.c.entry.driver import DRIVER_FILE
from revet.frontends.c.interpret.machine import Frame, Machine
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.interpret.outcome import Outcome
from revet.frontends.c.interpret.recorder import Recorder
from revet.frontends.c.libc import FILE as LIBRARY
from revet.frontends.c.reader.edits import LENGTH
from revet.frontends.c.shown import Shown, typed
from revet.frontends.c.types import CType, Pointer
from revet.frontends.kit.folding import fold, rounds_text
from revet.frontends.kit.source_run import SourceRun, SourceStep

_LOOP = re.compile(r"(while|for|do)\b")
_MOST_PARTS = 1024  # bytes of an object that is written by the library, of which is told what they hold
_MOST_CHANGES = 16  # that one call is shown to make in an object


@dataclass(slots=True)
class Step:
    """One statement of the run: ``changes`` are (variable, value), ``draws`` (function, value).

    ``entering`` marks the step into a function; its changes are the parameters. ``owners`` say, for
    each change, to which call below the outermost the variable belongs ("f#2: ", or nothing)."""

    at: Position
    function: str
    depth: int
    text: str
    changes: list[tuple[str, str]] = field(default_factory=list)
    draws: list[tuple[str, str]] = field(default_factory=list)
    entering: bool = False
    owners: list[str] = field(default_factory=list)
    rounds: int = 0  # that this step stands for


class Session(Recorder):
    """Records a run; keeps the first ``head`` and the last ``tail`` steps."""

    def __init__(self, head: int = 60, tail: int = 60) -> None:
        self.count = 0
        self._head: list[Step] = []
        self._tail: deque[Step] = deque(maxlen=tail)
        self._room = head
        self._current: Step | None = None
        self._owners: dict[int, tuple[MemoryObject, str]] = {}
        self._shown = Shown()
        self._machine: Machine | None = None
        self._caller: Step | None = None  # of a function of the library that is stepped over
        self._latest: dict[int, Step] = {}  # by depth
        self._frame: Frame | None = None  # of the current step
        self._touched: dict[int, tuple[MemoryObject, list[int]]] = {}  # what it writes: bytes of objects
        self.start: dict[str, str] = {}  # what a driver passes, and the objects it makes

    # ---- the interpreter tells ------------------------------------------------------------

    def statement(self, machine: Machine, span: Span) -> None:
        if machine.frame.code.name and span.text and not _is_hidden(span.start):
            step = Step(span.start, spoken(machine.frame.code.name), _depth(machine), span.text)
            self._back_from_library(step.depth)
            last = self._current
            again = last is not None and (last.at, last.depth, last.text) == (step.at, step.depth, step.text)
            if not again or _LOOP.match(step.text):  # loops turn, others are parts
                self._begin(machine, step)

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        function, depth = machine.frame.code.name, _depth(machine)
        self._machine = machine
        if not function:
            return  # initial values of globals
        name = self._shown.place(target, offset, size)
        if "$" in name or name.startswith(LENGTH):
            return  # a value that the text does not name
        self._shown.learn(machine, name, type, value)
        at = machine.program.functions[function].position
        if at.file == LIBRARY:
            self.filled(machine, target, offset, size)
            return
        if _is_driver(at):
            passed = isinstance(type, Pointer) and target.kind == "variable"
            if not passed and not name.startswith("revet_"):
                self.start[name] = self._shown.value(machine, value, type)
            return
        if self._enters(machine, depth):
            at = self._current.at if self._current else at
            called = spoken(function)
            self._begin(machine, Step(at, called, depth, f"{called}()", entering=True))
        if self._current is not None:
            self._current.changes.append((name, self._shown.value(machine, value, type)))
            self._current.owners.append(self._owner(machine, target))

    def filled(self, machine: Machine, target: MemoryObject, offset: int, size: int) -> None:
        """What the library leaves there is a change of the statement that calls it."""
        self._machine = machine
        callers = [n for n, one in enumerate(machine.frames) if not _is_library(machine, one)]
        caller = self._latest.get(callers[-1] - _outermost(machine))
        if caller is not None and _is_the_programs(machine, target):
            self._caller = caller
            parts = self._touched.setdefault(id(target), (target, []))[1]
            if len(parts) < _MOST_PARTS:
                parts += range(offset, min(offset + size, offset + _MOST_PARTS))

    def _back_from_library(self, depth: int) -> None:
        """The program goes on at this depth of calls; a function that the library calls back is deeper."""
        caller, machine = self._caller, self._machine
        if caller is None or machine is None or depth > caller.depth:
            return
        for target, offsets in self._touched.values():
            found = dict.fromkeys(self._shown.now(machine, target, offset) for offset in sorted(set(offsets)))
            caller.changes += (told := [one for one in found if one is not None][:_MOST_CHANGES])
            caller.owners += [self._owner(machine, target)] * len(told)
        self._caller, self._touched = None, {}

    def _owner(self, machine: Machine, target: MemoryObject) -> str:
        """Calls have variables of their own: those below the outermost are told apart by depth."""
        known = self._owners.get(id(target))
        step = self._current
        if known is None and step is not None and step.entering:  # parameters have no slot yet
            owner = f"{step.function}#{step.depth}: " if step.depth > 0 else ""
            known = self._owners[id(target)] = (target, owner)
        if known is None:
            below = machine.frames[_outermost(machine) + 1 :]
            owner = next(
                (f"{frame.code.name}#{depth}: " for depth, frame in enumerate(below, 1)
                 if any(target is slot for slot in frame.slots)), "",
            )
            known = self._owners[id(target)] = (target, owner)  # kept alive: its id stays its own
        return known[1]

    def drawn(self, machine: Machine, name: str, value: Any) -> None:
        if self._current is not None:
            self._current.draws.append((name, self._shown.value(machine, value, None)))

    def _enters(self, machine: Machine, depth: int) -> bool:
        """Is this the first that is told of a call: one of its parameters?"""
        if self._current is None or depth > self._current.depth:
            return True
        return depth == self._current.depth and machine.frame is not self._frame

    def _begin(self, machine: Machine, step: Step) -> None:
        self.count += 1
        self._current = self._latest[step.depth] = step
        self._frame = machine.frame
        if len(self._head) < self._room:
            self._head.append(step)
        else:
            self._tail.append(step)

    # ---- the answer -----------------------------------------------------------------------

    @property
    def steps(self) -> list[Step]:
        """The steps that were kept, in order."""
        return [*self._head, *self._tail]

    def source_run(self, outcome: Outcome, text: bytes | None = None) -> SourceRun:
        """The session as data, for reports. ``text``: what it read from standard input."""
        steps = tuple(
            SourceStep(
                step.text.removesuffix("{").rstrip(), step.at,
                tuple(
                    (owner + name, value)
                    for owner, (name, value) in zip(step.owners, step.changes, strict=True)
                ),
                step.function, step.depth,
            )
            for step in self.steps
        )
        where = f"{outcome.at}: " if outcome.at is not None else ""
        left_out = self.count - len(self._head) - len(self._tail)
        start = tuple(self._given(text).items())
        return SourceRun(steps, where + outcome.message, start, gap=len(self._head), left_out=left_out)

    def _given(self, text: bytes | None) -> dict[str, str]:
        """What a driver passes: values, and what objects hold as far as the run has looked; and the text."""
        read = {"standard input": typed(text)} if text else {}
        if self._machine is None:
            return read
        driver = self._machine.program.driver
        if driver is not None and driver.entry == "main":
            return {"argc": self.start["argc"], **self._shown.strings(self._machine), **read}
        return {**self._shown.contents(self._machine), **self.start, **read}

    def beginning(self, rest: str) -> str:
        """The first steps as text, and a line about the others."""
        return "\n".join([*_lines(self._head), f"        … {rest}"]) + "\n"

    def render(self, outcome: Outcome, text: bytes | None = None) -> str:
        """The session as text, ending with how the run ended. ``text``: what it read from standard input."""
        left_out = self.count - len(self._head) - len(self._tail)
        given = [f"{name} = {value}" for name, value in self._given(text).items()]
        lines = [f"given: {', '.join(given)}"] if given else []
        if left_out:
            lines += [*_lines(_folded(self._head)), f"        … {left_out} steps …"]
            lines += _lines(_folded(self._tail))
        else:
            lines += _lines(_folded(self.steps))
        where = f"{outcome.at}: " if outcome.at is not None else ""
        lines.append(f"{where}{outcome.message}" + (f" in {outcome.function}()" if outcome.function else ""))
        lines += [f"note: {met}" for met in outcome.undefined if met.message != outcome.message]
        return "\n".join(lines) + "\n"


def _is_driver(at: Position) -> bool:
    return at.file.startswith(DRIVER_FILE)


def _is_hidden(at: Position) -> bool:
    return _is_driver(at) or at.file == LIBRARY


def _is_library(machine: Machine, frame: Frame) -> bool:
    function = machine.program.functions.get(frame.code.name)
    return function is not None and function.position.file == LIBRARY


def _is_the_programs(machine: Machine, target: MemoryObject) -> bool:
    """Is this an object of the program that is checked, and not a variable of the library's models?"""
    if target.kind != "variable":
        return True
    frames = [one for one in machine.frames if not _is_library(machine, one)]
    return any(target is one for frame in frames for one in frame.objects) or any(
        target is one for variable, one in machine.statics.items() if variable.position.file != LIBRARY
    )


def _outermost(machine: Machine) -> int:
    """The number of the frame of ``main``, or of the function that a driver calls."""
    return 1 if machine.program.driver is None else 2


def _depth(machine: Machine) -> int:
    return len(machine.frames) - 1 - _outermost(machine)


def _folded(steps: Iterable[Step]) -> list[Step]:
    return fold(list(steps), lambda step: (step.at, step.function, step.depth, step.text), _rounds)


def _rounds(steps: Sequence[Step], count: int) -> Step:
    """One step for several rounds: what changed, from the first value to the last."""
    values: dict[str, list[str]] = {}
    for step in steps:
        for name, value in step.changes:
            values.setdefault(name, []).append(value)
    changes = []
    for name, found in values.items():
        ends = (found[0].partition(" … ")[0], found[-1].rpartition(" … ")[2])
        changes.append((name, ends[0] if len(set(found)) == 1 else " … ".join(ends)))
    first = steps[0]
    return Step(first.at, first.function, first.depth, rounds_text(count), changes, rounds=count)


def _lines(steps: Iterable[Step]) -> list[str]:
    """A heading whenever the function changes, then line numbers, statements and changes."""
    lines: list[str] = []
    where: tuple[str, str, int] | None = None
    for step in steps:
        here = (step.at.file, step.function, step.depth)
        if here != where and not step.entering:
            lines.append(f"{_indent(step)}{step.function}() at {step.at.file}")
            where = here
        lines.append(_line(step))
    return lines


def _indent(step: Step) -> str:
    return "  " * min(step.depth, 8)  # deep recursion stays on the page


def _line(step: Step) -> str:
    text = step.text.removesuffix("{").rstrip()
    shown = [f"{name} = {value}" for name, value in step.changes]
    if step.rounds:
        head = f"{_indent(step)}        {text}"
        return f"{head:<56}  {', '.join(shown)}" if shown else head
    if step.entering:
        return f"{_indent(step)}        {step.function}({', '.join(shown)})"
    shown = [change for change in shown if change != text.rstrip(";")]
    if not step.changes:
        shown = [f"{name}() is {value}" for name, value in step.draws]
    head = f"{_indent(step)}{step.at.line:>6}  {text}"
    return f"{head:<56}  {', '.join(shown)}" if shown else head
