"""Lemma tightening: from a blocked cube to a larger one that is blocked as well.

Three steps (seed 001): the **bounding box** of the cube, if it can be blocked, replaces literals
over several variables by bounds of single ones; the **two cores**, of the initiation and of the
consecution query, drop what neither needs; then literals are dropped **one by one**, relations
between variables before bounds. Equalities were split when the cube was made, so that a core can
keep one half.
"""

from __future__ import annotations

from fractions import Fraction

from revet.engines.ic3_qe.cubes import Cube, numeric_variables
from revet.engines.ic3_qe.linear import normal_literal
from revet.engines.ic3_qe.queries import Blocked, Queries
from revet.engines.pdr_common import Frames
from revet.logic.core import and_, const
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.smt.z3 import Z3
from revet.smt.z3.optimize import Interval, bounds


class Tightening:
    def __init__(self, queries: Queries, frames: Frames[Cube], backend: Z3, *, box: bool, drop: bool) -> None:
        self.queries = queries
        self.frames = frames
        self.backend = backend
        self.box = box
        self.drop = drop
        self.boxes = 0

    def tighten(self, cube: Cube, level: int, needed: list[Term]) -> Cube:
        """A cube that contains F_level's part of ``cube`` and is unreachable from F_(level-1).

        ``needed`` is the consecution core of the cube itself.
        """
        boxed = self._boxed(cube, level) if self.box else None
        if boxed is not None:
            self.boxes += 1
            return self._dropped(boxed, level)
        return self._dropped(self._with_initiation(cube, needed), level)

    def _with_initiation(self, cube: Cube, needed: list[Term]) -> Cube:
        """The literals of the consecution core, and enough others to exclude the initial states."""
        reduced = Cube(needed)
        if isinstance(self.queries.initiation(reduced), Blocked):
            return reduced
        excluded = self.queries.initiation(cube)
        assert isinstance(excluded, Blocked), "an obligation never meets an initial state"
        return Cube([*needed, *excluded.needed])

    def _blocked(self, cube: Cube, level: int) -> Cube | None:
        """The cube reduced by both cores, if it is unreachable; None otherwise."""
        if not isinstance(self.queries.initiation(cube), Blocked):
            return None
        answer = self.queries.consecution(cube, level - 1, self.frames.top)
        return self._with_initiation(cube, answer.needed) if isinstance(answer, Blocked) else None

    def _dropped(self, cube: Cube, level: int) -> Cube:
        if not self.drop:
            return cube
        for literal in sorted(cube.literals, key=_worth):
            if literal in cube.members and len(cube.literals) > 1:
                smaller = self._blocked(Cube(part for part in cube.literals if part is not literal), level)
                if smaller is not None:
                    cube = smaller
        return cube

    def _boxed(self, cube: Cube, level: int) -> Cube | None:
        """The bounding box of the cube within the frame's bounds, if it can be blocked."""
        if all(len(free_vars(literal)) <= 1 for literal in cube.literals):
            return None
        variables = numeric_variables(cube.literals)
        single = [literal for literal in cube.literals if len(free_vars(literal)) <= 1]
        context = [
            lemma.lemma for _, lemma in self.frames.above(level) if len(lemma.literals) == 1
        ]
        formula = and_(cube.formula, self.queries.system.property, self.queries.system.invariant, *context)
        found = bounds(self.backend, variables, formula, self.queries.budget)
        limits: list[Term] = []
        for x, interval in zip(variables, found, strict=True):
            limits += _limits(x, interval)
        if not limits:
            return None
        return self._blocked(Cube([*single, *limits]), level)


def _limits(x: Term, interval: Interval) -> list[Term]:
    low, high = interval
    found = []
    if low is not None:
        found.append(normal_literal(_number(x, low) <= x))
    if high is not None:
        found.append(normal_literal(x <= _number(x, high)))
    return found


def _number(x: Term, value: Fraction) -> Term:
    return const(int(value) if x.sort is INT else value, x.sort)


def _worth(literal: Term) -> tuple[int, int]:
    """What to drop first: literals over many variables, then the youngest."""
    return (-len(free_vars(literal)), -literal.id)
