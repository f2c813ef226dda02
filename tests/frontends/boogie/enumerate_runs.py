"""All runs of a program, by trying every choice: a decision procedure that knows no solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revet.frontends.boogie import syntax as s
from revet.frontends.boogie.interpret import Codes, Machine, Outcome
from revet.frontends.boogie.interpret_values import Key
from revet.logic.values import ArrayValue

NUMBERS = (0, 1, 2)


class Enumerated:
    """Takes the ways in ``prefix``, then always the first; ``taken`` says what there was to choose."""

    def __init__(self, prefix: list[int], numbers: dict[s.Variable, int]) -> None:
        self.prefix = prefix
        self.numbers = numbers
        self.taken: list[tuple[int, int]] = []

    def _choose(self, count: int) -> int:
        position = len(self.taken)
        way = self.prefix[position] if position < len(self.prefix) else 0
        self.taken.append((way, count))
        return way

    def _draw(self, type: s.Type) -> Any:
        if type is s.BOOL or isinstance(type, s.NamedType):
            return [False, True][self._choose(2)] if type is s.BOOL else self._choose(2)
        if isinstance(type, s.MapType):
            return ArrayValue(0)  # programs write what they read
        return NUMBERS[self._choose(len(NUMBERS))]

    def initial(self, variable: s.Variable) -> Any:
        return self.numbers[variable] if variable in self.numbers else self._draw(variable.type)

    def unknown(self, key: Key, at: s.Expr) -> Any:
        raise NotImplementedError

    def entry(self, among: Sequence[s.Procedure]) -> s.Procedure:
        return among[self._choose(len(among))]

    def value(self, variable: s.Variable) -> Any:
        return 0 if variable.name == "i" else self._draw(variable.type)  # programs set i before use

    def way(self, statement: s.Statement, count: int) -> int:
        return self._choose(count)

    def witnesses(self) -> list[tuple[s.Quantifier, tuple[Any, ...]]]:
        return []

    def amend(self, read: Mapping[s.Variable, Any]) -> None:
        return None


class TooMany(Exception):
    """More runs than are worth trying."""


def violation(checked: s.Checked, numbers: dict[s.Variable, int], most: int) -> Outcome | None:
    """A run that violates something, or None if no run does."""
    prefix: list[int] = []
    codes: Codes = {}
    for _ in range(most):
        choices = Enumerated(prefix, numbers)
        outcome = Machine(checked, choices, limit=5000, codes=codes).run()
        if outcome.kind == "violated":
            return outcome
        assert outcome.kind in ("ended", "blocked"), outcome
        while choices.taken and choices.taken[-1][0] + 1 == choices.taken[-1][1]:
            choices.taken.pop()
        if not choices.taken:
            return None
        prefix = [way for way, _ in choices.taken]
        prefix[-1] += 1
    raise TooMany
