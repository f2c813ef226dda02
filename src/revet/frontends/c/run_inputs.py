"""The inputs of runs: zeros, random ones near the program's own constants, and those of a recorded run."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from string import ascii_letters, digits
from typing import Any

from revet.errors import Position
from revet.frontends.c.ast import CProgram, FloatConst, IntConst, StringConst, Variable
from revet.frontends.c.entry.driver import COMMAND_LINE, DRIVER_FILE
from revet.frontends.c.interpret.draws import Draw, Mismatch, drawn_bytes
from revet.frontends.c.interpret.floating import narrow, rounded
from revet.frontends.c.library.conventions import CHARACTER, FAILURE
from revet.frontends.c.sequencing import ORDER
from revet.frontends.c.types import Array, CType, Floating, Int, Pointer, Record
from revet.frontends.c.walk import all_expressions
from revet.result import InputTrace

_PATTERN = 64  # elements of an uninitialised array that differ; they repeat from there on
_CONVERSION = re.compile(rb"%[-+ #0-9.*]*(?:hh|h|ll|l|j|z|t|)[a-zA-Z]")
_ALPHABETS = (  # what programs that read text tell apart: anything, names, numbers, words, lists
    "".join(map(chr, range(32, 127))), ascii_letters, digits, ascii_letters + digits, ascii_letters + " ",
    digits + ",;.-+ ",
)


@dataclass
class Drawn:
    """What a run drew, as text (see :class:`InputTrace`) and as the interpreter's values."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    memory: list[tuple[str, str]] = field(default_factory=list)
    given: list[Draw] = field(default_factory=list)


class Guesses:
    """Chosen inputs: zeros and empty streams for seed 0, otherwise random, near the program's constants."""

    def __init__(self, seed: int, constants: Constants) -> None:
        self.count = 0
        self.drawn = Drawn()
        self._constants = constants
        self._random = random.Random(seed) if seed else None
        self._zeros = leaves_zeros(seed)
        self._stream = iter(()) if self._random is None else constants.text(self._random)

    def call(self, name: str, type: CType, at: Position) -> Any:
        value = self._next(name, type, at)
        if name == FAILURE:
            value = int(self._random is not None and self._random.random() < 0.2)
        self.count += name != ORDER  # whether that is a choice, the run knows
        self.drawn.calls.append((name, _text(value)))
        self.drawn.given.append(Draw(name, value, type, at))
        return value

    def _next(self, name: str, type: CType, at: Position) -> Any:
        choose = self._random
        if name == CHARACTER:
            return next(self._stream, -1)
        if choose is None or at.file != COMMAND_LINE or not isinstance(type, Int):
            return self._value(type)
        if choose.random() < 0.6:  # how many arguments, how many characters
            return choose.randint(1, 4)
        return max(1, min(choose.choice(self._constants.integers) + choose.randint(0, 8), _PATTERN))

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        scalar, elements = _scalar(variable.type)
        if self._zeros or isinstance(scalar, Record):
            return None
        pattern = b"".join(drawn_bytes(self._value(scalar), scalar) for _ in range(min(elements, _PATTERN)))
        self.drawn.memory.append((_label(variable), pattern.hex()))
        return _filled(pattern, size)

    def block(self, at: Position, size: int) -> bytes | None:
        """What a driver passes behind pointers is often text; other blocks hold zeros."""
        choose = self._random
        if choose is None or self._zeros or not at.file.startswith(DRIVER_FILE):
            return None
        text = bytes(max(0, character) for character in islice(self._constants.text(choose), _PATTERN))
        self.drawn.memory.append((_block_label(at), text.hex()))
        return text

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
        return None

    def _value(self, type: CType) -> Any:
        choose = self._random
        if choose is None or isinstance(type, Record):
            return 0.0 if isinstance(type, Floating) else 0
        if isinstance(type, Pointer):
            return choose.choice((0, 1, 2))  # null, or see memory.drawn_pointer
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


def leaves_zeros(seed: int) -> bool:
    """Uninitialised memory is often zero in practice, so some seeds leave it so."""
    return seed == 0 or seed % 4 == 2


class Continued(Guesses):
    """Inputs that a compiled run found worth keeping, and chosen ones from where they end."""

    def __init__(self, seed: int, constants: Constants, given: Sequence[int]) -> None:
        super().__init__(seed, constants)
        self._given = given
        self._zeros = False

    def _next(self, name: str, type: CType, at: Position) -> Any:
        if self.count < len(self._given) and isinstance(type, Int):
            return type.wrap(self._given[self.count])
        return super()._next(name, type, at)


class Typed(Guesses):
    """A text to be read, and zeros."""

    def __init__(self, text: Sequence[int]) -> None:
        super().__init__(0, Constants((0,), (0.0,)))
        self._stream = iter(text)


def text_of(trace: InputTrace) -> tuple[int, ...] | None:
    """The text that a run read, if it was given nothing else by functions that is not zero."""
    given = [(name, value) for name, value in trace.calls if name != ORDER]
    if any(name != CHARACTER and value != "0" for name, value in given):
        return None
    asked = [int(value) for name, value in given if name == CHARACTER]
    text = tuple(takewhile(lambda character: character >= 0, asked))
    return text if all(character < 0 for character in asked[len(text) :]) else None


