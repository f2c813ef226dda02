"""Random contracts over finite types, and what they mean by exhaustive search."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field

Row = dict[str, int]  # a value for each stream; Booleans are 0 and 1
Meaning = Callable[[Row | None, Row], int]  # of the last instant (None at the first) and this one

INPUTS = {"a": range(3), "p": range(2)}
OUTPUTS = {"x": range(3), "q": range(2)}


@dataclass
class Formula:
    text: str
    meaning: Meaning


@dataclass
class RandomContract:
    assumptions: list[Formula]
    guarantees: list[Formula]
    text: str = field(init=False)

    def __post_init__(self) -> None:
        clauses = [f"  assume {f.text};" for f in self.assumptions]
        clauses += [f'  guarantee "g{n}" {f.text};' for n, f in enumerate(self.guarantees)]
        self.text = (
            "node imported n(a: subrange [0, 2] of int; p: bool)\n"
            "returns (x: subrange [0, 2] of int; q: bool);\n(*@contract\n" + "\n".join(clauses) + "\n*)\n"
        )

    def realizable(self) -> bool:
        """Can a node keep the guarantees?"""
        return _can_be_kept(self.guarantees, self.assumptions, list(INPUTS))

    def has_environment(self) -> bool:
        """Can the callers keep the assumptions, whatever the outputs are?"""
        return _can_be_kept(self.assumptions, [], list(OUTPUTS))


def _can_be_kept(wanted: list[Formula], allowed: list[Formula], given: list[str]) -> bool:
    """The greatest set of states in which there is always an answer has the beginning."""
    rows = [
        dict(zip((*INPUTS, *OUTPUTS), values, strict=True))
        for values in itertools.product(*INPUTS.values(), *OUTPUTS.values())
    ]
    states: list[int | None] = [None, *range(len(rows))]
    # of every state and choice of the other side that is allowed there, the next states that are
    moves: dict[int | None, dict[tuple[int, ...], list[int]]] = {}
    for state in states:
        before = None if state is None else rows[state]
        found: dict[tuple[int, ...], list[int]] = {}
        for number, row in enumerate(rows):
            if all(f.meaning(before, row) for f in allowed):
                answers = found.setdefault(tuple(row[name] for name in given), [])
                if all(f.meaning(before, row) for f in wanted):
                    answers.append(number)
        moves[state] = found
    viable = set(states)
    while True:
        kept = {s for s in viable if all(viable.intersection(after) for after in moves[s].values())}
        if kept == viable:
            return None in viable
        viable = kept


class Contracts:
    """``pre`` is only used where it has a value: ``e -> f`` has it in f alone."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def contract(self) -> RandomContract:
        some = self.random.randint(0, 1), self.random.randint(1, 2)
        return RandomContract(
            [self._clause(INPUTS) for _ in range(some[0])],
            [self._clause({**INPUTS, **OUTPUTS}) for _ in range(some[1])],
        )

    def _clause(self, now: dict[str, range]) -> Formula:
        """About the streams of ``now`` at this instant and about all of the last."""
        first, later = self._formula(list(now), False, 2), self._formula(list(now), True, 3)
        return Formula(
            f"({first.text}) -> ({later.text})",
            lambda before, row: first.meaning(before, row) if before is None else later.meaning(before, row),
        )

    def _formula(self, now: list[str], past: bool, depth: int) -> Formula:
        kinds = ["and", "or", "or", "=>", "=>", "not", "atom", "atom"] if depth else ["atom"]
        kind = self.random.choice(kinds)
        if kind == "atom":
            return self._atom(now, past)
        left = self._formula(now, past, depth - 1)
        if kind == "not":
            return Formula(f"not ({left.text})", lambda b, r: not left.meaning(b, r))
        right = self._formula(now, past, depth - 1)
        combine: dict[str, Callable[[int, int], int]] = {
            "and": lambda v, w: v and w, "or": lambda v, w: v or w, "=>": lambda v, w: not v or w,
        }
        return Formula(
            f"(({left.text}) {kind} ({right.text}))",
            lambda b, r: combine[kind](left.meaning(b, r), right.meaning(b, r)),
        )

    def _atom(self, now: list[str], past: bool) -> Formula:
        names = [n for n in now if n in "pq"] + ([f"pre {n}" for n in "pq"] if past else [])
        if self.random.random() < 0.4:
            flag = self.random.choice(names)
            return Formula(flag, lambda b, r: _value(flag, b, r))
        left, right = self._number(now, past), self._number(now, past)
        operator = self.random.choice(["=", "<=", "<", "<>"])
        compare: dict[str, Callable[[int, int], bool]] = {
            "=": lambda v, w: v == w, "<=": lambda v, w: v <= w,
            "<": lambda v, w: v < w, "<>": lambda v, w: v != w,
        }
        return Formula(
            f"{left.text} {operator} {right.text}",
            lambda b, r: compare[operator](left.meaning(b, r), right.meaning(b, r)),
        )

    def _number(self, now: list[str], past: bool) -> Formula:
        names = [n for n in now if n in "ax"] + ([f"pre {n}" for n in "ax"] if past else [])
        name, constant = self.random.choice(names), self.random.randint(-1, 2)
        match self.random.choice(["name", "name", "constant", "sum"]):
            case "name":
                return Formula(name, lambda b, r: _value(name, b, r))
            case "constant":
                return Formula(f"({constant})", lambda b, r: constant)
            case _:
                return Formula(f"({name} + {constant})", lambda b, r: _value(name, b, r) + constant)


def _value(name: str, before: Row | None, row: Row) -> int:
    if name.startswith("pre "):
        assert before is not None
        return before[name.removeprefix("pre ")]
    return row[name]
