"""Generalisation: from a blocked cube to a larger one that is blocked as well.

Steps of Laurent (2014), who calls it lemma tightening: the **bounding box** of the cube, if it can be
blocked, replaces literals over several variables by bounds of single ones; the **two cores**, of the
initiation and of the consecution query, drop what neither needs; then literals are dropped **one by one**,
relations between variables before bounds. Equalities were split when the cube was made, so that a core can
keep one half.

Three steps more. A bound is **stretched** as far as the initial states allow, at once: ``y <= -5`` to
``y <= -1`` where runs start with ``y = 0``, which spares the enumeration of -5, -4, … Two inequalities
are replaced by a **combination** that is blocked too: that is where relations come from. And when a
state spoils the dropping of a literal, that **counterexample to generalisation** is blocked itself
if that is easy (Hassan, Bradley, Somenzi, *Better generalization in IC3*, FMCAD 2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from revet.engines.common.pdr.answers import Blocked
from revet.engines.common.pdr.frames import Frames
from revet.engines.ic3_qe.cubes import Cube, numeric_variables
from revet.engines.ic3_qe.lift import Lifter
from revet.engines.ic3_qe.linear import NotLinear, linear, magnitude, normal_literal, relaxed
from revet.engines.ic3_qe.options import Generalization
from revet.engines.ic3_qe.queries import Queries
from revet.logic.arith import le
from revet.logic.core import and_, const, not_
from revet.logic.sorts import INT
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars
from revet.smt import Model
from revet.smt.z3 import Z3
from revet.smt.z3.optimize import Interval, bounds
from revet.transform.to_system import location_variable


class Generalizer:
    """``store`` keeps a lemma at a level."""

    def __init__(
        self, queries: Queries, frames: Frames[Cube], lifter: Lifter, backend: Z3,
        store: Callable[[Cube, int], int], how: Generalization,
    ) -> None:
        self.queries = queries
        self.frames = frames
        self.lifter = lifter
        self.backend = backend
        self.store = store
        self.how = how
        self.boxes = 0
        self.states = 0
        self._location = location_variable(queries.system)
        self._lowest: dict[tuple[Term, Term | None], Fraction | None] = {}

    def generalize(self, cube: Cube, level: int, needed: list[Term]) -> Cube:
        """A cube that contains F_level's part of ``cube`` and is unreachable from F_(level-1).

        ``needed`` is the consecution core of the cube itself.
        """
        boxed = self._boxed(cube, level) if self.how.bounding_box else None
        if boxed is not None:
            self.boxes += 1
        small = boxed if boxed is not None else self._with_initiation(cube, needed)
        small = self._combined(self._dropped(small, level, self.how.blocked_states), level)
        return self._stretched(small, level)

    def _with_initiation(self, cube: Cube, needed: list[Term]) -> Cube:
        """The literals of the consecution core, and enough others to exclude the initial states."""
        reduced = Cube(needed)
        if isinstance(self.queries.initiation(reduced), Blocked):
            return reduced
        excluded = self.queries.initiation(cube)
        assert isinstance(excluded, Blocked), "an obligation never meets an initial state"
        return Cube([*needed, *excluded.core])

    def _blocked(self, cube: Cube, level: int, attempts: int = 0) -> Cube | None:
        """The cube reduced by both cores, if it is unreachable; None otherwise.

        At most ``attempts`` states that lead into it are blocked on the way.
        """
        if not isinstance(self.queries.initiation(cube), Blocked):
            return None
        while True:
            answer = self.queries.consecution(cube, level - 1, self.frames.top)
            if isinstance(answer, Blocked):
                return self._with_initiation(cube, answer.core)
            if attempts == 0 or level <= 1 or not self._block_state(answer.by, level - 1):
                return None
            attempts -= 1

    def _block_state(self, model: Model, level: int) -> bool:
        """Block the state before the step at ``level``, if one query is enough."""
        state = self.lifter.state(model)
        small = self._blocked(state, level)
        if small is None:
            return False
        self.states += 1
        self.store(self._stretched(self._dropped(small, level, 0), level), level)
        return True

    def _dropped(self, cube: Cube, level: int, attempts: int) -> Cube:
        if not self.how.drop_literals:
            return cube
        for literal in sorted(cube.literals, key=_worth):
            if literal in cube.members and len(cube.literals) > 1:
                smaller = Cube(part for part in cube.literals if part is not literal)
                found = self._blocked(smaller, level, attempts)
                if found is not None:
                    cube = found
        return cube

    def _combined(self, cube: Cube, level: int) -> Cube:
        """Replace two inequalities by a combination of them in which a variable cancels.

        ``i <= n and n <= s`` becomes ``i <= s``: a relation that no single literal of the program
        states, and without which the pairs are enumerated.
        """
        if not self.how.combine:
            return cube
        inequalities = [part for part in cube.literals if part.op == Op.LE]
        for first, second in combinations(inequalities, 2):
            for combined in _combinations(first, second):
                if first in cube.members and second in cube.members:
                    others = [part for part in cube.literals if part not in (first, second)]
                    found = self._blocked(Cube([*others, combined]), level)
                    if found is not None:
                        cube = found
        return cube

    def _stretched(self, cube: Cube, level: int) -> Cube:
        """Move each bound ``t <= c`` to just below the least value ``t`` starts with, if it can be."""
        if not self.how.stretch:
            return cube
        place = next((part for part in cube.literals if self._is_place(part)), None)
        for literal in cube.literals:
            if literal.op != Op.LE or literal.args[1].op != Op.CONST or literal not in cube.members:
                continue
            term, limit = literal.args
            least = self._least(term, place)
            if least is not None and least - 1 > limit.payload:
                wider = le(term, const(int(least) - 1, INT))
                others = [part for part in cube.literals if part is not literal]
                found = self._blocked(Cube([*others, wider]), level)
                if found is not None:
                    cube = found
        return cube

    def _is_place(self, literal: Term) -> bool:
        return literal.op == Op.EQ and literal.args[0] is self._location

    def _least(self, term: Term, place: Term | None) -> Fraction | None:
        """The least value of an integer term in the initial states.

        Programs set their variables up on the way to the first loop: at a location, its least
        value when the location is reached in one step.
        """
        if term.sort is not INT:
            return None
        if (term, place) not in self._lowest:
            system, after = self.queries.system, self.queries.after
            start = and_(system.init, system.invariant)
            if place is not None:
                start, term_there = and_(start, system.trans, after(place)), after(term)
            else:
                term_there = term
            found = bounds(self.backend, [term_there], start, self.queries.budget)
            self._lowest[(term, place)] = found[0][0]
        return self._lowest[(term, place)]

    def _boxed(self, cube: Cube, level: int) -> Cube | None:
        """The bounding box of the cube within the frame's bounds, if it can be blocked."""
        if all(len(free_vars(literal)) <= 1 for literal in cube.literals):
            return None
        variables = numeric_variables(cube.literals)
        single = [literal for literal in cube.literals if len(free_vars(literal)) <= 1]
        literals = [*cube.literals, *self._bounds_within(cube, level)]
        found = bounds(self.backend, *relaxed(variables, literals), self.queries.budget)
        limits: list[Term] = []
        for x, interval in zip(variables, found, strict=True):
            limits += _limits(x, interval)
        if not limits:
            return None
        return self._blocked(Cube([*single, *limits]), level)


    def _bounds_within(self, cube: Cube, level: int) -> Iterator[Term]:
        """Single literals that the frame's lemmas leave inside the cube."""
        for _, lemma in self.frames.above(level):
            rest = [literal for literal in lemma.literals if literal not in cube.members]
            if len(rest) == 1:
                yield not_(rest[0])


def _combinations(first: Term, second: Term) -> Iterator[Term]:
    """Positive combinations of two inequalities that cancel a variable (Fourier–Motzkin)."""
    sort = first.args[0].sort
    if sort is not second.args[0].sort:
        return
    try:
        left, right = (linear(part.args[0]) - linear(part.args[1]) for part in (first, second))
    except NotLinear:
        return
    for x in left.coefficients:
        a, b = left[x], right[x]
        if a * b < 0:
            total = left * magnitude(b) + right * magnitude(a)
            combined = normal_literal(le(total.term(sort), const(0, sort)))
            if combined.op == Op.LE:
                yield combined


def _limits(x: Term, interval: Interval) -> list[Term]:
    low, high = interval
    found = []
    if low is not None:
        found.append(normal_literal(_number(x, low, ceil) <= x))
    if high is not None:
        found.append(normal_literal(x <= _number(x, high, floor)))
    return found


def _number(x: Term, value: Fraction, rounded: Callable[[Fraction], int]) -> Term:
    return const(rounded(value) if x.sort is INT else value, x.sort)


def _worth(literal: Term) -> tuple[int, int]:
    """What to drop first: literals over many variables, then the youngest."""
    return (-len(free_vars(literal)), -literal.id)
