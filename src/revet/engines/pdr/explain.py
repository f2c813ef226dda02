"""Frames and obligations of a circuit with the names of its latches, as text and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.pdr.algorithm import CircuitPdr, constrained
from revet.events import Arrow, Box, Explained

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.engines.pdr import Options
    from revet.engines.pdr.frames import Cube
    from revet.model.circuit import Circuit
    from revet.model.circuit_cnf import Step
    from revet.result import Unsafe, Verdict
    from revet.smt.sat import SatClock


class ExplainedPdr(CircuitPdr):
    """The same search, which reports its frames and obligations after every phase."""

    def __init__(
        self, circuit: Circuit, step: Step, options: Options, context: Context, clock: SatClock
    ) -> None:
        super().__init__(circuit, step, options, context, clock)
        self.story = Story(self)

    def strengthen(self) -> Verdict | None:
        verdict = super().strengthen()
        if verdict is None:
            self.story.show("blocking")
        return verdict

    def unsafe(self, first: int) -> Unsafe:
        self.story.show("counterexample", first)
        return super().unsafe(first)

    def obligation(self, cube: Cube, inputs: list[int], successor: int | None, level: int) -> int:
        number = super().obligation(cube, inputs, successor, level)
        self.story.obligation(number, level)
        return number

    def learnt(self, lemma: Cube, level: int | None) -> None:
        super().learnt(lemma, level)
        self.story.lemma(lemma, level)

    def propagate(self) -> int | None:
        found = super().propagate()
        self.story.show("propagation" if found is None else f"propagation, F{found} = F{found + 1}")
        return found


class Story:
    """What happened since the last picture, and the pictures."""

    def __init__(self, pdr: CircuitPdr) -> None:
        self._pdr = pdr
        self._lines: list[str] = []
        self._shown: dict[int, int] = {}  # obligations with the level at which they came up
        self._plain = constrained(pdr.circuit)  # what goes without saying

    def obligation(self, number: int, level: int) -> None:
        self._shown[number] = level
        successor = self._pdr.successor[number]
        why = "is bad" if successor is None else f"leads to s{successor}"
        cube = self._cube(self._pdr.cubes[number])
        self._lines.append(f"obligation s{number} at level {level}: {cube}  ({why})")

    def lemma(self, cube: Cube, level: int | None) -> None:
        where = "always" if level is None else f"up to level {level}"
        self._lines.append(f"lemma {where}: {self._clause(cube)}")

    def show(self, phase: str, run: int | None = None) -> None:
        """Report the frames as they are now; ``run``: the first obligation of a counterexample."""
        pdr = self._pdr
        frames = [f"  F{level}: {' and '.join(parts)}" for level, parts in enumerate(self._frames())]
        text = "\n".join([*(f"  {line}" for line in self._lines or ["nothing to block"]), "frames", *frames])
        boxes, arrows = self._drawing(run)
        pdr.context.observe(Explained(pdr.name, f"{phase}, frames 0 to {pdr.top}", text, boxes, arrows))
        self._lines = []

    def _frames(self) -> list[list[str]]:
        """F_0 is the initial states; the others are what their lemmas say, and the property."""
        frames, circuit = self._pdr.frames, self._pdr.circuit
        first = [
            _name(circuit, n, reset == 1) for n, reset in enumerate(circuit.reset, 1)
            if reset in (0, 1) and n not in self._plain
        ]
        found = [first or ["true"]]
        for level in range(1, frames.top + 1):
            cubes = [*frames.always, *(cube for row in frames.lemmas[level:] for _, cube in row)]
            clauses = dict.fromkeys(self._clause(cube) for cube in cubes)
            found.append([f"({text})" if " or " in text else text for text in clauses] or ["true"])
        return found

    def _drawing(self, run: int | None) -> tuple[tuple[Box, ...], tuple[Arrow, ...]]:
        boxes = [
            Box(f"F{level}", f"F{level}", tuple(parts), "" if level else "initial")
            for level, parts in enumerate(self._frames())
        ]
        arrows = [Arrow(f"F{n}", f"F{n + 1}") for n in range(len(boxes) - 1)]
        path: set[int] = set()
        at = run
        while at is not None:
            path.add(at)
            at = self._pdr.successor[at]
        for number, level in self._shown.items():
            successor = self._pdr.successor[number]
            kind = "error" if successor is None else ""
            text = self._cube(self._pdr.cubes[number])
            boxes.append(Box(f"s{number}", f"s{number} at level {level}", (text,), kind))
            if successor is not None:
                arrows.append(Arrow(f"s{number}", f"s{successor}", "", "run" if number in path else ""))
        return tuple(boxes), tuple(arrows)

    def _cube(self, cube: Cube) -> str:
        return " and ".join(self._literals(cube, 1)) or "true"

    def _clause(self, cube: Cube) -> str:
        return " or ".join(self._literals(cube, -1)) or "false"

    def _literals(self, cube: Cube, sign: int) -> list[str]:
        circuit = self._pdr.circuit
        return [_name(circuit, abs(x), sign * x > 0) for x in cube if self._plain.get(abs(x)) != (x > 0)]


def _name(circuit: Circuit, latch: int, positive: bool) -> str:
    """``latch`` counts from 1, as the SAT solver does."""
    name = circuit.name_of(circuit.first_latch + latch - 1)
    return name if positive else f"not {name}"
