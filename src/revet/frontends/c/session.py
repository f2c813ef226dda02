"""A counterexample for people: the run of the source, statement by statement.

The interpreter runs the program with the counterexample's values while a :class:`Session` writes
down every statement and every variable that changes, as stepping through it in a debugger would
show. Long runs keep their beginning and their end. A call of the C library is one step, however our model
of it is written: what it changes is shown at the call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from revet.errors import Position
from revet.frontends.c.ast import Span
from revet.frontends.c.entry.driver import DRIVER_FILE
from revet.frontends.c.interpret.access import access
from revet.frontends.c.interpret.machine import Machine, Outcome
from revet.frontends.c.interpret.memory import MemoryObject
from revet.frontends.c.libc import FILE as LIBRARY
from revet.frontends.c.shown import Shown, quoted
from revet.frontends.c.types import CType, Int, Pointer, size_of
from revet.frontends.kit.folding import fold, rounds_text
from revet.frontends.kit.source_run import SourceRun, SourceStep

_MOST_CHANGES = 8  # that are shown of one call of the library


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


class Session:
    """Records a run; keeps the first ``head`` and the last ``tail`` steps."""

    def __init__(self, head: int = 60, tail: int = 60) -> None:
        self.count = 0
        self._head: list[Step] = []
        self._tail: deque[Step] = deque(maxlen=tail)
        self._room = head
        self._current: Step | None = None
        self._owners: dict[int, tuple[MemoryObject, str]] = {}
        self._librarys: dict[int, tuple[MemoryObject, bool]] = {}
        self._written: dict[tuple[int, int], tuple[MemoryObject, int, CType | None]] = {}  # in a library call
        self._shown = Shown()
        self._machine: Machine | None = None
        self.start: dict[str, str] = {}  # what a driver passes, and the objects it makes

    # ---- the interpreter tells ------------------------------------------------------------

    def statement(self, machine: Machine, span: Span) -> None:
        if machine.frame.code.name and span.text and not _is_hidden(span.start):
            step = Step(span.start, machine.frame.code.name, _depth(machine), span.text)
            last = self._current
            again = last is not None and (last.at, last.depth, last.text) == (step.at, step.depth, step.text)
            if not again or step.text.startswith(("while", "for", "do")):  # loops turn, others are parts
                self._begin(step)

    def store(
        self, machine: Machine, target: MemoryObject, offset: int, size: int, type: CType, value: Any
    ) -> None:
        function, depth = machine.frame.code.name, _depth(machine)
        self._machine = machine
        if not function:
            return  # initial values of globals
        name = self._shown.place(target, offset, size)
        if "$" in name:
            return  # a value that the text does not name
        self._shown.learn(machine, name, type, value)
        at = machine.program.functions[function].position
        if at.file == LIBRARY:
            self._store_in_library(machine, target, offset)
            return
        if _is_driver(at):
            passed = isinstance(type, Pointer) and target.kind == "variable"
            if not passed and not name.startswith("revet_"):
                self.start[name] = self._shown.value(machine, value, type)
            return
        if self._current is None or depth > self._current.depth:  # parameters of a call
            at = self._current.at if self._current else at
            self._begin(Step(at, function, depth, f"{function}()", entering=True))
        if self._current is not None:
            self._current.changes.append((name, self._shown.value(machine, value, type)))
            self._current.owners.append(self._owner(machine, target))

    def _store_in_library(self, machine: Machine, target: MemoryObject, offset: int) -> None:
        """What a model of the library writes into the program's objects belongs to the call."""
        if self._current is None or self._is_librarys(machine, target):
            return
        if self._current.depth >= _depth(machine):  # back from a function that the library has called
            caller = next((s for s in reversed(self.steps) if s.depth < _depth(machine)), None)
            if caller is None:
                return
            self._begin(replace(caller, changes=[], owners=[], draws=[]))
        start, type = self._shown.scalar(target, offset)
        self._written[id(target), start] = (target, start, type)

    def _end_library_call(self) -> None:
        """The changes of a call, with their last values; characters one after the other are one text."""
        objects = list(dict.fromkeys(key[0] for key in self._written))
        keys = sorted(self._written, key=lambda key: (objects.index(key[0]), key[1]))
        written = [self._written[key] for key in keys]
        self._written = {}
        step, machine = self._current, self._machine
        if step is None or machine is None:
            return
        while written:
            target, start, type = written.pop(0)
            name, value = self._shown.place(target, start, 1 if type is None else size_of(type)), "…"
            text = bytearray(target.data[start : start + 1])
            while _is_character(type) and written[:1] == [(target, start + len(text), type)]:
                text += target.data[start + len(text) : start + len(text) + 1]
                written.pop(0)
            if len(text) > 1:
                name = name.removesuffix("[0]") if name.endswith("[0]") else f"{name} …"
                value = quoted(bytes(text))
            elif type is not None:
                value = self._shown.value(machine, access(type).read(target.data, start), type)
            if len(step.changes) >= _MOST_CHANGES:
                name, value, written = "others", "…", []
            step.changes.append((name, value))
            step.owners.append(self._owner(machine, target))

    def _is_librarys(self, machine: Machine, target: MemoryObject) -> bool:
        """Is this a variable of our models?"""
        known = self._librarys.get(id(target))
        if known is None:
            of_program = (
                slot for frame in machine.frames
                if frame.code.name and machine.program.functions[frame.code.name].position.file != LIBRARY
                for slot in frame.slots
            )
            own = target.kind == "variable" and not any(target is slot for slot in of_program)
            statics = machine.statics.items()
            own = own and not any(target is one and v.position.file != LIBRARY for v, one in statics)
            known = self._librarys[id(target)] = (target, own)  # kept alive: its id stays its own
        return known[1]

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

    def _begin(self, step: Step) -> None:
        if self._written:
            self._end_library_call()
        self.count += 1
        self._current = step
        if len(self._head) < self._room:
            self._head.append(step)
        else:
            self._tail.append(step)

    # ---- the answer -----------------------------------------------------------------------

    @property
    def steps(self) -> list[Step]:
        """The steps that were kept, in order."""
        if self._written:
            self._end_library_call()
        return [*self._head, *self._tail]

    def source_run(self, outcome: Outcome) -> SourceRun:
        """The session as data, for reports."""
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
        start = tuple(self._given().items())
        return SourceRun(steps, where + outcome.message, start, gap=len(self._head), left_out=left_out)

    def _given(self) -> dict[str, str]:
        """What a driver passes: values, and what objects hold as far as the run has looked."""
        if self._machine is None:
            return {}
        driver = self._machine.program.driver
        if driver is not None and driver.entry == "main":
            return {"argc": self.start["argc"], **self._shown.strings(self._machine)}
        return {**self._shown.contents(self._machine), **self.start}

    def beginning(self, rest: str) -> str:
        """The first steps as text, and a line about the others."""
        return "\n".join([*_lines(self._head), f"        … {rest}"]) + "\n"

    def render(self, outcome: Outcome) -> str:
        """The session as text, ending with how the run ended."""
        left_out = self.count - len(self._head) - len(self._tail)
        given = [f"{name} = {value}" for name, value in self._given().items()]
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


def _is_character(type: CType | None) -> bool:
    return isinstance(type, Int) and type.bits == 8 and not type.boolean


def _is_hidden(at: Position) -> bool:
    return at.file == LIBRARY or _is_driver(at)


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
