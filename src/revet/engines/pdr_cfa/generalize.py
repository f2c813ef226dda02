"""Blocked cubes made smaller, so that a lemma excludes more than one cube.

1. ``core``: literals that no query needed go at once.
2. ``redundant``: literals that no incoming edge touches and that its guard or frame says anyway
   go without a query.
3. ``interpolated``: another cube, from interpolants between the frames before and the cube.
4. ``drop``: literals go one by one as long as the rest stays blocked (inductive generalisation,
   relative to the cube's own negation on loops).
5. ``weaken``: a bound moves to a weaker constant of the program's own (``x >= 7`` to
   ``x >= 0``) as long as the cube stays blocked.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from revet.engines.common.pdr.answers import Blocked
from revet.engines.pdr_cfa.frames import Cube
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.engines.pdr_cfa.interpolate import Interpolation
from revet.engines.pdr_cfa.options import Options
from revet.engines.pdr_cfa.queries import Queries
from revet.logic.arith import add, le, neg, sub
from revet.logic.core import const, not_
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.logic.walk import atoms, free_vars
from revet.model.cfa import Location

_MOST_BOUNDS = 4
_DIVERGING = 20  # lemmas learnt at one location before interpolation is tried there


class Generalizer:
    def __init__(
        self, graph: Graph, queries: Queries, options: Options, interpolation: Interpolation
    ) -> None:
        self.graph = graph
        self.interpolation = interpolation
        self._learnt: Counter[Location] = Counter()
        self.queries = queries
        self.options = options
        self._bounds: dict[Term, set[int | Fraction]] | None = None

    def generalize(self, location: Location, level: int, cube: Cube, core: frozenset[Term]) -> Cube:
        """A sub-cube (or a weaker one) that is still blocked at the location and level."""
        small = tuple(literal for literal in cube if literal in core or not self.options.unsat_cores)
        if small != cube and self.blocked(location, level, small) is None:
            small = cube  # on a loop, the smaller cube's own negation is a weaker hypothesis
        if self.options.syntactic:
            small = self._without_redundant(location, level, small)
        self._learnt[location] += 1
        if self._interpolates(location):
            small = self._interpolated(location, level, small)
        if self.options.drop_literals:
            small = self._drop(location, level, small)
        if self.options.weaken_bounds:
            small = self._weaken(location, level, small)
        return small

    def blocked(self, location: Location, level: int, cube: Cube) -> frozenset[Term] | None:
        """The literals needed to show the cube unreachable at this level; None if it is not."""
        core: set[Term] = set()
        if location is self.graph.cfa.initial:
            start = self.queries.initiation(cube)
            if not isinstance(start, Blocked):
                return None
            core |= start.core
        for step in self.graph.incoming[location]:
            source_level = step.level(level)
            if source_level < 0:
                continue
            answer = self._consecution(step, source_level, cube)
            if answer is None:
                return None
            core |= answer
        return frozenset(core)

    def _consecution(self, step: Step, level: int, cube: Cube) -> frozenset[Term] | None:
        loop = cube if step.source is step.target else None
        answer = self.queries.consecution(step, level, cube, without=loop)
        return answer.core if isinstance(answer, Blocked) else None

    def _without_redundant(self, location: Location, level: int, cube: Cube) -> Cube:
        """Less the literals that hold before every step into the location and survive it."""
        steps = [(step, step.level(level)) for step in self.graph.incoming[location]]
        steps = [(step, before) for step, before in steps if before >= 0]
        if not steps or location is self.graph.cfa.initial:
            return cube
        return tuple(
            literal
            for literal in cube
            if not all(self._survives(step, before, literal) for step, before in steps)
        )

    def _survives(self, step: Step, level: int, literal: Term) -> bool:
        """Does the step keep the literal, and do its guard or F[level] say it, as they are written?"""
        if not free_vars(literal).isdisjoint(step.relation.updates):
            return False
        known = self.queries.frames.blocks(step.source, level, (not_(literal),))
        return known or literal in step.assumed

    def _interpolates(self, location: Location) -> bool:
        how = self.options.interpolate
        return how == "always" or (how == "diverging" and self._learnt[location] > _DIVERGING)

    def _interpolated(self, location: Location, level: int, cube: Cube) -> Cube:
        """A cube that contains this one and that every step refutes by an interpolant of its own."""
        found: dict[Term, None] = {}
        if location is self.graph.cfa.initial:
            return cube
        for step in self.graph.incoming[location]:
            before = step.level(level)
            if before < 0 or self.graph.unreachable(step.source, before):
                continue
            weaker = self.interpolation.against(step, before, cube)
            if weaker is None:
                return cube
            found.update(dict.fromkeys(weaker))
        wider = tuple(sorted(found, key=lambda literal: literal.id))
        return wider if wider and self.blocked(location, level, wider) is not None else cube

    def _drop(self, location: Location, level: int, cube: Cube) -> Cube:
        for literal in cube:
            if literal not in cube or len(cube) <= 1:
                continue
            smaller = tuple(other for other in cube if other is not literal)
            core = self.blocked(location, level, smaller)
            if core is not None:
                cube = tuple(other for other in smaller if other in core) or smaller
                if self.blocked(location, level, cube) is None:
                    cube = smaller
        return cube

    def _weaken(self, location: Location, level: int, cube: Cube) -> Cube:
        for literal in cube:
            for weaker in self._weaker(literal):
                candidate = tuple(weaker if other is literal else other for other in cube)
                if self.blocked(location, level, candidate) is not None:
                    cube = candidate
                    break
        return cube

    def _weaker(self, literal: Term) -> list[Term]:
        """The same bound with other constants of the program, weakest first."""
        if literal.op not in (Op.LE, Op.LT) or literal.args[0].sort not in (INT, REAL):
            return []
        if self._bounds is None:
            self._bounds = program_bounds(self.graph)
        form, bound = upper_bound(literal)
        known = sorted((c for c in self._bounds.get(form, ()) if c > bound), reverse=True)
        return [le(form, const(c, form.sort)) for c in known[:_MOST_BOUNDS]]


def upper_bound(literal: Term) -> tuple[Term, int | Fraction]:
    """``a <= b`` or ``a < b`` as (t, c) with t <= c (on reals, < is read as <=)."""
    difference = sub(literal.args[0], literal.args[1])
    strict = 1 if literal.op == Op.LT and difference.sort is INT else 0
    if difference.op == Op.ADD and difference.args[-1].op == Op.CONST:
        constant = difference.args[-1].payload
        return add(*difference.args[:-1]), -constant - strict
    return difference, -strict


def program_bounds(graph: Graph) -> dict[Term, set[int | Fraction]]:
    """For every linear form that the program compares: the constants it is compared with."""
    found: dict[Term, set[int | Fraction]] = {}
    for atom in atoms(*(step.relation.guard for step in graph.steps)):
        if atom.op in (Op.LE, Op.LT, Op.EQ) and atom.args[0].sort in (INT, REAL):
            form, bound = upper_bound(atom)
            for shift in (-1, 0, 1):
                found.setdefault(form, set()).add(bound + shift)
                found.setdefault(neg(form), set()).add(-bound + shift)
    return found