class Choices(Guesses):
    """Zeros, but of what has two values only (does an allocation fail?) the one that is given, in order."""

    def __init__(self, given: tuple[int, ...] = ()) -> None:
        super().__init__(0, Constants((0,), (0.0,)))
        self.alternatives: list[int] = []
        self._given = given

    def call(self, name: str, type: CType, at: Position) -> Any:
        if name != FAILURE and not (isinstance(type, Int) and type.boolean):
            return super().call(name, type, at)
        number = len(self.alternatives)
        value = self._given[number] if number < len(self._given) else 0
        self.alternatives.append(2)
        self.drawn.calls.append((name, _text(value)))
        self.drawn.given.append(Draw(name, value, type, at))
        return value


class Listed:
    """The inputs of a recorded run."""

    def __init__(self, trace: InputTrace) -> None:
        self.count = 0
        self.given: list[Draw] = []
        self._calls = deque(trace.calls)
        self._memory = list(reversed(trace.memory))

    def call(self, name: str, type: CType, at: Position) -> Any:
        recorded = self._calls[0] if self._calls else None
        if name == ORDER and (recorded is None or recorded[0] != name):
            return 0  # a compiled run has the order of its compiler
        if recorded is None or recorded[0] != name:
            raise Mismatch(f"{at}: call of {name}() where the run recorded {recorded}")
        self._calls.popleft()
        self.count += 1
        value = _read(recorded[1], type)
        self.given.append(Draw(name, value, type, at))
        return value

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        if self._memory and self._memory[-1][0] == _label(variable):
            return _filled(bytes.fromhex(self._memory.pop()[1]), size)
        return None

    def block(self, at: Position, size: int) -> bytes | None:
        if self._memory and self._memory[-1][0] == _block_label(at):
            return bytes.fromhex(self._memory.pop()[1])
        return None

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
        return None


@dataclass(frozen=True)
class Constants:
    """The numbers in a program, lengths of arrays among them, and its strings: inputs near them are the
    interesting ones."""

    integers: tuple[int, ...]
    floats: tuple[float, ...]
    words: tuple[bytes, ...] = ()

    def text(self, choose: random.Random) -> Iterator[int]:
        """Characters as a program may read them: its own words or characters of one kind, then often one of
        its own marks, the end of the line, or that of the text (-1); in some lines a word, a mark and what
        may be a value of it."""
        own = [number for number in self.integers if 32 < number < 127 and not chr(number).isalnum()]
        own = own or list(map(ord, " =:,;-/."))
        while True:
            if self.words and choose.random() < 0.3:
                yield from self._spoken(choose.choice(self.words), choose)
                yield choose.choice(own)
                yield from _letters(choose)
                yield 10
            elif self.words and choose.random() < 0.5:
                yield from self._spoken(choose.choice(self.words), choose)
            else:
                yield from _letters(choose)
            if choose.random() < 0.6:
                yield choose.choice((*own, -1, 10, 10))

    def _spoken(self, word: bytes, choose: random.Random) -> bytes:
        """A word with numbers for the conversions that it may have: a format tells what a program reads."""
        def number(match: re.Match[bytes]) -> bytes:
            if choose.random() < 0.5:
                return str(choose.randint(0, 12)).encode()
            return str(choose.choice(self.integers) + choose.choice((-1, 0, 1))).encode()

        return _CONVERSION.sub(number, word) if b"%" in word else word

    @classmethod
    def of(cls, tree: CProgram) -> Constants:
        integers, floats = {0: None, 1: None, 2: None}, {-1.0: None, 0.0: None, 1.0: None}
        words: dict[bytes, None] = {}
        for function in tree.functions.values():
            for expression in all_expressions(function.body):
                if isinstance(expression, IntConst):
                    integers[expression.value] = None
                elif isinstance(expression, StringConst):
                    word = bytes(c for c in expression.data if 0 < c < 128)
                    words.update({word: None} if 0 < len(word) <= _PATTERN else {})
                elif isinstance(expression.type, Array) and expression.type.count is not None:
                    integers[expression.type.count] = None
                elif isinstance(expression, FloatConst):
                    number = rounded(expression.exact, 64)
                    assert isinstance(number, float)
                    floats.update({number: None, -number: None})
        return cls(tuple(integers), tuple(floats), tuple(words))


def _letters(choose: random.Random) -> Iterator[int]:
    letters = choose.choice(_ALPHABETS)
    return (ord(choose.choice(letters)) for _ in range(choose.choice((1, 2, 5, _PATTERN))))


def _scalar(type: CType) -> tuple[CType, int]:
    """The type of the elements of an array (of arrays), and how many there are."""
    elements = 1
    while isinstance(type, Array):
        elements *= type.count if type.count is not None else _PATTERN
        type = type.element
    return type, elements


def _label(variable: Variable) -> str:
    return f"{variable!r} at {variable.position}"


def _block_label(at: Position) -> str:
    return f"a block at {at}"


def _filled(pattern: bytes, size: int) -> bytes:
    return (pattern * (size // len(pattern) + 1))[:size] if pattern else bytes(size)


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, float) else str(value)


def _read(text: str, type: CType) -> Any:
    try:
        if isinstance(type, Floating):
            return float.fromhex(text)
        return type.wrap(int(text)) if isinstance(type, Int) else int(text)
    except ValueError:
        raise Mismatch(f"{text!r} is not a value of type {type}") from None
