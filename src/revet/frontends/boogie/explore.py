"""Runs of a Boogie program with chosen values: zeros first, then random ones, longer from round to round.

Values come from near the program's own constants. Where an assumption does not hold, what was drawn
for its variables is drawn again a few times, also from what the other variables hold. That may contradict
what the run has done with the first value, so a violation counts only when the run is repeated with the
values that were drawn in the end.

A run is written down as the list of its choices (:class:`InputTrace`): it may be far too long to be
written down state by state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from revet.budget import Budget
from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.call_graph import entries
from revet.frontends.boogie.interpret import Codes, Machine, Outcome, Recorder
from revet.frontends.boogie.interpret_values import Key
from revet.frontends.boogie.lower_types import numbered, sort_of
from revet.frontends.program import ReplayFailed
from revet.logic.sorts import INT, REAL, Array, Sort
from revet.logic.values import ArrayValue, default_value, rational
from revet.result import InputTrace, Unknown, Unsafe, Verdict

_STEPS = (2_000, 50_000, 5_000_000, 20_000_000)
_AMENDMENTS = 24  # tries to satisfy one assumption
_SECONDS = 8.0  # of one run


def unknown_map(program: s.Program, key: Key, at: s.Expr) -> Any:
    """The map that stands for a function without a body: zero everywhere."""
    if len(key) == 1:
        return default_value(Array(REAL, REAL) if key[0] == "/" else Array(INT, INT))
    assert isinstance(at, s.Application)
    sort: Sort = sort_of(at.type, program, at.position)
    for argument in reversed(at.arguments):
        sort = Array(sort_of(argument.type, program, at.position), sort)
    return default_value(sort)


def text_of(value: Any) -> str:
    """Maps that are drawn hold one value everywhere: that value."""
    while isinstance(value, ArrayValue):
        value = value.default
    return str(value)


def value_of(text: str, type: s.Type) -> Any:
    """The inverse of :func:`text_of`. Raises ValueError."""
    if isinstance(type, s.MapType):
        value = value_of(text, type.range)
        for _ in type.domain:
            value = ArrayValue(value)
        return value
    if type is s.BOOL:
        if text not in ("True", "False"):
            raise ValueError(text)
        return text == "True"
    return rational(text) if type is s.REAL else int(text)


class Constants:
    """The numbers that a program mentions, and their neighbours."""

    def __init__(self, checked: s.Checked) -> None:
        found: dict[int, None] = dict.fromkeys((0, 1, -1, 2))
        reals: dict[Fraction, None] = dict.fromkeys(map(Fraction, (0, 1, -1, 2)))
        for expr in _expressions(checked):
            for node in s.preorder(expr):
                if isinstance(node, s.IntLiteral):
                    found |= dict.fromkeys((node.value, node.value + 1, node.value - 1, -node.value))
                elif isinstance(node, s.RealLiteral):
                    reals |= dict.fromkeys((node.value, node.value + 1, node.value - 1))
        self.integers, self.reals = list(found), list(reals)


def _expressions(checked: s.Checked) -> Iterator[s.Expr]:
    yield from (axiom.formula for axiom in checked.axioms)
    for procedure in checked.procedures.values():
        yield from (clause.formula for clause in (*procedure.requires, *procedure.ensures))
        for one in procedure.implementations:
            for statement in s.statements(one.body.statements):
                match statement:
                    case s.Assert(formula=formula) | s.Assume(formula=formula):
                        yield formula
                    case s.Assign(values=values):
                        yield from values
                    case s.If(condition=condition) | s.While(condition=condition) if condition is not None:
                        yield condition
                    case s.Call(arguments=arguments):
                        yield from (argument for argument in arguments if argument is not None)


class Guesses:
    """Chosen values: all zeros for seed 0, otherwise random. ``drawn`` is the list of the choices."""

    def __init__(self, checked: s.Checked, constants: Constants, seed: int) -> None:
        self.program = checked.program
        self.drawn: list[tuple[str, str]] = []
        self._numbers = numbered(checked.constants.values())
        self._constants = constants
        self._random = random.Random(seed)
        self._zeros = seed == 0
        self._forward = self._random.choice((0.5, 0.8, 0.95))  # how likely the first way is taken
        self._latest: dict[s.Variable, int] = {}  # where in ``drawn`` a variable's value is
        self._left = _AMENDMENTS

    def initial(self, variable: s.Variable) -> Any:
        return self._numbers[variable] if variable in self._numbers else self.value(variable)

    def unknown(self, key: Key, at: s.Expr) -> Any:
        return unknown_map(self.program, key, at)

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure:
        chosen = among[0] if len(among) == 1 else self._random.choice(among)
        self.drawn.append(("start", chosen.name))
        return chosen

    def value(self, variable: s.Variable) -> Any:
        value = self._value(variable.type)
        self._latest[variable] = len(self.drawn)
        self._left = _AMENDMENTS
        self.drawn.append((variable.name, text_of(value)))
        return value

    def way(self, statement: s.Statement, count: int) -> int:
        way = 0
        if not self._zeros and self._random.random() > self._forward:
            way = self._random.randrange(count)
        elif self._zeros and isinstance(statement, s.While):
            way = 1
        self.drawn.append((f"way at {statement.position.line}", str(way)))
        return way

    def witnesses(self) -> list[tuple[s.Quantifier, tuple[Any, ...]]]:
        return []

    def amend(self, read: Mapping[s.Variable, Any]) -> Mapping[s.Variable, Any] | None:
        mine = [x for x in read if x in self._latest and not isinstance(x.type, s.MapType)]
        if not mine or self._left == 0:
            return None
        self._left -= 1
        variable = self._random.choice(mine)
        others = [value for x, value in read.items() if x is not variable and x.type is variable.type]
        value = self._value(variable.type)
        if others and self._random.random() < 0.6:
            value = self._random.choice(others)
            if variable.type in (s.INT, s.REAL):
                value = value + self._random.choice((0, 0, 1, -1))
        self.drawn[self._latest[variable]] = (variable.name, text_of(value))
        return {variable: value}

    def _value(self, type: s.Type) -> Any:
        draw = self._random
        if isinstance(type, s.MapType):
            value = self._value(type.range)
            for _ in type.domain:
                value = ArrayValue(value)
            return value
        if self._zeros:
            return {s.BOOL: False, s.REAL: Fraction(0)}.get(type, 0)
        if type is s.BOOL:
            return draw.random() < 0.5
        if isinstance(type, s.BitVectorType):
            return draw.choice((0, 1, (1 << type.width) - 1, draw.randrange(1 << type.width)))
        if isinstance(type, s.NamedType):
            return draw.randrange(6)
        if type is s.REAL:
            return draw.choice((draw.choice(self._constants.reals), Fraction(draw.randint(-99, 99), 2)))
        return draw.choice((draw.choice(self._constants.integers), draw.randint(-9, 99)))


class Listed(Guesses):
    """The choices of a trace, in order."""

    def __init__(self, checked: s.Checked, trace: InputTrace) -> None:
        super().__init__(checked, Constants(checked), 0)
        self._calls = iter(trace.calls)

    def _next(self, wanted: str) -> str:
        name, text = next(self._calls, ("", ""))
        if name != wanted:
            raise ReplayFailed(f"the run asks for {wanted}, the list has {name or 'nothing more'}")
        return text

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure:
        name = self._next("start")
        found = next((one for one in among if one.name == name), None)
        if found is None:
            raise ReplayFailed(f"{name} is not an entry of the program")
        return found

    def value(self, variable: s.Variable) -> Any:
        text = self._next(variable.name)
        try:
            return value_of(text, variable.type)
        except ValueError:
            raise ReplayFailed(f"{text} is not a value of {variable.name}") from None

    def way(self, statement: s.Statement, count: int) -> int:
        text = self._next(f"way at {statement.position.line}")
        if not text.isdigit() or int(text) >= count:
            raise ReplayFailed(f"{statement.position}: there is no way {text}")
        return int(text)

    def amend(self, read: Mapping[s.Variable, Any]) -> None:
        return None


class Explorer:
    """``name`` gives the model's name of what a run violates, if that is asked for."""

    def __init__(self, checked: s.Checked, name: Callable[[Outcome], str | None], budget: Budget) -> None:
        self.checked = checked
        self.name = name
        self.budget = budget
        self.constants = Constants(checked)
        self.codes: Codes = {}

    def explore(self) -> Verdict:
        if not entries(self.checked):
            return Unknown("there is nothing to run")
        for seed, steps in _plan():
            self.budget.poll()
            guesses = Guesses(self.checked, self.constants, seed)
            seconds = self._seconds()
            outcome = Machine(self.checked, guesses, steps, None, seconds, True, self.codes).run()
            violated = self.name(outcome) if outcome.kind == "violated" else None
            if violated is None:
                continue
            trace = InputTrace(tuple(guesses.drawn), (), violated, outcome.steps)
            try:
                again = run_listed(self.checked, trace, self._seconds())
            except ReplayFailed:
                continue  # an amendment came too late
            if again.kind == "violated" and self.name(again) == violated:
                return Unsafe(trace)
        raise AssertionError("the plan has no end")

    def _seconds(self) -> float:
        left = self.budget.remaining()
        return _SECONDS if left is None else min(_SECONDS, left)


def run_listed(
    checked: s.Checked, trace: InputTrace, seconds: float = 60.0, recorder: Recorder | None = None,
    most: int | None = None,
) -> Outcome:
    """The run that a trace lists; with a recorder every statement is a step, otherwise a block."""
    limit = most if most is not None else 2 * trace.steps + 1000
    choices = Listed(checked, trace)
    return Machine(checked, choices, limit, recorder, seconds, fast=recorder is None).run()


def _plan() -> Iterator[tuple[int, int]]:
    """Seeds and how many steps: zeros first, then many short runs, fewer long ones."""
    yield from ((0, steps) for steps in _STEPS[:-1])
    seed = 0
    while True:
        for steps, runs in zip(_STEPS, (60, 12, 3, 1), strict=True):
            for _ in range(runs):
                seed += 1
                yield seed, steps


