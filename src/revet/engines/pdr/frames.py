"""The frames F_0, F_1, … and the queries about them: one SAT solver a frame.

A lemma (the negation of a cube) is stored once, at the highest level where it is known to hold,
and asserted in the solvers of all levels up to it. Temporary clauses get an activation literal,
which is retired by a unit clause; after enough of them the solver is made anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revet.engines.circuits.cnf import Step
from revet.engines.context import Context
from revet.smt.sat import Sat, SatClock

if TYPE_CHECKING:
    from revet.engines.pdr import Options

Cube = tuple[int, ...]


class Frames:
    def __init__(self, step: Step, options: Options, context: Context, clock: SatClock) -> None:
        self.step = step
        self.options = options
        self.context = context
        self.clock = clock
        self.lemmas: list[list[tuple[int, Cube]]] = []  # by level: (mask, cube), see mask()
        self.always: list[Cube] = []
        self.activity = [0.0] * (step.latches + 1)
        self._bump = 1.0
        self._solvers: list[Sat] = []
        self._fresh: list[int] = []  # the last variable used in each solver
        self._renew_at: list[int] = []
        self._base = [*step.clauses, *([c] for c in step.constraints)]
        self._always_solver = self._new_solver()
        self._always_fresh = step.variables
        self.open()

    # Levels

    @property
    def frontier(self) -> int:
        return len(self.lemmas) - 1

    def open(self) -> None:
        """A new, outermost frame."""
        level = len(self.lemmas)
        self.lemmas.append([])
        self._solvers.append(self._new_solver(level))
        self._fresh.append(self.step.variables)
        self._renew_at.append(self.step.variables + self.options.renew)

    def _new_solver(self, level: int | None = None) -> Sat:
        solver = Sat(self._base, self.context.budget, self.clock, self.options.solver)
        if level == 0:
            for literal in self.step.init:
                solver.add([literal])
        for cube in self.always:
            solver.add([-x for x in cube])
        if level is not None:
            for row in self.lemmas[level:]:
                for _, cube in row:
                    solver.add([-x for x in cube])
        return solver

    def _renew(self, level: int) -> None:
        self.context.stats.counts["solvers renewed"] += 1
        self._solvers[level].delete()
        self._solvers[level] = self._new_solver(level)
        self._fresh[level] = self.step.variables
        self._renew_at[level] = self.step.variables + self.options.renew

    # Queries

    def bad_state(self) -> list[int] | None:
        """A model (state, inputs, …) of a bad state in the outermost frame."""
        solver = self._solvers[-1]
        return solver.model() if solver.solve([self.step.bad]) else None

    def consecution(self, level: int, cube: Cube, known: bool = False) -> Cube | list[int]:
        """Is the cube unreachable in one step from F_level without it?

        If so, the part of the cube that a core shows to be enough, as a tuple; otherwise a model,
        as a list. ``known``: the cube's negation is a lemma of F_level already.
        """
        after = self.step.next
        solver = self._solvers[level]
        if known:
            assumptions = [after[x] for x in cube]
            if solver.solve(assumptions):
                return solver.model()
            return self._core(cube, solver.core())
        self._fresh[level] += 1
        active = self._fresh[level]
        solver.add([-active, *[-x for x in cube]])
        found: Cube | list[int]
        if solver.solve([active, *[after[x] for x in cube]]):
            found = solver.model()
        else:
            found = self._core(cube, solver.core())
        solver.add([-active])
        if active >= self._renew_at[level]:
            self._renew(level)
        return found

    def inductive_alone(self, cube: Cube) -> bool:
        """Relative to the infinity frame only."""
        after, solver = self.step.next, self._always_solver
        self._always_fresh += 1
        active = self._always_fresh
        solver.add([-active, *[-x for x in cube]])
        holds = not solver.solve([active, *[after[x] for x in cube]])
        solver.add([-active])
        if active >= self.step.variables + self.options.renew:
            solver.delete()
            self._always_solver = self._new_solver()
            self._always_fresh = self.step.variables
        return holds

    def _core(self, cube: Cube, core: Sequence[int]) -> Cube:
        """The literals whose successors are in the core, made disjoint from the initial states."""
        needed, after = set(core), self.step.next
        part = tuple([x for x in cube if after[x] in needed])
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

    def blocked(self, cube: Cube, level: int) -> bool:
        """Does a lemma that holds at ``level`` exclude the whole cube?"""
        bits = self.mask(cube)
        for row in self.lemmas[level:]:
            for mask, _ in row:
                if mask & bits == mask:
                    return True
        return False

    def add(self, cube: Cube, level: int) -> None:
        """The negated cube holds in F_1 … F_level; lemmas that it implies are forgotten."""
        bits = self.mask(cube)
        for row in self.lemmas[1 : level + 1]:
            if row:
                row[:] = [entry for entry in row if entry[0] & bits != bits]
        self.lemmas[level].append((bits, cube))
        clause = [-x for x in cube]
        for solver in self._solvers[1 : level + 1]:
            solver.add(clause)

    def raise_to(self, entry: tuple[int, Cube], level: int, cube: Cube) -> None:
        """A lemma of ``level - 1`` was shown to hold one level further, in the shape ``cube``."""
        if len(cube) < len(entry[1]):
            self.add(cube, level)
            return
        self.lemmas[level].append(entry)
        self._solvers[level].add([-x for x in entry[1]])

    def add_always(self, cube: Cube) -> None:
        """The negated cube is inductive by itself."""
        bits = self.mask(cube)
        for row in self.lemmas:
            row[:] = [entry for entry in row if entry[0] & bits != bits]
        self.always.append(cube)
        clause = [-x for x in cube]
        for solver in self._solvers[1:]:
            solver.add(clause)
        self._always_solver.add(clause)

    def reward(self, cube: Cube) -> None:
        """Literals of recent lemmas are kept in later ones."""
        activity, bump = self.activity, self._bump
        for x in cube:
            activity[abs(x)] += bump
        self._bump = bump * 1.02
        if self._bump > 1e100:
            self.activity = [value * 1e-100 for value in activity]
            self._bump *= 1e-100
