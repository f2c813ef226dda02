"""Runs of a C program with chosen inputs: zeros first, then random ones, longer from round to round.

Where there is a C compiler the compiled program searches, too (:mod:`native`), some hundred
times faster; what it finds is run by the interpreter before it counts.

A run that reaches the error is handed on as the list of what it drew (:class:`InputTrace`); it is
run again when the answer is confirmed. Runs that do something undefined on the way count for
nothing, except that reading what was never written is drawing a value. A program that draws
nothing has only one run; if that ends, it is a proof (:class:`OnlyRun`), unless the run saw something
that C leaves open, such as where the machine puts things (``Outcome.unspecified``).
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import count, cycle, islice
from typing import Any

from revet.budget import Budget
from revet.checker.only_run import ObservedRun
from revet.errors import Position
from revet.frontends.c.ast import CProgram, FloatConst, IntConst, Variable
from revet.frontends.c.harness import NotExpressible
from revet.frontends.c.interpret.draws import Draw, Draws, Mismatch, drawn_bytes
from revet.frontends.c.interpret.floating import narrow, rounded
from revet.frontends.c.interpret.machine import Outcome
from revet.frontends.c.library.conventions import FAILURE
from revet.frontends.c.native.search import ENDED, REACHED, Died, NativeSearch, Report
from revet.frontends.c.processes import NotRun
from revet.frontends.c.sequencing import ORDER
from revet.frontends.c.types import Array, CType, Floating, Int, Pointer, Record
from revet.frontends.c.walk import all_expressions
from revet.result import InputTrace, OnlyRun, Safe, Unknown, Unsafe, Verdict

Run = Callable[[Draws, int, float], Outcome]
"""Interprets the program: draws, most steps, most seconds."""

Name = Callable[[Outcome], str | None]
"""The property that a run breaks; None if it is not one of those asked for."""

_STEPS = (20_000, 400_000, 20_000_000)
_BLOCKS = (20_000, 400_000, 10_000_000)  # of a compiled run; the interpreter has no time for longer ones
_SLICE = 0.05  # seconds of a compiled search between two looks at the clock
_REFUTED = 50  # hints that came to nothing, after which compiled runs are no longer trusted
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
        self._zeros = leaves_zeros(seed)

    def call(self, name: str, type: CType, at: Position) -> Any:
        value = self._next(type)
        if name == FAILURE:
            value = int(self._random is not None and self._random.random() < 0.2)
        self.count += 1
        self.drawn.calls.append((name, _text(value)))
        self.drawn.given.append(Draw(name, value, type, at))
        return value

    def _next(self, type: CType) -> Any:
        return self._value(type)

    def uninitialised(self, variable: Variable, size: int) -> bytes | None:
        scalar, elements = _scalar(variable.type)
        if self._zeros or isinstance(scalar, Record):
            return None
        pattern = b"".join(drawn_bytes(self._value(scalar), scalar) for _ in range(min(elements, _PATTERN)))
        self.drawn.memory.append((_label(variable), pattern.hex()))
        return _filled(pattern, size)

    def block(self, at: Position, size: int) -> bytes | None:
        return None

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

    def _next(self, type: CType) -> Any:
        if self.count < len(self._given) and isinstance(type, Int):
            return type.wrap(self._given[self.count])
        return self._value(type)


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
        return None

    def outside(self, offset: int, type: CType | None, size: int) -> bytes | None:
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
                    number = rounded(expression.exact, 64)
                    assert isinstance(number, float)
                    floats.update({number: None, -number: None})
        return cls(tuple(integers), tuple(floats))


@dataclass(frozen=True)
class Explorer:
    """How to run a program: interpreted, and compiled (``native``) where that can be done.

    ``only_error`` is the property that any violation breaks, if there is no more than one;
    ``undefined_errors`` are kinds of undefined behaviour that are violations."""

    tree: CProgram
    run: Run
    name: Name
    budget: Budget
    constants: Constants
    native: Callable[[], AbstractContextManager[NativeSearch]] | None = None
    only_error: str | None = None
    undefined_errors: Collection[str] = ()

    def explore(self) -> Verdict:
        """See the module's text."""
        plan = _plan()
        if self.native is None:
            return self._interpreted(plan) or _never()
        verdict = self._interpreted(islice(plan, 2))  # before the compiler has read its headers
        if verdict is not None:
            return verdict
        try:
            with self.native() as search:
                return self._both(search, plan)
        except (NotRun, NotExpressible, Died):
            return self._interpreted(plan) or _never()

    # ---- interpreted ----------------------------------------------------------------------

    def _interpreted(self, plan: Iterable[tuple[int, int]], seconds: float | None = None) -> Verdict | None:
        """Runs by the plan, for so long at most; None if they came to nothing."""
        ends = None if seconds is None else time.monotonic() + seconds
        for seed, steps in plan:
            self.budget.poll()
            guesses = Guesses(seed, self.constants)
            outcome = self.run(guesses, steps, self._left(seconds))
            verdict = self._judge(outcome, guesses)
            if verdict is not None:
                return verdict
            if ends is not None and time.monotonic() > ends:
                break
        return None

    def _left(self, seconds: float | None) -> float:
        left = self.budget.remaining()
        return min(60.0 if left is None else left, 60.0 if seconds is None else seconds)

    def _judge(self, outcome: Outcome, guesses: Guesses) -> Verdict | None:
        if outcome.kind == "unsupported":
            return Unknown(f"the interpreter stops: {outcome.message}")
        if not self._harmless(outcome):
            return None
        violated = self.name(outcome) if outcome.kind == "error" else None
        if violated is not None:
            drawn = guesses.drawn
            return Unsafe(InputTrace(tuple(drawn.calls), tuple(drawn.memory), violated, outcome.steps))
        run = observed(outcome, guesses.count)
        return Safe(OnlyRun(outcome.steps)) if run.flaw is None else None

    def _harmless(self, outcome: Outcome) -> bool:
        return harmless(outcome, self.undefined_errors)

    # ---- compiled -------------------------------------------------------------------------

    def _both(self, search: NativeSearch, plan: Iterator[tuple[int, int]]) -> Verdict:
        """The compiled program first, then both in turns that become longer."""
        report = search.zeros(_BLOCKS[-1])
        verdict = self._believed(report)
        if verdict is None and not report.drawn and report.how == ENDED:
            # It draws nothing: the run is the only one, a proof; or it reads variables before they are
            # written, in which the compiled program always has zeros. So no zeros are tried here.
            others = ((seed, _STEPS[-1]) for seed, _ in plan if not leaves_zeros(seed))
            return self._interpreted(others) or _never()
        refuted, ways = 0, _Ways(search)
        for round_ in count():
            ends = time.monotonic() + 0.3 * 2**round_
            for limit in cycle(_BLOCKS[: 1 + round_]):
                if verdict is not None:
                    return verdict
                self.budget.poll()
                if refuted > _REFUTED or time.monotonic() > ends:
                    break
                report = search.runs(limit, _SLICE)
                verdict = self._believed(report)
                refuted += report.how == REACHED
            verdict = verdict or self._interpreted(plan, 0.1 * 2**round_)
            verdict = verdict or self._with_memory(ways, report.kept, 0.2 * 2**round_)
        return _never()

    def _with_memory(self, ways: _Ways, kept: int, seconds: float) -> Verdict | None:
        """Compiled runs have zeros in uninitialised variables; the interpreter tries other values on
        the ways that they found, once on each, and again on those that read such a variable."""
        ends = time.monotonic() + seconds
        for seed, entry in ways.turns(kept, time.monotonic() + seconds / 2):
            self.budget.poll()
            guesses = Continued(seed, self.constants, ways.search.kept(entry))
            outcome = self.run(guesses, _STEPS[0], self._left(seconds))
            if any(met.kind == "uninitialised" for met in outcome.undefined):
                ways.depending[entry] = None
            verdict = self._judge(outcome, guesses)
            if verdict is not None or time.monotonic() > ends:
                return verdict
        return None

    def _believed(self, report: Report) -> Verdict | None:
        """What a compiled run found, if the interpreter reaches the error too. Long runs are left to
        the confirmation of the answer: it runs them anyway, and one that ends otherwise is rare."""
        if report.how != REACHED:
            return None
        hint = InputTrace(report.calls, (), self.only_error or "", report.steps)
        quick = _STEPS[1] if self.only_error is not None else _STEPS[2]
        outcome = self.run(Listed(hint), quick, self._left(None))
        if outcome.kind == "limit" and self.only_error is not None and self._harmless(outcome):
            return Unsafe(hint)
        violated = self.name(outcome) if outcome.kind == "error" and self._harmless(outcome) else None
        return Unsafe(replace(hint, violated=violated, steps=outcome.steps)) if violated else None


