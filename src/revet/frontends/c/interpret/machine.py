"""The machine that runs compiled C: frames and an operand stack.

Instructions are Python closures of the machine. Expressions leave one value on the operand stack,
calls push a frame, so neither deep expressions nor deep recursion touch Python's own stack.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from revet.errors import Position
from revet.frontends.c.ast import CProgram, Span, Variable
from revet.frontends.c.ast.program import spoken
from revet.frontends.c.interpret.access import Access, NoValue
from revet.frontends.c.interpret.draws import Draws, Mismatch
from revet.frontends.c.interpret.memory import (
    CHOSEN,
    NO_NUMBER,
    PADDING,
    PARTLY,
    UNWRITTEN,
    Contents,
    InvalidAccess,
    Marked,
    Memory,
    MemoryObject,
    OutOfMemory,
    SizeUnknown,
    address_marks,
)
from revet.frontends.c.interpret.outcome import Outcome, Stop, Undefined
from revet.frontends.c.interpret.recorder import Recorder
from revet.frontends.c.library.classify import Standing
from revet.frontends.c.library.preconditions import called_name, needs
from revet.frontends.c.types import Array, CType, Floating, Pointer, Record, size_of

if TYPE_CHECKING:
    from revet.frontends.c.interpret.footprints import Touch
    from revet.frontends.c.interpret.jumps import Return

Instruction = Callable[["Machine"], None]
_INSIDE = ("overflow", "shift", "division", "dereference", "conversion", "index", "subscript")
"""Kinds that break a precondition of a library function if they happen in there."""
_MOST_TOUCHED = 2_000_000  # accesses in one expression
Block = tuple[Instruction, ...]
"""Instructions that are done one after the other; only the last one may go elsewhere."""


@dataclass(eq=False, slots=True)
class Code:
    """A compiled function, ``pc`` counts its blocks: ``variables[i]`` lives in the frame's slot i."""

    name: str
    blocks: list[Block]
    variables: list[Variable]
    parameters: int
    result: CType
    of_library: bool = False
    """It is a model of a library function."""


@dataclass(eq=False, slots=True)
class Frame:
    code: Code
    slots: list[MemoryObject | None]
    return_to: int = 0
    extra_arguments: list[tuple[Any, CType]] = field(default_factory=list)
    objects: list[MemoryObject] = field(default_factory=list)
    called_at: Position | None = None
    kept: dict[object, Any] = field(default_factory=dict)  # see ordering.py
    rejoined: bool = False  # by longjmp: which of its blocks were left is not known


