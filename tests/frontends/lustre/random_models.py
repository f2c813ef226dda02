"""Random nodes over Booleans whose elements can be left out, and what holds then by exhaustive search."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Row = dict[str, bool]
Meaning = Callable[[Row | None, Row], bool]  # of the last instant (None at the first) and this one

INPUTS, STREAMS = ("a", "b"), ("x", "y", "z")
ROWS = [
    dict(zip(INPUTS + STREAMS, values, strict=True))
    for values in itertools.product([False, True], repeat=5)
]


@dataclass
class Constraint:
    """An equation, an assertion or an assumption: what it allows from one instant to the next."""

    kind: str
    name: str
    text: str
    meaning: Meaning


@dataclass
class RandomModel:
    constraints: list[Constraint]
    goal: Constraint

    @property
    def text(self) -> str:
        assumes = [f'  assume "{c.name}" {c.text};' for c in self.constraints if c.kind == "assumption"]
        equations = [f"  {c.name} = {c.text};" for c in self.constraints if c.kind == "equation"]
        asserts = [f"  assert {c.text};" for c in self.constraints if c.kind == "assertion"]
        contract = "\n".join(["(*@contract", *assumes, "*)\n"]) if assumes else ""
        body = "\n".join([*equations, *asserts, f'  check "goal" {self.goal.text};'])
        return f"node n(a, b: bool) returns (x, y, z: bool);\n{contract}let\n{body}\ntel\n"

    def holds(self, kept: Iterable[tuple[str, str]]) -> bool:
        """Does the goal hold with these constraints alone?"""
        chosen = set(kept)
        active = [c for c in self.constraints if (c.kind, c.name) in chosen]
        seen: set[int] = set()
        todo: list[int | None] = [None]
        while todo:
            last = todo.pop()
            before = None if last is None else ROWS[last]
            for number, row in enumerate(ROWS):
                if all(c.meaning(before, row) for c in active):
                    if not self.goal.meaning(before, row):
                        return False
                    if number not in seen:
                        seen.add(number)
                        todo.append(number)
        return True


def random_model(seed: int) -> RandomModel:
    """One whose goal holds with all constraints, for some numbers after ``seed``."""
    for attempt in itertools.count():
        model = _Maker(random.Random(f"{seed}/{attempt}")).model()
        everything = [(c.kind, c.name) for c in model.constraints]
        if model.holds(everything) and not model.holds([]):
            return model
    raise AssertionError


class _Maker:
    def __init__(self, source: random.Random) -> None:
        self.random = source

    def model(self) -> RandomModel:
        constraints = [self._equation(k) for k in range(len(STREAMS))]
        if self.random.random() < 0.5:
            text, meaning = self._temporal(INPUTS)
            constraints.append(Constraint("assumption", "given", text, meaning))
        if self.random.random() < 0.5:
            text, meaning = self._temporal(INPUTS + STREAMS)
            constraints.append(Constraint("assertion", "", text, meaning))
        text, meaning = self._temporal(INPUTS + STREAMS)
        return RandomModel(constraints, Constraint("property", "goal", text, meaning))

    def _equation(self, number: int) -> Constraint:
        """Of a stream in terms of inputs, earlier streams and the past."""
        name = STREAMS[number]
        text, value = self._temporal(INPUTS + STREAMS[:number])
        return Constraint("equation", name, text, lambda before, row: row[name] == value(before, row))

    def _temporal(self, now: tuple[str, ...]) -> tuple[str, Meaning]:
        first, at_first = self._formula(now, False, 1)
        later, at_later = self._formula(now, True, 2)
        return f"({first}) -> ({later})", lambda b, r: at_first(b, r) if b is None else at_later(b, r)

    def _formula(self, now: tuple[str, ...], past: bool, depth: int) -> tuple[str, Meaning]:
        kind = self.random.choice(["and", "or", "=", "not", "atom"] if depth else ["atom"])
        if kind == "atom":
            name = self.random.choice(now)
            if past and self.random.random() < 0.6:
                old = self.random.choice(INPUTS + STREAMS)
                return f"pre {old}", lambda b, r: (b or r)[old]
            return name, lambda b, r: r[name]
        left, value = self._formula(now, past, depth - 1)
        if kind == "not":
            return f"not ({left})", lambda b, r: not value(b, r)
        right, other = self._formula(now, past, depth - 1)
        combine: dict[str, Callable[[bool, bool], bool]] = {
            "and": lambda v, w: v and w, "or": lambda v, w: v or w, "=": lambda v, w: v == w,
        }
        return f"(({left}) {kind} ({right}))", lambda b, r: combine[kind](value(b, r), other(b, r))