@dataclass
class _Ways:
    """The inputs that compiled runs have kept: which ones the interpreter has followed, and which of
    them lead to variables that are read before they are written."""

    search: NativeSearch
    followed: int = 0
    depending: dict[int, None] = field(default_factory=dict)
    seeds: Iterator[int] = field(default_factory=lambda: count(3))

    def turns(self, kept: int, until: float) -> Iterator[tuple[int, int]]:
        """Seeds and entries: those not yet followed, until then; the depending ones after that."""
        while self.followed < kept and time.monotonic() < until:
            self.followed += 1
            yield next(self.seeds), self.followed - 1
        while self.depending:
            for entry in list(self.depending):
                yield next(self.seeds), entry


def _never() -> Verdict:
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


def harmless(outcome: Outcome, errors: Collection[str] = ()) -> bool:
    """Nothing undefined on the way, but for values that were never written, and for what is the
    error itself (kinds of undefined behaviour at which the run stops)."""
    return all(met.kind == "uninitialised" or met.kind in errors for met in outcome.undefined)


def observed(outcome: Outcome, draws: int) -> ObservedRun:
    """What was seen of a run that was given nothing; whether it proves anything, the checker says."""
    met = tuple(one.kind for one in outcome.undefined)
    open_choices = (*outcome.orders, *outcome.unspecified)
    return ObservedRun(outcome.kind, draws, met, open_choices, outcome.steps)


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


def _text(value: Any) -> str:
    return value.hex() if isinstance(value, float) else str(value)


def _read(text: str, type: CType) -> Any:
    try:
        if isinstance(type, Floating):
            return float.fromhex(text)
        return type.wrap(int(text)) if isinstance(type, Int) else int(text)
    except ValueError:
        raise Mismatch(f"{text!r} is not a value of type {type}") from None
