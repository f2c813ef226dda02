"""Abstraction refinement: is an abstract counterexample real, and if not, which predicates refute it?

``this-path``  asks for a run through the cubes of the counterexample, ``all-paths`` for any run of
its length. If there is one, the property is violated. If not, interpolants of the infeasible run
contain, for every state of it, a reason why it cannot go on; their atoms become predicates. With
them the same counterexample cannot come again: an abstract run through it would satisfy one
interpolant after the other, and the last is false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from revet.budget import Budget, OutOfBudget
from revet.engines.common.context import Context
from revet.engines.common.runs import trace_from_model
from revet.engines.pdr_ia.candidates import program_atoms
from revet.engines.pdr_ia.control import Control
from revet.engines.pdr_ia.divergence import ROUNDS, Discoverer, Discovery
from revet.engines.pdr_ia.enumerations import discrete_variables, value_predicates
from revet.engines.pdr_ia.options import Options
from revet.events import Note
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result import Unknown, Unsafe
from revet.smt import Status
from revet.smt.interpolation import METHODS, InterpolationService, Path, predicates
from revet.smt.z3 import Z3
from revet.smt.z3.backend import Z3Solver

_ORDER = {
    "auto": ["horn", "wp", "sp"],
    "wp": ["wp", "horn", "sp"],
    "horn": ["horn", "wp", "sp"],
    "sp": ["sp", "horn", "wp"],
}

# More predicates than this slow every query down for little.
_MANY = 150
# How long to look for a violation in longer runs when interpolation diverges, and how far at least.
_AHEAD_SECONDS, _AHEAD_STEPS = 2.0, 16


class Refiner:
    """Keeps one incremental unrolling for all counterexamples."""

    def __init__(
        self,
        system: TransitionSystem,
        options: Options,
        context: Context,
        backend: Z3,
        add: Callable[[list[Term]], bool],
        assume: Callable[[Term], None],
        control: Control | None = None,
    ) -> None:
        """``add`` takes predicates and says whether one was new; ``assume`` takes proved facts."""
        self._control = control
        self._add = add
        self._assume = assume
        self._facts: list[Term] = []
        self._system = system
        self._options = options
        self._context = context
        self._backend = backend
        self._discoveries = 0
        self._patience = _AHEAD_SECONDS
        self._safe_depth = 0
        self._discrete = discrete_variables(system)
        self._unroller = Unroller(system)
        self._unrolled: Z3Solver | None = None
        self._steps: list[Term] = []
        self._interpolation = InterpolationService(
            list(_ORDER[options.interpolation]), options.interpolation == "auto", backend
        )
        assert set(_ORDER["auto"]) == set(METHODS)

    def start(self) -> None:
        """The first predicates: of the initial states and the properties, values of enumerations."""
        found = self._predicates([self._system.init, self._system.property])
        if self._options.seeds == "program":
            found += self._program_predicates()
        self._add([*value_predicates(self._system, self._discrete), *found])

    def _program_predicates(self) -> list[Term]:
        """Those of the program's text, or none if there are too many of them to be of help.

        The values of enumerations, of the location above all, are there anyway and do not count.
        """
        enumerated = set(value_predicates(self._system, self._discrete))
        found = [atom for atom in self._predicates(program_atoms(self._system)) if atom not in enumerated]
        return found if len(found) <= _MANY else []

    def _offered_predicates(self) -> list[Term]:
        """Those that other engines' refinements found and that are about our variables."""
        known = frozenset(self._system.variables)
        offered = [formula for formula in self._context.predicates() if free_vars(formula) <= known]
        self._context.stats.counts["predicates offered"] = len(offered)
        return self._predicates(offered[:_MANY])

    def _predicates(self, formulas: list[Term]) -> list[Term]:
        return predicates(formulas, splits=self._splits)

    def _splits(self, equation: Term) -> bool:
        return self._options.split and not all(map(self._discrete.is_discrete, free_vars(equation)))

    def refine(self, cubes: list[Term], places: Sequence[int | None] = ()) -> Unsafe | Unknown | None:
        """Decide an abstract counterexample; None when new predicates were added.

        No cubes at all stand for the runs without a step. ``places``: the location of each cube, if it has
        one; a run along them is looked for first.
        """
        self._context.budget.poll()
        depth = max(len(cubes) - 1, 0)
        this_path = bool(cubes) and self._options.refinement == "this-path"
        conditions = cubes if this_path else [TRUE] * (depth + 1)
        along = self._along(places)
        if isinstance(along, Unsafe):
            return along
        if not (this_path and along is False):
            unsafe = self._concrete(conditions)
            if unsafe is not None or not cubes:
                return unsafe
        return self._abstract(conditions)

    # ------------------------------------------------------------------ is it real?

    def _along(self, places: Sequence[int | None]) -> Unsafe | bool | None:
        """A run through these locations, of which only the edges between them need to be looked at; False if
        there is none, None if that is not known."""
        if self._control is None or len(places) < 2 or None in places:
            return None
        system, unroller, control = self._system, self._unroller, self._control
        solver = self._backend.solver(budget=self._context.budget)
        solver.add(unroller.init())
        for number, ends in enumerate(pairwise(places)):
            chosen = [each for each in control.ends if control.ends[each] == ends]
            edges = [b.and_(each, *control.bodies[each]) for each in chosen]
            solver.add(unroller.at(b.and_(b.disjunction(edges), *control.rest), number))
            for x in system.variables:
                solver.add(unroller.at(x, number + 1).eq(unroller.at(system.step.after(x), number)))
            solver.add(unroller.at(system.invariant, number + 1))
        depth = len(places) - 1
        status = solver.check([unroller.at(b.not_(system.property), depth)])
        if status is Status.SAT:
            return Unsafe(trace_from_model(system, unroller, solver.model(), depth))
        return False if status is Status.UNSAT else None

    def _concrete(self, conditions: list[Term], limit: Budget | None = None) -> Unsafe | Unknown | None:
        """A run that satisfies the conditions, one for each state, and violates a property at its end."""
        depth = len(conditions) - 1
        solver = self._unrolling(depth)
        assumptions = [*self._steps[:depth], self._unroller.at(b.not_(self._system.property), depth)]
        assumptions += [self._unroller.at(condition, i) for i, condition in enumerate(conditions)]
        solver.budget = limit or self._context.budget
        status = solver.check(formula for formula in assumptions if formula is not TRUE)
        if status is Status.SAT:
            return Unsafe(trace_from_model(self._system, self._unroller, solver.model(), depth))
        if status is Status.UNKNOWN:
            return Unknown(f"the solver gave up on a run of {depth} steps: {solver.reason_unknown}")
        return None

    def _unrolling(self, depth: int) -> Z3Solver:
        if self._unrolled is None:
            self._unrolled = self._backend.solver(budget=self._context.budget)
            self._unrolled.add(self._unroller.init())
        while len(self._steps) < depth:
            number = len(self._steps)
            literal = b.var(f"step!{number}", BOOL)
            self._steps.append(literal)
            self._unrolled.add(b.implies(literal, self._unroller.step(number)))
        return self._unrolled

    # ------------------------------------------------------------------ why not?

    def _abstract(self, conditions: list[Term]) -> Unsafe | Unknown | None:
        """Add the predicates of an interpolant; another method's if the first has nothing new."""
        system, budget = self._system, self._context.budget
        known = b.and_(system.invariant, *self._facts)
        path = Path(
            system.variables,
            system.init,
            (system.step,) * (len(conditions) - 1),
            b.not_(system.property),
            tuple(b.and_(condition, known) for condition in conditions),
        )
        trips = self._interpolation.divergence.tripped
        for _ in METHODS:
            found = self._interpolation.path(path, budget)
            new = found is not None and self._add(self._predicates(found))
            if found is None or self._interpolation.divergence.tripped > trips:
                outcome = self._diverging(len(conditions) - 1)
                if outcome is not None:
                    return outcome if isinstance(outcome, Unsafe) else None
            if new:
                return None
            if found is None:
                return Unknown(f"no interpolant for an infeasible run of {len(conditions) - 1} steps")
            self._context.observe(Note("pdr-ia", "an interpolant without new predicates: next method"))
            self._interpolation.demote(self._interpolation.order[0])
        return Unknown("refinement found no new predicates")

    def _diverging(self, depth: int) -> Unsafe | bool | None:
        """Interpolation enumerates values or fails. True when something new was found."""
        self._context.observe(Note("pdr-ia", "interpolation diverges: longer runs, sampled states"))
        unsafe = self._look_ahead(depth)
        if unsafe is not None:
            return unsafe
        if self._options.seeds == "property":
            return None
        new = self._add([*self._program_predicates(), *self._offered_predicates()])
        discovery = self._discover()
        for fact in discovery.facts:
            self._facts.append(fact)
            self._assume(fact)
        new |= self._add(self._predicates(discovery.predicates))
        return True if new or discovery.facts else None

    def _discover(self) -> Discovery:
        nothing = Discovery([], [])
        if self._discoveries == ROUNDS:
            return nothing
        self._discoveries += 1
        try:
            with self._context.budget.part(_AHEAD_SECONDS) as limit:
                discoverer = Discoverer(self._system, self._backend, limit, self._facts)
                return discoverer.discover(self._discoveries - 1)
        except OutOfBudget:
            self._context.budget.poll()
            self._discoveries = ROUNDS  # the next round would be slower still
            return nothing

    def _look_ahead(self, depth: int) -> Unsafe | None:
        """A violation in a longer run, if one is found in a short time: less each time it is not."""
        self._safe_depth = max(self._safe_depth, depth)
        try:
            with self._context.budget.part(self._patience) as limit:
                for longer in range(self._safe_depth + 1, 2 * self._safe_depth + _AHEAD_STEPS):
                    limit.poll()
                    outcome = self._concrete([TRUE] * (longer + 1), limit)
                    if outcome is not None:
                        return outcome if isinstance(outcome, Unsafe) else None
                    self._safe_depth = longer
        except OutOfBudget:
            self._context.budget.poll()
            self._patience /= 2
        return None
