"""Runs of a C program with chosen inputs: zeros first, then random ones, longer from round to round.

A run that reaches the error is handed on as the list of what it drew (:class:`InputTrace`); it is
run again when the answer is confirmed. Runs that do something undefined on the way count for
nothing, except that reading what was never written is drawing a value. A program that draws
nothing has only one run; if that ends, it is a proof (:class:`OnlyRun`). This is said only of
programs without pointers, whose run cannot depend on where the machine puts things.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from revet.budget import Budget
from revet.errors import Position
from revet.frontends.c.ast import CProgram, FloatConst, IntConst, Variable
from revet.frontends.c.interpret.draws import Draw, Draws, Mismatch
from revet.frontends.c.interpret.floating import narrow, pack
from revet.frontends.c.interpret.machine import Outcome
from revet.frontends.c.types import Array, CType, Floating, Function, Int, Pointer, Record, size_of
from revet.frontends.c.walk import all_expressions
from revet.frontends.program import ReplayFailed
from revet.result import InputTrace, OnlyRun, Safe, Unknown, Unsafe, Verdict

Run = Callable[[Draws, int, float], Outcome]
"""Interprets the program: draws, most steps, most seconds."""

Name = Callable[[Outcome], str | None]
"""The property that a run breaks; None if it is not one of those asked for."""

_STEPS = (20_000, 400_000, 20_000_000)
_PATTERN = 64  # elements of an uninitialised array that differ; they repeat from there on


@dataclass
class Drawn:
    """What a run drew, as text (see :class:`InputTrace`) and as the interpreter's values."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    memory: list[tuple[str, str]] = field(default_factory=list)
    given: list[Draw] = field(default_factory=list)


class Guesses:
    """Chosen inputs: all zeros for seed 0, otherwise random, near the program's own constants."""

    def __init__(self, seed: int, constants: Constants) -> None:
        self.count = 0
        self.drawn = Drawn()
        self._constants = constants
        self._random = random.Random(seed) if seed else None
        self._zeros = seed % 4 == 2  # uninitialised memory is often zero in practice

    def call(self, name: str, type: CType, at: Position) -> Any:
        self.count += 1
        value = self._value(type)
        self.drawn.calls.append((name, _text(value)))
        self.drawn.given.append(Draw(name, value, type, at))
        return value

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        scalar, elements = _scalar(variable.type)
        if self._random is None or self._zeros or isinstance(scalar, Record):
            return None
        pattern = b"".join(_packed(self._value(scalar), scalar) for _ in range(min(elements, _PATTERN)))
        self.drawn.memory.append((_label(variable), pattern.hex()))
        return _filled(pattern, size)

    def block(self, at: Position, size: int) -> bytes | None:
        return None

    def _value(self, type: CType) -> Any:
        choose = self._random
        if choose is None or isinstance(type, (Pointer, Record)):
            return 0.0 if isinstance(type, Floating) else 0
        if isinstance(type, Floating):
            low, high = choose.choice(self._constants.floats), choose.choice(self._constants.floats)
            return narrow(choose.uniform(low, high), 32 if type.bits == 32 else 64)
        assert isinstance(type, Int)
        kind = choose.random()
        if kind < 0.4:
            return type.wrap(choose.randint(-2, 8))
        if kind < 0.9:
            return type.wrap(choose.choice(self._constants.integers) + choose.choice((0, 0, 0, -1, 1)))
        return choose.randint(type.least, type.greatest)


class Listed:
    """The inputs of a recorded run."""

    def __init__(self, trace: InputTrace) -> None:
        self.count = 0
        self.given: list[Draw] = []
        self._calls = iter(trace.calls)
        self._memory = list(reversed(trace.memory))

    def call(self, name: str, type: CType, at: Position) -> Any:
        recorded = next(self._calls, None)
        if recorded is None or recorded[0] != name:
            raise Mismatch(f"{at}: call of {name}() where the run recorded {recorded}")
        self.count += 1
        value = _read(recorded[1], type)
        self.given.append(Draw(name, value, type, at))
        return value

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        if self._memory and self._memory[-1][0] == _label(variable):
            return _filled(bytes.fromhex(self._memory.pop()[1]), size)
        return None

    def block(self, at: Position, size: int) -> bytes | None:
        return None


