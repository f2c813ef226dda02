"""The frames F_0, F_1, … and the queries about them, on one SAT solver.

A lemma (the negation of a cube) is stored once, at the highest level where it is known to hold,
and its clause carries the negated *switch* of that level: it counts when the switch is on. Switch
i implies switch i + 1, so a query about F_i turns on switch i, which brings the lemmas of all higher
levels with it, and turns off switch i - 1, which takes all lower ones along: two assumptions, however
many frames there are. With all switches off, the infinity frame is left.

The clause ¬cube that a query adds has a switch of its own, retired by a unit clause afterwards; after
enough of them the solver is made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.pdr.cones import Cones
from revet.smt.sat import Sat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from revet.engines.common.context import Context
    from revet.engines.pdr import Options
    from revet.model.circuit_cnf import Step
    from revet.smt.sat import SatClock

Cube = tuple[int, ...]


class Blocked:
    """No step leads into the cube; ``core`` is a part of it, without initial states, for which that is so
    already. (Plain classes: there is one for each query.)"""

    __slots__ = ("core",)

    def __init__(self, core: Cube) -> None:
        self.core = core


class Reached:
    """``by`` is a model of a step into the cube: latches, inputs, and what follows from them; empty if nobody
    asked for it."""

    __slots__ = ("by",)

    def __init__(self, by: list[int]) -> None:
        self.by = by


class Frames:
    def __init__(self, step: Step, options: Options, context: Context, clock: SatClock) -> None:
        self.step = step
        self.options = options
        self.context = context
        self.clock = clock
        self.lemmas: list[list[tuple[int, Cube]]] = []  # by level: (mask, cube), see mask()
        self.always: list[Cube] = []
        self._added: list[tuple[int, int]] = []  # mask and level of every lemma that was ever added
        self._stuck: dict[Cube, tuple[int, int, int]] = {}  # see stuck()
        self.activity = [0.0] * (step.latches + 1)
        self._preferred: list[int] = []
        if options.seed:
            from random import Random  # here: only workers with a seed need it

            random = Random(options.seed)
            self.activity = [random.random() for _ in self.activity]
            self._preferred = [random.choice((x, -x)) for x in range(1, step.latches + step.inputs + 1)]
        self._bump = 1.0
        self._switches: list[int] = []  # by level
        self._solver = self._rebuild()
        self.open()

    # Levels

    @property
    def top(self) -> int:
        """The level of the outermost frame."""
        return len(self.lemmas) - 1

    def open(self) -> None:
        """A new, outermost frame."""
        self.lemmas.append([])
        self._add_switch()

    def _add_switch(self) -> None:
        """The next level's: the first one turns the initial states on."""
        switches, solver, switch = self._switches, self._solver, self._cones.fresh()
        if switches:
            solver.add([-switches[-1], switch])
        else:
            for literal in self.step.init:
                solver.add([-switch, literal])
        switches.append(switch)

    def _rebuild(self) -> Sat:
        """A solver with the lemmas that are left, and without retired switches."""
        self._solver = Sat((), self.context.budget, self.clock, self.options.solver)
        self._cones = Cones(self.step, self._solver)
        if self._preferred:
            self._solver.prefer(self._preferred)
        for literal in self.step.constraints:
            self._solver.add([self._cones.literal(literal)])
        self._bad = self._cones.literal(self.step.bad)
        self._switches.clear()
        for cube in self.always:
            self._solver.add([-x for x in cube])
        for level, row in enumerate(self.lemmas):
            self._add_switch()
            for _, cube in row:
                self._assert(cube, level)
        # Not more often than there are frames: a deep search would spend its time on rebuilding.
        self._left = max(self.options.renew, len(self.lemmas))  # queries until it is made anew
        return self._solver

    def _assert(self, cube: Cube, level: int) -> None:
        self._solver.add([-self._switches[level], *[-x for x in cube]])

    def _frame(self, level: int) -> list[int]:
        """The assumptions for F_level; for the level beyond the top, the infinity frame's."""
        switches = self._switches
        on = switches[level : level + 1]
        return [*on, -switches[level - 1]] if level else on

    # Queries

    def bad_state(self) -> list[int] | None:
        """A model (state, inputs, …) of a bad state in the outermost frame."""
        solver = self._solver
        return solver.model() if solver.solve([*self._frame(self.top), self._bad]) else None

    def consecution(
        self, level: int, cube: Cube, known: bool = False, model: bool = True
    ) -> Blocked | Reached:
        """Is the cube unreachable in one step from F_level without it?

        ``known``: the cube's negation is a lemma of F_level already. ``model``: if it is reachable, from
        where? Reading that takes a fair part of the time of a query.
        """
        solver, cones = self._solver, self._cones
        after = cones.after(cube)
        assumptions = [*self._frame(level), *after]
        known = known or not self.options.relative
        if not known:
            switch = cones.fresh()
            solver.add([-switch, *[-x for x in cube]])
            assumptions.append(switch)
        if solver.solve(assumptions):
            found: Blocked | Reached = Reached(solver.model() if model else [])
        else:
            found = Blocked(self._core(cube, after, solver.core()))
        if not known:
            solver.add([-switch])
            self._left -= 1
            if self._left <= 0:
                self.context.stats.counts["solvers renewed"] += 1
                solver.delete()
                self._rebuild()
        return found

    def inductive_alone(self, cube: Cube) -> bool:
        """Relative to the infinity frame only."""
        return isinstance(self.consecution(self.top + 1, cube, model=False), Blocked)

    def moves_on(self, level: int, cube: Cube) -> Blocked | None:
        """Does a lemma of F_level hold in the next frame, too? If it does not, the state of F_level that led
        into the cube is remembered: nobody need ask again before another lemma excludes that state."""
        at, state, seen = self._stuck.get(cube, (-1, 0, 0))
        since = self._added[seen:]
        if at == level and not any(mask & state == mask and up >= level for mask, up in since):
            self._stuck[cube] = level, state, len(self._added)
            return None
        answer = self.consecution(level, cube, known=True)
        if isinstance(answer, Blocked):
            self._stuck.pop(cube, None)
            return answer
        self._stuck[cube] = level, self.mask(answer.by[: self.step.latches]), len(self._added)
        return None

    def _core(self, cube: Cube, after: Sequence[int], core: Sequence[int]) -> Cube:
        """The literals whose successors are in the core, made disjoint from the initial states."""
        if not self.options.cores:
            return cube
        needed = set(core)
        part = tuple([x for x, y in zip(cube, after, strict=True) if y in needed])
        contradicts = self.step.contradicts
        for x in part:
            if contradicts[x]:
                return part
        for x in cube:
            if contradicts[x]:
                return (*part, x)
        return cube

    def meets_init(self, cube: Sequence[int]) -> bool:
        contradicts = self.step.contradicts
        return True not in [contradicts[x] for x in cube]

    # Lemmas

    def mask(self, cube: Sequence[int]) -> int:
        """The cube as a set of bits, so that inclusion is one operation."""
        latches, bits = self.step.latches, 0
        for x in cube:
            bits |= 1 << (x if x > 0 else latches - x)
        return bits

    def blocks(self, cube: Cube, level: int) -> bool:
        """Does a lemma that holds at ``level`` exclude the whole cube?"""
        bits = self.mask(cube)
        if not self.options.subsumption:
            return any(mask == bits for row in self.lemmas[level:] for mask, _ in row)
        for row in self.lemmas[level:]:
            for mask, _ in row:
                if mask & bits == mask:
                    return True
        return False

    def _rest(self, row: list[tuple[int, Cube]], bits: int) -> list[tuple[int, Cube]]:
        """The lemmas of a row without those that a new one (with these bits) implies."""
        if not self.options.subsumption:
            return [entry for entry in row if entry[0] != bits]
        return [entry for entry in row if entry[0] & bits != bits]

    def add(self, cube: Cube, level: int) -> None:
        """The negated cube holds in F_1 … F_level; lemmas that it implies are forgotten."""
        bits = self.mask(cube)
        for row in self.lemmas[1 : level + 1]:
            if row:
                row[:] = self._rest(row, bits)
        self.lemmas[level].append((bits, cube))
        self._added.append((bits, level))
        self._assert(cube, level)

    def raise_to(self, entry: tuple[int, Cube], level: int, cube: Cube) -> None:
        """A lemma of ``level - 1`` was shown to hold one level further, in the shape ``cube``."""
        if len(cube) < len(entry[1]):
            self.add(cube, level)
            return
        self.lemmas[level].append(entry)
        self._added.append((entry[0], level))
        self._assert(entry[1], level)

    def add_always(self, cube: Cube) -> None:
        """The negated cube is inductive by itself."""
        bits = self.mask(cube)
        for row in self.lemmas:
            row[:] = self._rest(row, bits)
        self.always.append(cube)
        self._added.append((bits, self.top + 1))
        self._solver.add([-x for x in cube])

    def reward(self, cube: Cube) -> None:
        """Literals of recent lemmas are kept in later ones."""
        activity, bump = self.activity, self._bump
        for x in cube:
            activity[abs(x)] += bump
        self._bump = bump * 1.02
        if self._bump > 1e100:
            self.activity = [value * 1e-100 for value in activity]
            self._bump *= 1e-100
