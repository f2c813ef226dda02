"""Where the nondeterministic values of a run come from.

A run draws values in three places: calls of ``__VERIFIER_nondet_*`` and of functions without a
body, and objects that are read before they are written. A :class:`Draws` answers; the recorded
ones of a counterexample, or random ones in tests.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from revet.errors import Position
from revet.frontends.c.ast import Variable
from revet.frontends.c.interpret.floating import pack
from revet.frontends.c.interpret.memory import Contents, drawn_pointer
from revet.frontends.c.types import CType, Floating, Int, Pointer, size_of


class Mismatch(Exception):
    """The run asks for something else than what was recorded."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One recorded value. ``name`` is the function called, in the order of the calls.

    Integers within the type's range, floats as the interpreter's values."""

    name: str
    value: Any
    type: CType
    at: Position | None = None


class Draws(Protocol):
    count: int

    def call(self, name: str, type: CType, at: Position) -> Any:
        """The value that a call of a function without a body returns."""

    def uninitialised(self, variable: Variable, size: int) -> bytes | Contents | None:
        """The bytes of a variable that is not initialised; None for zeros."""

    def block(self, at: Position, size: int) -> bytes | Contents | None:
        """What a block allocated by the call at ``at`` holds; None for zeros."""

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
        """What the memory outside the program holds; None for zeros."""


class Recorded:
    """Values recorded from a counterexample: calls strictly in order."""

    def __init__(
        self, calls: Iterable[Draw], uninitialised: dict[Variable, deque[bytes | Contents]] | None = None,
        blocks: dict[Position, deque[bytes | Contents]] | None = None, outside: Contents | None = None,
    ) -> None:
        self._calls = deque(calls)
        self._uninitialised = uninitialised or {}
        self._blocks = {variable.position: values for variable, values in self._uninitialised.items()}
        self._blocks.update(blocks or {})
        self._outside = outside
        self.count = 0

    def call(self, name: str, type: CType, at: Position) -> Any:
        if not self._calls:
            raise Mismatch(f"{at}: call of {name}() beyond the {self.count} recorded values")
        draw = self._calls.popleft()
        if draw.name != name:
            raise Mismatch(f"{at}: call of {name}() where the value of {draw.name}() was recorded")
        self.count += 1
        return draw.value

    def uninitialised(self, variable: Variable, size: int) -> bytes | Contents | None:
        waiting = self._uninitialised.get(variable)
        return waiting.popleft() if waiting else None

    def block(self, at: Position, size: int) -> bytes | Contents | None:
        waiting = self._blocks.get(at)
        return waiting.popleft() if waiting else None

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
        return None if self._outside is None else self._outside(offset, type, size)


class Random:
    """Random values, small and extreme ones more often; remembers what it gave."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.given: list[Draw] = []
        self.count = 0

    def call(self, name: str, type: CType, at: Position) -> Any:
        self.count += 1
        value = self._value(type)
        self.given.append(Draw(name, value, type, at))
        return value

    def _value(self, type: CType) -> Any:
        choose = self._random
        match type:
            case Int():
                near = choose.choice((0, 0, 0, type.least, type.greatest)) + choose.randint(-8, 8)
                anywhere = choose.randint(type.least, type.greatest)
                return type.wrap(near if choose.random() < 0.7 else anywhere)
            case Floating():
                return float(choose.randint(-8, 8)) / choose.choice((1, 2, 4))
            case Pointer():
                return 0
            case _:
                return 0

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        return None

    def block(self, at: Position, size: int) -> bytes | None:
        return None

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
        return None


def drawn_bytes(value: Any, type: CType) -> bytes:
    """What a drawn scalar is in memory."""
    if isinstance(type, Floating):
        return pack(value, type)
    size = size_of(type)
    if isinstance(type, Pointer):
        value = drawn_pointer(value, size)
    return int(value % (1 << 8 * size)).to_bytes(size, "little")
