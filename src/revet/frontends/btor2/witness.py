"""Reading BTOR2 witnesses: the values that a run draws, completed by running the file."""

from __future__ import annotations

from typing import Any

from revet.errors import InputError, Position
from revet.frontends.btor2.interpret import Machine, zero
from revet.frontends.btor2.translate import Translation
from revet.logic.sorts import ArraySort, BitVecSort, Sort
from revet.logic.values import ArrayValue
from revet.result.trace import SystemTrace


def read_witness(text: str, path: str, translation: Translation) -> SystemTrace:
    reader = _Reader(path, translation)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(";", 1)[0].split()
        if words == ["."]:
            return reader.trace()
        if words:
            reader.line(number, words)
    raise InputError("a witness ends with a line '.'", Position(path, 1))


class _Reader:
    def __init__(self, path: str, translation: Translation) -> None:
        self.path = path
        self.translation = translation
        self.file = translation.file
        self.lines = 0
        self.violated = ""
        self.place: tuple[str, int] = ("", 0)
        self.drawn: dict[tuple[int, int], Any] = {}  # (step, node)
        self.steps = 0

    def error(self, message: str, number: int) -> InputError:
        return InputError(message, Position(self.path, number))

    def line(self, number: int, words: list[str]) -> None:
        self.lines += 1
        if self.lines == 1:
            if words != ["sat"]:
                raise self.error("a counterexample starts with a line 'sat'", number)
        elif self.lines == 2:
            names = list(self.translation.properties)
            which = words[0][1:]
            if words[0][0] != "b" or not which.isdigit() or int(which) >= len(names):
                raise self.error(f"expected the violated property: b0 … b{len(names) - 1}", number)
            self.violated = names[int(which)]
        elif words[0][0] in "#@":
            if not words[0][1:].isdigit() or int(words[0][1:]) not in (self.steps - 1, self.steps):
                raise self.error("steps must follow each other", number)
            self.place = words[0][0], int(words[0][1:])
            self.steps = self.place[1] + 1
        else:
            self.assignment(number, words)

    def assignment(self, number: int, words: list[str]) -> None:
        kind, step = self.place
        nodes = self.file.states if kind == "#" else self.file.inputs
        if not kind or not words[0].isdigit() or int(words[0]) >= len(nodes) or len(words) < 2:
            raise self.error("expected the number of an input or state, and its value", number)
        node = nodes[int(words[0])]
        sort = self.file.nodes[node].sort
        if isinstance(sort, ArraySort):
            if len(words) < 3 or words[1][0] + words[1][-1] != "[]":
                raise self.error("expected an index in brackets and a value", number)
            array = self.drawn.get((step, node), ArrayValue(0))
            index = self.bits(words[1][1:-1], sort.index, number)
            self.drawn[step, node] = array.store(index, self.bits(words[2], sort.element, number))
        else:
            self.drawn[step, node] = self.bits(words[1], sort, number)

    def bits(self, word: str, sort: Sort, number: int) -> int:
        assert isinstance(sort, BitVecSort)
        if len(word) != sort.width or word.strip("01x"):
            raise self.error(f"expected {sort.width} binary digits, got {word}", number)
        return int(word.replace("x", "0"), 2)

    def trace(self) -> SystemTrace:
        """Run the file; what the witness leaves open is 0."""
        if not self.violated or not self.steps:
            raise self.error("a counterexample has a property and at least one step", 1)
        file, variables, machine = self.file, self.translation.variables, Machine(self.file)
        states = {n: self._value(0, n) for n in file.states}
        self._initialise(machine, states)
        system = self.translation.system
        source = {y: x for x, y in system.step.updates.items()}
        rows, inputs = [], []
        for step in range(self.steps):
            given = {**states, **{n: self._value(step, n) for n in file.inputs}}
            machine.read(given)
            by_variable = {variables[n]: value for n, value in given.items()}
            rows.append({x: by_variable[x] for x in system.variables})
            states = {
                n: machine.value(file.next[n]) if n in file.next else self._value(step + 1, n)
                for n in file.states
            }
            after = {variables[n]: value for n, value in states.items()}
            after |= {variables[n]: self._value(step + 1, n) for n in file.inputs}
            inputs.append(
                {y: by_variable[y] if y in by_variable else after[source[y]] for y in system.inputs}
            )
        return SystemTrace(tuple(rows), tuple(inputs[:-1]), self.violated)

    def _initialise(self, machine: Machine, states: dict[int, Any]) -> None:
        """In the order of the file, as initial values refer to earlier states only."""
        inputs = {n: self._value(0, n) for n in self.file.inputs}
        for state in self.file.states:
            if state in self.file.init:
                machine.read({**inputs, **states})
                states[state] = machine.initial(state)

    def _value(self, step: int, node: int) -> Any:
        return self.drawn.get((step, node), zero(self.file.nodes[node].sort))
