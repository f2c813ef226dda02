"""PDR on a circuit: blocking and propagation; see the package's text."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from revet.engines.common.pdr.loop import Pdr
from revet.engines.pdr.frames import Blocked, Frames, Reached
from revet.engines.pdr.generalize import Generalizer
from revet.engines.pdr.lift import CoreLifter, NoLifter, TernaryLifter
from revet.events import FrameOpened, LemmaLearnt, ObligationOpened
from revet.model.circuit import ANY, evaluate, literal_value, successor
from revet.result import CircuitInvariant, CircuitTrace, Unsafe

if TYPE_CHECKING:
    from revet.engines.common.context import Context
    from revet.engines.pdr import Options
    from revet.engines.pdr.frames import Cube
    from revet.engines.pdr.lift import Lifter
    from revet.model.circuit import Circuit
    from revet.model.circuit_cnf import Step
    from revet.result import Verdict
    from revet.smt.sat import SatClock


class CircuitPdr(Pdr):
    name = "pdr"

    def __init__(
        self, circuit: Circuit, step: Step, options: Options, context: Context, clock: SatClock
    ) -> None:
        self.circuit = circuit
        self.step = step
        self.options = options
        self.context = context
        self.frames = Frames(step, options, context, clock)
        self.lifter: Lifter = NoLifter()
        if options.lift != "none":
            core = options.lift == "core"
            self.lifter = CoreLifter(step, options, context, clock) if core else TernaryLifter(circuit, step)
        self.generalizer = Generalizer(self.frames, options, self.add)
        # Obligations in three arrays: the cube, the inputs read in it, and the next obligation.
        self.cubes: list[Cube] = []
        self.inputs: list[list[int]] = []
        self.successor: list[int | None] = []

    @property
    def top(self) -> int:
        return self.frames.top

    def open(self) -> None:
        self.frames.open()

    def strengthen(self) -> Verdict | None:
        frames = self.frames
        self.context.observe(FrameOpened(self.name, frames.top))
        while (model := frames.bad_state()) is not None:
            cube, inputs = self._lift(model, None)
            start = self.obligation(cube, inputs, None, frames.top)
            if frames.meets_init(cube):
                return self.unsafe(start)
            if frames.top == 0:
                raise AssertionError("a bad initial state was lifted to a cube without initial states")
            first = self.block(start)
            if first is not None:
                return self.unsafe(first)
        return None

    def unsafe(self, first: int) -> Unsafe:
        """The run that begins in the cube of this obligation."""
        return Unsafe(self._trace(first))

    def _lift(self, model: list[int], target: Cube | None) -> tuple[Cube, list[int]]:
        latches = self.step.latches
        inputs = model[latches : latches + self.step.inputs]
        return self.lifter.lift(model[:latches], inputs, target), inputs

    def obligation(self, cube: Cube, inputs: list[int], successor: int | None, level: int) -> int:
        """The number of a new obligation: block the cube up to this level."""
        self.context.observe(ObligationOpened(self.name, level, cube))
        self.cubes.append(cube)
        self.inputs.append(inputs)
        self.successor.append(successor)
        self.context.stats.counts["obligations"] += 1
        return len(self.cubes) - 1

    def block(self, start: int) -> int | None:
        """Show that the obligation's cube is unreachable up to the top, or find a run."""
        frames, budget = self.frames, self.context.budget
        top = frames.top
        # Lowest level first, then the most recent one.
        queue = [(top, -start, start)]
        while queue:
            budget.poll()
            self.hear()
            level, _, obligation = heappop(queue)
            cube = self.cubes[obligation]
            if frames.blocks(cube, level):
                if level < top and self.options.push:
                    heappush(queue, (level + 1, -obligation, obligation))
                continue
            answer = frames.consecution(level - 1, cube)
            if isinstance(answer, Blocked):
                dropping = self.options.dropping
                lemma = self.generalizer.generalize(level - 1, answer.core) if dropping else answer.core
                level = self.push(lemma, level)
                if level < top and self.options.push:
                    heappush(queue, (level + 1, -obligation, obligation))
                continue
            before, inputs = self._lift(answer.by, cube)
            predecessor = self.obligation(before, inputs, obligation, level - 1)
            if frames.meets_init(before):
                return predecessor
            heappush(queue, (level - 1, -predecessor, predecessor))
            heappush(queue, (level, -obligation, obligation))
        return None

    def push(self, lemma: Cube, level: int) -> int:
        """Store a lemma as far out as it holds; that level."""
        frames = self.frames
        while level < frames.top and self.options.push:
            further = frames.consecution(level, lemma, model=False)
            if isinstance(further, Reached):
                break
            lemma = further.core
            level += 1
        self.add(lemma, level)
        return level

    def add(self, lemma: Cube, level: int) -> None:
        frames = self.frames
        self.context.stats.counts["lemmas"] += 1
        frames.reward(lemma)
        always = self.options.infinity and level == frames.top and frames.inductive_alone(lemma)
        if always:
            self.context.stats.counts["lemmas that always hold"] += 1
            frames.add_always(lemma)
        else:
            frames.add(lemma, level)
        self.learnt(lemma, None if always else level)

    def learnt(self, lemma: Cube, level: int | None) -> None:
        """Tell whoever watches; ``level`` None: in every frame."""
        self.context.observe(LemmaLearnt(self.name, lemma, level))

    def hear(self) -> None:
        """Take lemmas of other workers, where they hold relative to the frames here."""
        frames = self.frames
        for shared in self.context.lemmas():
            self.context.budget.poll()
            cube: Cube = shared.lemma
            level = frames.top if shared.level is None else min(shared.level, frames.top)
            if level < 1 or frames.meets_init(cube) or frames.blocks(cube, level):
                continue
            answer = frames.consecution(level - 1, cube, model=False)
            if isinstance(answer, Blocked):
                frames.add(answer.core, level)
                self.context.stats.counts["lemmas from others"] += 1

    def propagate(self) -> int | None:
        if self.options.initial_clauses and self.top == 1:
            self._keep_initial_clauses()
        self.hear()
        return self._propagate()

    def _keep_initial_clauses(self) -> None:
        """In states that keep the constraints; other states are in no run."""
        kept = constrained(self.circuit)
        for latch, reset in enumerate(self.circuit.reset, 1):
            if reset != ANY and latch not in kept:
                other = {**kept, latch: not reset}
                cube = tuple(n if other[n] else -n for n in sorted(other))
                if isinstance(self.frames.consecution(0, cube, model=False), Blocked):
                    self.add(cube, 1)

    def _propagate(self) -> int | None:
        frames = self.frames
        for level in range(1, frames.top):
            moved: set[int] = set()
            for entry in list(frames.lemmas[level]) if self.options.propagation else ():
                self.context.budget.poll()
                answer = frames.moves_on(level, entry[1])
                if answer is not None:
                    moved.add(entry[0])
                    frames.raise_to(entry, level + 1, answer.core)
            frames.lemmas[level] = [entry for entry in frames.lemmas[level] if entry[0] not in moved]
            if not frames.lemmas[level]:
                return level
        return None

    def certificate(self, level: int) -> CircuitInvariant:
        frames = self.frames
        cubes = [*frames.always, *(cube for row in frames.lemmas[level + 1 :] for _, cube in row)]
        base = 2 * self.circuit.inputs
        # Latch n (from 1) of the solver is signal inputs + n of the circuit; cubes are negated.
        clauses = [tuple(base + 2 * abs(x) + (x > 0) for x in cube) for cube in cubes]
        return CircuitInvariant(tuple(clauses))

    def _trace(self, first: int) -> CircuitTrace:
        """Follow the recorded inputs from an initial state of the first cube."""
        circuit = self.circuit
        latches = [0 if reset == ANY else reset for reset in circuit.reset]
        for x in self.cubes[first]:
            latches[abs(x) - 1] = int(x > 0)
        initial = tuple(latches)
        rows: list[tuple[int, ...]] = []
        at: int | None = first
        while at is not None:
            rows.append(tuple(int(x > 0) for x in self.inputs[at]))
            values = evaluate(circuit, rows[-1], latches)
            latches = successor(circuit, values)
            at = self.successor[at]
        violated = next(name for name, bad in circuit.bad.items() if literal_value(values, bad))
        return CircuitTrace(initial, tuple(rows), violated)


def constrained(circuit: Circuit) -> dict[int, bool]:
    """The latches, counted from 1, that a constraint by itself gives one value."""
    found = {(each >> 1) - circuit.first_latch + 1: each & 1 == 0 for each in circuit.constraints}
    return {latch: value for latch, value in found.items() if 1 <= latch <= len(circuit.reset)}
