"""Queries of automata with many locations: a solver for the steps into a few neighbouring locations each.

A query about one big step costs time for every edge that the solver knows, although a cube at a location has
only the few edges into it. So cubes keep their location (:meth:`LocalQueries.keeps`), and a
:class:`Neighbourhood` holds the edges into a group of locations, the lemmas of the locations before them and
the predicates. The solver of the base class is left with questions about single states.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revet.engines.common.pdr.answers import INFINITY, Blocked, Reached
from revet.engines.pdr_ia.abstraction import Cube, Literal, Predicate
from revet.engines.pdr_ia.control import Control
from revet.engines.pdr_ia.queries import Before, Queries
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import Memo, substitute
from revet.model.system import TransitionSystem
from revet.smt import Model, Solver

MANY = 16  # locations: with fewer, one solver for all is as good
GROUP = 8  # locations that share a solver


class Neighbourhood:
    """One solver for the steps that the ``selectors`` select."""

    def __init__(
        self, system: TransitionSystem, control: Control, selectors: Sequence[Term], solver: Solver
    ) -> None:
        self.selectors = tuple(selectors)
        self.sources = frozenset(control.ends[selector][0] for selector in selectors)
        self._places = self.sources.union(control.ends[selector][1] for selector in selectors)
        self.solver = solver
        self._control = control
        self._updates = system.step.updates
        self._memo: Memo = {}
        self._next: set[Predicate] = set()
        self._outside: dict[Cube, Term] = {}
        self.back = [selector for selector in selectors if selector in control.back]
        solver.add(b.or_(*selectors))
        for selector in selectors:
            solver.add(b.implies(selector, b.and_(*control.bodies[selector])))
        after = substitute(system.invariant, self._updates, self._memo)
        for formula in (*control.rest, system.invariant, after):
            solver.add(formula)

    def define(self, predicate: Predicate) -> None:
        """The predicate before the step. Of the location the selectors decide; other places than theirs are
        not asked about here."""
        if predicate.equated is self._control.location:
            if self._control.number(predicate.positive) in self._places:
                for clause in self._control.clauses(predicate, self.selectors):
                    self.solver.add(clause)
                self._next.add(predicate)
        else:
            self.solver.add(b.iff(predicate.proxy, predicate.formula))

    def after(self, literals: Iterable[Literal]) -> list[Term]:
        """The literals after the step, as assumptions."""
        found = []
        for literal in literals:
            predicate = literal.predicate
            if predicate not in self._next:
                self._next.add(predicate)
                value = substitute(predicate.formula, self._updates, self._memo)
                self.solver.add(b.iff(predicate.positive.next, value))
            found.append(literal.next)
        return found

    def outside(self, cube: Cube) -> Term:
        """A literal that keeps the state before the step out of the cube."""
        found = self._outside.get(cube)
        if found is None:
            found = self._outside[cube] = b.var(f"outside!{len(self._outside)}", BOOL)
            clause = b.disjunction(literal.negation.now for literal in cube.literals)
            self.solver.add(b.or_(b.not_(found), clause))
        return found


class LocalQueries(Queries):
    """See the module's text. All cubes to be blocked have a location."""

    control: Control

    def _prepare(self) -> None:
        assert self.control is not None
        numbers = sorted(self.control.order, key=lambda number: self.control.order[number])
        self._group = {number: place // GROUP for place, number in enumerate(numbers)}
        self._around: dict[int, Neighbourhood] = {}

    def keeps(self, literal: Literal) -> bool:
        return self.control.number(literal) is not None

    # ------------------------------------------------------------------ what the solvers hold

    def _add_step(self, solver: Solver) -> None:
        """Steps are in the neighbourhoods."""

    def _define(self, predicate: Predicate) -> None:
        self._solver.add(b.iff(predicate.proxy, predicate.formula))
        for around in self._around.values():
            around.define(predicate)

    def assume(self, fact: Term) -> None:
        super().assume(fact)
        for around in self._around.values():
            around.solver.add(fact)

    def open_frame(self) -> None:
        super().open_frame()
        for around in self._around.values():
            self._add_behind(around, len(self._behind) - 1)

    def _add_behind(self, around: Neighbourhood, level: int) -> None:
        if around.back:
            back = b.not_(b.or_(*around.back))
            around.solver.add(b.or_(b.not_(self._behind[level]), back, self._activations[level]))

    def learn(self, cube: Cube, level: float) -> None:
        super().learn(cube, level)
        number = self.control.location_of(cube)
        for around in self._around.values():
            if number is None or number in around.sources:
                around.solver.add(self._clause(cube, level))

    def _neighbourhood(self, cube: Cube) -> Neighbourhood | None:
        """The steps into the cube's location; None if there are none."""
        number = self.control.location_of(cube)
        assert number is not None
        group = self._group.get(number)
        if group is None:
            return None
        found = self._around.get(group)
        if found is None:
            ends = self.control.ends
            selectors = [each for each, (_, target) in ends.items() if self._group[target] == group]
            if not selectors:
                return None
            found = self._around[group] = self._new_neighbourhood(selectors)
        return found

    def _new_neighbourhood(self, selectors: list[Term]) -> Neighbourhood:
        solver = self._backend.solver(budget=self._budget)
        around = Neighbourhood(self._system, self.control, selectors, solver)
        around.solver.add(b.not_(self._activations[0]))
        for fact in self._facts:
            around.solver.add(fact)
        for predicate in self._abstraction.predicates:
            around.define(predicate)
        for level in range(len(self._behind)):
            self._add_behind(around, level)
        for known, cube in self._frames.above(1):
            number = self.control.location_of(cube)
            if number is None or number in around.sources:
                around.solver.add(self._clause(cube, known))
        return around

    # ------------------------------------------------------------------ questions

    def inductive(self, cube: Cube, level: int, *, relative: bool = True) -> Blocked[Cube] | None:
        around = self._neighbourhood(cube)
        if around is None:
            return Blocked(self._without_initial(self._placed(cube), cube), INFINITY)
        solver = around.solver
        assumptions = self._frame(level)
        if around.back:
            assumptions.append(self._behind[level - 1])
        if relative and self._relative and self.control.location_of(cube) in around.sources:
            assumptions.append(around.outside(cube))
        assumptions += around.after(cube.literals)
        self._asked = around
        if self._check(solver, assumptions):
            return None
        if not self._cores:
            return Blocked(cube, level)
        core = frozenset(solver.core())
        kept = [each for each in cube.literals if each.next in core or self.keeps(each)]
        return Blocked(self._without_initial(kept, cube), self._known_level(level, core))

    def _placed(self, cube: Cube) -> list[Literal]:
        return [literal for literal in cube.literals if self.keeps(literal)]

    def _reached(self, cube: Cube, level: int) -> Reached[Before]:
        around = self._asked
        model = around.solver.model()
        truths = model.truths(around.selectors)
        selector = next(each for each, chosen in zip(around.selectors, truths, strict=True) if chosen)
        literals = self._state_at(model, self.control.ends[selector][0])
        before = level - 1 if selector in self.control.back else level
        if self._lifter is None:
            return Reached(Before(Cube(literals), before))
        return Reached(Before(self._lifter.predecessor(literals, cube, model, selector), before))

    def _state_at(self, model: Model, number: int) -> list[Literal]:
        """The abstract state of a model at a location."""
        predicates, location = self._abstraction.predicates, self.control.location
        here = [each.positive for each in predicates if self.control.number(each.positive) == number]
        return here + self._literals([each for each in predicates if each.equated is not location], model)


def queries_for(control: Control | None) -> type[Queries]:
    return LocalQueries if control is not None and len(control.order) > MANY else Queries