@dataclass(eq=False)
class Machine:
    """One run of a program. ``compile_function`` gives the code of a function on first call."""

    program: CProgram
    draws: Draws
    compile_function: Callable[[str], Code]
    error_functions: frozenset[str]
    stop_at: frozenset[str] = frozenset()
    recorder: Recorder | None = None
    max_steps: int = 20_000_000
    max_seconds: float = 60.0
    max_frames: int = 100_000
    malloc: str = "if-too-large"

    def __post_init__(self) -> None:
        self.memory = Memory(self.program.data_model.pointer_size, outside_contents=self.draws.outside)
        self.stack: list[Any] = []
        self.frames: list[Frame] = []
        self.frame: Frame = Frame(Code("", [], [], 0, self.program.data_model.int), [])
        self.blocks: list[Block] = []
        self.pc, self.rounding = 0, "RNE"  # see floating.py
        self.statics: dict[Variable, MemoryObject] = {}
        self.strings: dict[int, MemoryObject] = {}
        self.functions: dict[str, MemoryObject] = {}
        self.argument_lists: dict[int, list[tuple[Any, CType]]] = {}
        self.jumps: dict[int, Return] = {}
        self.last_jump = 0
        self.undefined_met: dict[tuple[str, Position], Undefined] = {}
        self.orders: dict[object, int] = {}  # those that made a difference or may still make one
        self.open_orders: dict[object, int] = {}  # the same, where not every order is considered
        self.watching = 0  # expressions whose accesses are listed, one inside the other
        self.touched: list[Touch] = []
        self.unspecified_met: dict[Position, str] = {}
        self.standings: dict[str, Standing] = {}  # of functions without a body
        self.given: list[MemoryObject] = []  # objects with any contents
        self.at: Span | None = None
        self.builtin: tuple[str, Position] | None = None  # the library function that is done at once
        self.steps = 0

    # ---- running --------------------------------------------------------------------------

    def run(self, code: Code) -> Outcome:
        """Run until something ends it; never raises for what the program does."""
        self.push_frame(code, [], None)
        try:
            self._loop()
        except Stop as stop:
            return self._outcome(stop)
        except Mismatch as mismatch:
            return self._outcome(Stop("mismatch", str(mismatch)))
        except OutOfMemory as error:
            return self._outcome(Stop("limit", str(error)))
        except NoValue as error:
            assert self.at is not None
            return self._outcome(self.stuck("value", str(error), self.at.start))
        raise AssertionError("the loop ends by Stop only")

    def _loop(self) -> None:
        deadline = time.monotonic() + self.max_seconds
        steps = 0
        try:
            while True:
                for _ in range(1024):
                    pc = self.pc
                    block = self.blocks[pc]
                    self.pc = pc + 1
                    steps += len(block)
                    for instruction in block:
                        instruction(self)
                if steps > self.max_steps:
                    raise Stop("limit", f"{self.max_steps} steps")
                if len(self.touched) > _MOST_TOUCHED:
                    raise Stop("limit", "an expression whose order of evaluation is open takes too long")
                if time.monotonic() > deadline:
                    raise Stop("limit", f"{self.max_seconds:g} seconds")
        finally:
            self.steps = steps

    def _outcome(self, stop: Stop) -> Outcome:
        at = stop.at or (self.at.start if self.at is not None else None)
        own = (frame.code.name for frame in reversed(self.frames) if not frame.code.of_library)
        return Outcome(
            stop.kind, stop.message, at, spoken(next(own, "")) or None, stop.status,
            tuple(self.undefined_met.values()), self.steps, self.draws.count,
            tuple(str(one) for one, times in self.orders.items() if times),
            (
                *(f"{where}: {what}" for where, what in self.unspecified_met.items()),
                *(str(one) for one, times in self.open_orders.items() if times),
            ),
            stop.broken,
            tuple(bytes(one.initial or b"") for one in self.given),
            called_name(inside[0]) if (inside := self.library_call) is not None and stop.broken else "",
        )

    # ---- frames ---------------------------------------------------------------------------

    def push_frame(self, code: Code, arguments: list[tuple[Any, CType]], at: Position | None) -> None:
        if len(self.frames) >= self.max_frames:
            raise Stop("limit", f"{self.max_frames} nested calls", at)
        frame = Frame(code, [None] * len(code.variables), self.pc, arguments[code.parameters :], [], at)
        self.frames.append(frame)
        self.frame, self.blocks, self.pc = frame, code.blocks, 0

    def pop_frame(self) -> None:
        """Return to the caller; the result stays on the operand stack."""
        frame = self.frames.pop()
        for target in frame.objects:
            self.memory.release(target)
        if not self.frames:
            left = self.look_for_leaks(self.at.start if self.at is not None else None)
            driver = self.program.driver
            who = driver.entry if driver is not None else frame.code.name
            raise Stop("exit", f"{who}() returned{left}", None, self._status())
        if frame.code.name in self.program.noreturn and frame.called_at is not None:
            what = f"{frame.code.name}() returns, though it is declared not to"
            raise self.stuck("call", what, frame.called_at)
        self.frame = self.frames[-1]
        self.blocks, self.pc = self.frame.code.blocks, frame.return_to

    def _status(self) -> int:
        value = self.stack[-1] if self.stack else 0
        return value & 255 if isinstance(value, int) else 0

    # ---- objects --------------------------------------------------------------------------

    def declare(self, slot: int, *, written: bool, size: int | None = None) -> MemoryObject:
        """An object for a local variable; without initialiser it holds a drawn value. If a jump led back over
        the declaration, it is the object that it was; not so an array of variable length (``size`` bytes)."""
        variable, target = self.frame.code.variables[slot], self.frame.slots[slot]
        if target is not None and size is None and not self.frame.rejoined:
            self.memory.begin_again(target, written=written)
        else:
            old, size = target, size_of(variable.type) if size is None else size
            target = self.memory.allocate(variable.name, size, "variable", variable.type, written=written)
            target.alignment = variable.alignment
            if old is not None:
                self.memory.release(old)
                self.frame.objects.remove(old)
            self.frame.slots[slot] = target
            self.frame.objects.append(target)
        if not written:
            self.holds(target, self.draws.uninitialised(variable, target.size))
        return target

    def holds(self, target: MemoryObject, chosen: bytes | Contents | None) -> None:
        """What an object that nobody has written yet holds."""
        if isinstance(chosen, bytes):
            target.data[: len(chosen)] = chosen[: target.size]
        else:
            target.contents = chosen

    def local(self, slot: int) -> MemoryObject:
        """A local variable's object; a jump past its declaration makes it here."""
        return self.frame.slots[slot] or self.declare(slot, written=False)

    def locate(self, address: int, size: int, at: Position) -> tuple[MemoryObject, int]:
        try:
            return self.memory.locate(address, size)
        except SizeUnknown as error:
            raise Stop("unsupported", str(error), at) from None
        except InvalidAccess as error:
            raise self.stuck("dereference", f"dereference of {error}", at) from None

    def function_address(self, name: str) -> int:
        target = self.functions.get(name)
        if target is None:
            target = self.functions[name] = self.memory.allocate(name, 1, "function")
        return self.memory.address_of(target)

    def look_for_leaks(self, at: Position | None) -> str:
        """The run ends: is there a block that was not freed, or that nothing leads to? Words on others."""
        blocks = self.memory.blocks
        if not blocks or at is None or self.stop_at.isdisjoint(("leak", "cleanup")):
            return ""
        if "cleanup" in self.stop_at:
            raise self.stuck("cleanup", f"{next(iter(blocks))} is not freed", at)
        callers = (one for one in self.given if one.alive)
        roots = [*self.statics.values(), *callers, *(one for frame in self.frames for one in frame.objects)]
        known = self.memory.reachable(roots)
        for block in blocks:
            if block not in known:
                raise self.stuck("leak", f"nothing leads to {block}, which is not freed", at)
        return f", and something still leads to {next(iter(blocks))}"

    # ---- undefined behaviour --------------------------------------------------------------

    def undefined(self, kind: str, message: str, at: Position) -> None:
        """Note it and go on; ends the run where the property says so (``stop_at``)."""
        if (kind, at) in self.undefined_met and kind not in self.stop_at and self.library_call is None:
            return  # as a million times before, in loops over what was never written
        kind, message, at = self._blamed(kind, message, at)
        met = Undefined(kind, message, at)
        self.undefined_met.setdefault((kind, at), met)
        if kind in self.stop_at:
            raise Stop("error", message, at, broken=kind)

    def stuck(self, kind: str, message: str, at: Position) -> Stop:
        """Note it; the run has no meaning from here on."""
        self.undefined(kind, message, at)
        _, message, at = self._blamed(kind, message, at)
        return Stop("undefined", message, at)

    @property
    def library_call(self) -> tuple[str, Position] | None:
        """The library function that the program has called and that is running, and where."""
        found = self.builtin
        for frame in reversed(self.frames):
            if not frame.code.of_library or frame.called_at is None:
                break
            found = (frame.code.name, frame.called_at)
        return found

    def _blamed(self, kind: str, message: str, at: Position) -> tuple[str, str, Position]:
        """What happens in a library function is the fault of its call."""
        called = self.library_call
        if called is None or kind == "free":
            return kind, message, at
        if kind in _INSIDE and "library" in self.stop_at:
            kind = "library"
        return kind, f"{called_name(called[0])}() needs {needs(called[0])}: {message}", called[1]

    def unspecified(self, message: str, at: Position) -> None:
        """Note that the run sees something that C leaves open: another machine may run otherwise."""
        self.unspecified_met.setdefault(at, message)

    def judge(self, marks: bytes | bytearray, type: CType | None, name: str, at: Position) -> None:
        """Bytes with these marks are read as a value of the type (None: as plain bytes)."""
        if isinstance(type, Pointer) and marks == address_marks(len(marks)):
            return
        if isinstance(type, Floating) and marks.count(NO_NUMBER) == len(marks):
            return
        if UNWRITTEN in marks or CHOSEN in marks:
            self.undefined("uninitialised", f"{name} is read before it is written", at)
        elif PADDING in marks:
            self.unspecified(f"padding of {name} is read", at)
        elif PARTLY in marks:
            self.unspecified(f"bits of {name} are read that may never have been written", at)
        elif NO_NUMBER in marks:
            self.unspecified(f"bits of a NaN in {name} are read", at)
        elif any(marks):
            self.unspecified(f"an address in {name} is read as something else", at)

    def read_marked(self, target: MemoryObject, offset: int, access: Access, at: Position) -> Any:
        """The value at a place in an object some of whose bytes have marks."""
        assert target.marks is not None
        end = offset + access.size
        marks = target.marks[offset:end]
        if not any(marks):
            return access.read(target.data, offset)
        if UNWRITTEN in marks:
            target.choose(offset, access.type if access.fit is None else None, access.size)
            marks = target.marks[offset:end]
        if isinstance(access.type, Record | Array):
            return Marked.of(access.read(target.data, offset), bytes(marks))
        self.judge(marks, access.type, target.name, at)
        return access.read(target.data, offset)

    def read_bytes(self, target: MemoryObject, offset: int, size: int, at: Position) -> bytes:
        """Plain bytes of an object, as the functions of ``<string.h>`` see them."""
        target.choose(offset, None, size)
        if target.marks is not None:
            self.judge(target.marks[offset : offset + size], None, target.name, at)
        return bytes(target.data[offset : offset + size])

    def copy_bytes(
        self, origin: MemoryObject, start: int, target: MemoryObject, offset: int, size: int, at: Position
    ) -> None:
        """Copy bytes with their marks; the ranges may overlap."""
        origin.choose(start, None, size)
        if origin.cuts(start, size):
            self.unspecified(f"part of an address in {origin.name} is copied", at)
        data, marks = bytes(origin.data[start : start + size]), origin.marks
        if marks is not None or target.marks is not None:
            target.mark(offset, bytes(size) if marks is None else bytes(marks[start : start + size]))
        target.data[offset : offset + size] = data
