"""A simulator of AIGER files: confirms counterexamples on the file as it was read.

It shares nothing with the circuit model: signals keep the file's numbers, gates are evaluated on
demand. That makes it a check on the front end's renumbering as well as on the engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.model.circuit import ANY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from revet.frontends.aiger.file import AigerFile


class Simulator:
    """Step by step: :meth:`step` reads inputs, :meth:`value` looks at a literal of this step."""

    def __init__(self, file: AigerFile, initial: Sequence[int]) -> None:
        self.file = file
        self._gate = {
            g: (a, b) for g, a, b in zip(file.gates, file.left, file.right, strict=True)
        }
        self._values: dict[int, int] = {}
        self._latches = list(initial)

    def step(self, inputs: Sequence[int]) -> None:
        """Read the inputs of the next step (the latches are those the last step computed)."""
        self._values = {0: 0}
        self._values.update(zip(self.file.inputs, inputs, strict=True))
        self._values.update(zip(self.file.latches, self._latches, strict=True))

    def advance(self) -> None:
        """Let the latches take their next values."""
        self._latches = [self.value(literal) for literal in self.file.next]

    def value(self, literal: int) -> int:
        values, gate = self._values, self._gate
        stack = [literal & ~1]
        while stack:
            top = stack[-1]
            if top in values:
                stack.pop()
                continue
            a, b = gate[top]
            missing = [x & ~1 for x in (a, b) if x & ~1 not in values]
            if missing:
                stack += missing
            else:
                values[top] = (values[a & ~1] ^ (a & 1)) & (values[b & ~1] ^ (b & 1))
        return values[literal & ~1] ^ (literal & 1)


def faults(
    file: AigerFile, initial: Sequence[int], inputs: Sequence[Sequence[int]], goal: int
) -> Iterator[str]:
    """What is wrong with a run that should end with ``goal`` true; nothing if it is right."""
    for latch, (reset, value) in enumerate(zip(file.reset, initial, strict=True)):
        if reset not in (ANY, value):
            yield f"latch {latch} starts with {value}, but is reset to {reset}"
    simulator = Simulator(file, initial)
    for number, row in enumerate(inputs):
        simulator.step(row)
        for index, constraint in enumerate(file.constraints):
            if not simulator.value(constraint):
                yield f"step {number}: constraint {index} is violated"
        if number == len(inputs) - 1 and not simulator.value(goal):
            yield f"step {number}: the bad state is not reached"
        simulator.advance()
