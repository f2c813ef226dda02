"""A toy language, to show what a new one needs: a counter machine with two instructions.

::

    add 2      the counter, which starts at 0, grows
    avoid 7    the counter must not be 7 here

After the last instruction the machine goes back to the first one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.errors import InputError, Position, UsageError
from revet.frontends.kit.text import read_text
from revet.frontends.program import Program, ReplayFailed
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume
from revet.result.trace import CfaTrace, Trace

Instruction = tuple[str, int]


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> CounterProgram:
    if len(paths) != 1:
        raise UsageError("give one counter machine at a time")
    return CounterProgram(_parse(read_text(paths[0]), str(paths[0])), paths[0])


def _parse(text: str, path: str) -> list[Instruction]:
    found: list[Instruction] = []
    for number, line in enumerate(text.splitlines(), 1):
        match line.split():
            case ["add" | "avoid" as word, digits] if digits.lstrip("-").isdecimal():
                found.append((word, int(digits)))
            case []:
                continue
            case _:
                raise InputError("neither 'add N' nor 'avoid N'", Position(path, number, 1), line)
    if not found:
        raise InputError(f"{path}: no instruction")
    return found


class CounterProgram(Program):
    language = "counter"

    def __init__(self, code: list[Instruction], path: Path) -> None:
        self._code = code
        counter = b.var("counter", INT)
        places = [Location(f"at{number}", Position(str(path), number + 1)) for number in range(len(code))]
        start, edges, errors = Location("start"), [], []
        edges.append(Edge(start, places[0], (Assign(counter, b.integer(0)),)))
        for number, (word, value) in enumerate(code):
            here, after = places[number], places[(number + 1) % len(code)]
            if word == "add":
                edges.append(Edge(here, after, (Assign(counter, counter + value),)))
                continue
            error = Location(f"avoid@{number + 1}", here.position)
            errors.append(error)
            edges.append(Edge(here, error, (Assume(counter.eq(value)),)))
            edges.append(Edge(here, after, (Assume(counter.ne(value)),)))
        locations = (start, *places, *errors)
        super().__init__(Cfa((counter,), locations, tuple(edges), start, tuple(errors)), (path,))

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Run the machine: it has one run only, which must end where the trace says."""
        assert isinstance(trace, CfaTrace)
        counter = at = 0
        for _ in range(len(trace.edges)):
            word, value = self._code[at]
            if word == "avoid" and counter == value:
                if trace.violated == f"avoid@{at + 1}":
                    return [f"run by the counter machine: the counter is {counter} at instruction {at + 1}"]
                raise ReplayFailed(f"the machine stops at instruction {at + 1}")
            counter += value if word == "add" else 0
            at = (at + 1) % len(self._code)
        raise ReplayFailed("the machine goes on")