@dataclass(frozen=True)
class Constants:
    """The numbers in a program: inputs near them are the interesting ones."""

    integers: tuple[int, ...]
    floats: tuple[float, ...]

    @classmethod
    def of(cls, tree: CProgram) -> Constants:
        integers, floats = {0: None, 1: None, 2: None}, {-1.0: None, 0.0: None, 1.0: None}
        for function in tree.functions.values():
            for expression in all_expressions(function.body):
                if isinstance(expression, IntConst):
                    integers[expression.value] = None
                elif isinstance(expression, FloatConst):
                    text = expression.text
                    number = float.fromhex(text) if "x" in text else float(text)
                    floats.update({number: None, -number: None})
        return cls(tuple(integers), tuple(floats))


def explore(tree: CProgram, run: Run, name: Name, budget: Budget) -> Verdict:
    """See the module's text."""
    constants = Constants.of(tree)
    tried = 0
    for seed, steps in _plan():
        budget.poll()
        left = budget.remaining()
        guesses = Guesses(seed, constants)
        outcome = run(guesses, steps, 60.0 if left is None else left)
        tried += 1
        if outcome.kind == "unsupported":
            return Unknown(f"the interpreter stops: {outcome.message}")
        if not harmless(outcome):
            continue
        violated = name(outcome) if outcome.kind == "error" else None
        if violated is not None:
            drawn = guesses.drawn
            return Unsafe(InputTrace(tuple(drawn.calls), tuple(drawn.memory), violated, outcome.steps))
        if is_only_run(tree, outcome, guesses.count):
            return Safe(OnlyRun(outcome.steps))
    raise AssertionError("the plan has no end")


def _plan() -> Iterator[tuple[int, int]]:
    """Seeds and most steps: the first two inputs with more and more steps, then new ones, some of
    each length, for longer from round to round."""
    seeds = count(2)
    for round_ in count():
        for steps in _STEPS:
            slice_ends = time.monotonic() + 0.1 * 2**round_
            if not round_:
                yield 0, steps
                yield 1, steps
            while True:
                yield next(seeds), steps
                if time.monotonic() > slice_ends:
                    break


def harmless(outcome: Outcome) -> bool:
    """Nothing undefined on the way, but for values that were never written."""
    return all(met.kind == "uninitialised" for met in outcome.undefined)


def is_only_run(tree: CProgram, outcome: Outcome, draws: int) -> bool:
    return outcome.kind == "exit" and not draws and not outcome.undefined and not _has_pointers(tree)


def require_only_run(tree: CProgram, outcome: Outcome, draws: int) -> str:
    """Raises :class:`ReplayFailed` unless this was the program's only run."""
    if not is_only_run(tree, outcome, draws):
        raise ReplayFailed(f"the run ends otherwise or is not the only one: {outcome.kind}")
    return f"run by the interpreter of C: it reads nothing and ends after {outcome.steps} steps"


def _has_pointers(tree: CProgram) -> bool:
    return any(
        isinstance(expression.type, Pointer) and not isinstance(expression.type.target, Function)
        for function in tree.functions.values()
        for expression in all_expressions(function.body)
    )


def _scalar(type: CType) -> tuple[CType, int]:
    """The type of the elements of an array (of arrays), and how many there are."""
    elements = 1
    while isinstance(type, Array):
        elements *= type.count if type.count is not None else _PATTERN
        type = type.element
    return type, elements


def _label(variable: Variable) -> str:
    return f"{variable!r} at {variable.position}"


def _filled(pattern: bytes, size: int) -> bytes:
    return (pattern * (size // len(pattern) + 1))[:size] if pattern else bytes(size)


def _packed(value: Any, type: CType) -> bytes:
    if isinstance(type, Floating):
        return pack(value, type)
    size = size_of(type)
    return int(value % (1 << 8 * size)).to_bytes(size, "little")


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, float) else str(value)


def _read(text: str, type: CType) -> Any:
    try:
        if isinstance(type, Floating):
            return float.fromhex(text)
        return type.wrap(int(text)) if isinstance(type, Int) else int(text)
    except ValueError:
        raise Mismatch(f"{text!r} is not a value of type {type}") from None
