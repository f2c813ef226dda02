"""PDR's main loop; see the package's text."""

from __future__ import annotations

from heapq import heappop, heappush

from revet.engines.pdr.frames import Frames
from revet.engines.pdr.generalize import Generalizer
from revet.engines.pdr.lift import CoreLifter, TernaryLifter
from revet.events import BoundReached, FrameOpened, LemmaLearnt, ObligationOpened
from revet.model.circuit import ANY, evaluate, literal_value, successor
from revet.result import CircuitInvariant, CircuitTrace, Safe, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from revet.engines.context import Context
    from revet.engines.pdr import Options
    from revet.engines.pdr.frames import Cube
    from revet.engines.pdr.lift import Lifter
    from revet.model.circuit import Circuit
    from revet.model.circuit_cnf import Step
    from revet.result import Verdict
    from revet.smt.sat import SatClock


class Pdr:
    def __init__(
        self, circuit: Circuit, step: Step, options: Options, context: Context, clock: SatClock
    ) -> None:
        self.circuit = circuit
        self.step = step
        self.options = options
        self.context = context
        self.frames = Frames(step, options, context, clock)
        self.lifter: Lifter = (
            CoreLifter(step, options, context, clock) if options.lift == "core"
            else TernaryLifter(circuit, step)
        )
        self.generalizer = Generalizer(self.frames, options, self._learn)
        # Obligations in three arrays: the cube, the inputs read in it, and the next obligation.
        self.cubes: list[Cube] = []
        self.inputs: list[list[int]] = []
        self.successor: list[int | None] = []

    def run(self) -> Verdict:
        frames, observe = self.frames, self.context.observe
        while True:
            self.context.budget.poll()
            observe(FrameOpened("pdr", frames.frontier))
            first = self._strengthen()
            if first is not None:
                return Unsafe(self._trace(first))
            observe(BoundReached("pdr", frames.frontier))
            frames.open()
            level = self._propagate()
            if level is not None:
                return Safe(self._invariant(level))

    def _strengthen(self) -> int | None:
        """Block bad states until the frontier has none; an obligation that starts a bad run, or None."""
        frames = self.frames
        while True:
            model = frames.bad_state()
            if model is None:
                return None
            cube, inputs = self._lift(model, None)
            start = self._obligation(cube, inputs, None)
            if frames.meets_init(cube):
                return start
            if frames.frontier == 0:
                raise AssertionError("a bad initial state was lifted to a cube without initial states")
            first = self._block(start)
            if first is not None:
                return first

    def _lift(self, model: list[int], target: Cube | None) -> tuple[Cube, list[int]]:
        latches = self.step.latches
        inputs = model[latches : latches + self.step.inputs]
        return self.lifter.lift(model[:latches], inputs, target), inputs

    def _obligation(self, cube: Cube, inputs: list[int], successor: int | None) -> int:
        self.cubes.append(cube)
        self.inputs.append(inputs)
        self.successor.append(successor)
        self.context.stats.counts["obligations"] += 1
        return len(self.cubes) - 1

    def _block(self, start: int) -> int | None:
        """Show that the obligation's cube is unreachable up to the frontier, or find a run."""
        frames, budget = self.frames, self.context.budget
        frontier = frames.frontier
        # Lowest level first, then the most recent one.
        queue = [(frontier, -start, start)]
        while queue:
            budget.poll()
            level, _, obligation = heappop(queue)
            cube = self.cubes[obligation]
            if frames.blocked(cube, level):
                if level < frontier:
                    heappush(queue, (level + 1, -obligation, obligation))
                continue
            answer = frames.consecution(level - 1, cube)
            if isinstance(answer, tuple):
                lemma = self.generalizer.generalize(level - 1, answer)
                level = self._push(lemma, level)
                if level < frontier:
                    heappush(queue, (level + 1, -obligation, obligation))
                continue
            before, inputs = self._lift(answer, cube)
            predecessor = self._obligation(before, inputs, obligation)
            if frames.meets_init(before):
                return predecessor
            self.context.observe(ObligationOpened("pdr", level - 1, before))
            heappush(queue, (level - 1, -predecessor, predecessor))
            heappush(queue, (level, -obligation, obligation))
        return None

    def _push(self, lemma: Cube, level: int) -> int:
        """As far out as the lemma holds; the level it got to."""
        frames = self.frames
        while level < frames.frontier:
            further = frames.consecution(level, lemma)
            if not isinstance(further, tuple):
                break
            lemma = further
            level += 1
        self._learn(lemma, level)
        return level

    def _learn(self, lemma: Cube, level: int) -> None:
        frames = self.frames
        self.context.stats.counts["lemmas"] += 1
        frames.reward(lemma)
        if self.options.infinity and level == frames.frontier and frames.inductive_alone(lemma):
            self.context.stats.counts["lemmas that always hold"] += 1
            frames.add_always(lemma)
            self.context.observe(LemmaLearnt("pdr", lemma, None))
            return
        frames.add(lemma, level)
        self.context.observe(LemmaLearnt("pdr", lemma, level))

    def _propagate(self) -> int | None:
        """Move lemmas outwards; a level whose frame equals the next one, if there is one."""
        frames = self.frames
        for level in range(1, frames.frontier):
            moved: set[int] = set()
            for entry in list(frames.lemmas[level]):
                self.context.budget.poll()
                answer = frames.consecution(level, entry[1], known=True)
                if isinstance(answer, tuple):
                    moved.add(entry[0])
                    frames.raise_to(entry, level + 1, answer)
            frames.lemmas[level] = [entry for entry in frames.lemmas[level] if entry[0] not in moved]
            if not frames.lemmas[level]:
                return level
        return None

    def _invariant(self, level: int) -> CircuitInvariant:
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
