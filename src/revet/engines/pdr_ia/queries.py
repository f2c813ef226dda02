"""The engine's questions to the solver, each asked under assumptions of one long-lived solver.

Asserted for good: the system's invariants, ``proxy <-> predicate`` for both states of every
predicate, and behind an activation literal each: the step, the initial states (frame 0), the
negated property, and the lemmas of each level. The next state has no variables of its own: a
predicate of the next state is the predicate with the step's updates substituted.

Where the control flow is known, only its back edges cost a level: F_i is asked about the sources of other
edges into F_i, and F_(i-1) about those of back edges (``behind``). F_0 is then empty, not the initial states.

A second, small solver holds only the initial states and the predicates: most questions whether a
cube contains an initial state are answered from what is remembered about single literals, the
rest there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from revet.budget import Budget
from revet.engines.common.pdr.answers import INFINITY, Blocked, Reached
from revet.engines.common.pdr.frames import Frames
from revet.engines.pdr_ia.abstraction import Abstraction, Cube, Literal, Predicate
from revet.engines.pdr_ia.control import Control
from revet.engines.pdr_ia.lift import Lifter
from revet.logic import build as b
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import Memo, substitute
from revet.model.system import TransitionSystem
from revet.smt import Model, Solver, SolverError, SolverFactory, Status

# A fresh solver when so many one-shot clauses have been retired: z3 never forgets a variable.
_REBUILD = 4000


class SolverGaveUp(SolverError):
    """The solver answered unknown; the engine must, too."""


def _name(text: str) -> Term:
    return b.var(text, BOOL)


@dataclass(frozen=True, slots=True)
class Before:
    """Where a step starts: a cube, and the level of the frame that has it."""

    cube: Cube
    level: int


class Queries:
    """See the module's text."""

    def __init__(
        self,
        system: TransitionSystem,
        abstraction: Abstraction,
        frames: Frames[Cube],
        backend: SolverFactory,
        budget: Budget,
        lifting: bool,
        relative: bool = True,
        cores: bool = True,
        control: Control | None = None,
    ) -> None:
        self.control = control
        self._back = sorted(control.back, key=lambda each: each.id) if control is not None else []
        self._behind: list[Term] = []
        self._relative, self._cores = relative, cores
        self._system = system
        self._abstraction = abstraction
        self._frames = frames
        self._backend = backend
        self._budget = budget
        self._step, self._bad = _name("step!"), _name("bad!")
        self._activations: list[Term] = [_name("frame!0")]
        self._facts: list[Term] = []
        self._next_memo: Memo = {}
        self._lifter = Lifter(system) if lifting else None
        self._initial = backend.solver(budget=budget)
        self._initial.add(b.and_(system.init, system.invariant))
        self._never_initial: dict[Literal, bool] = {}
        self._prepare()
        self._solver = self._new_solver()
        abstraction.on_predicate(self._add_predicate)

    # ------------------------------------------------------------------ what the solvers hold

    def _new_solver(self) -> Solver:
        system = self._system
        solver = self._backend.solver(budget=self._budget)
        for formula in (system.invariant, *self._facts):
            solver.add(formula)
        self._add_step(solver)
        solver.add(b.implies(self._bad, b.not_(system.property)))
        if self.control is None:
            solver.add(b.implies(self._activations[0], system.init))
        else:
            solver.add(b.not_(self._activations[0]))
            for level in range(len(self._behind)):
                solver.add(self._conditional(level))
        self._negations: dict[Cube, Term] = {}
        return solver

    def _add_step(self, solver: Solver) -> None:
        system = self._system
        after = substitute(system.invariant, system.step.updates, self._next_memo)
        solver.add(b.implies(self._step, b.and_(system.step.guard, after)))

    def _prepare(self) -> None:
        """What a subclass needs before there are solvers."""

    def keeps(self, literal: Literal) -> bool:
        """May this literal of a cube not be dropped?"""
        return False

    def _add_predicate(self, predicate: Predicate) -> None:
        self._define(predicate)
        self._initial.add(b.iff(predicate.proxy, predicate.formula))
        if self._lifter is not None:
            self._lifter.add(predicate)

    def _define(self, predicate: Predicate) -> None:
        positive = predicate.positive
        after = substitute(predicate.formula, self._system.step.updates, self._next_memo)
        self._solver.add(b.iff(positive.now, predicate.formula))
        self._solver.add(b.iff(positive.next, after))
        if self.control is not None:
            for clause in self.control.clauses(predicate):
                self._solver.add(clause)

    def _rebuild(self) -> None:
        """Leave the retired clauses and the solver's dead variables behind."""
        self._solver = self._new_solver()
        for predicate in self._abstraction.predicates:
            self._define(predicate)
        for level, cube in self._frames.above(1):
            self.learn(cube, level)

    def assume(self, fact: Term) -> None:
        """A formula that holds in every reachable state; the caller answers for that."""
        self._facts.append(fact)
        self._solver.add(fact)

    def open_frame(self) -> None:
        self._activations.append(_name(f"frame!{len(self._activations)}"))
        if self.control is not None:
            self._behind.append(_name(f"behind!{len(self._behind)}"))
            self._solver.add(self._conditional(len(self._behind) - 1))

    def _conditional(self, level: int) -> Term:
        """A back edge starts in the frame of this level."""
        return b.or_(b.not_(self._behind[level]), b.not_(b.disjunction(self._back)), self._activations[level])

    def learn(self, cube: Cube, level: float) -> None:
        """From now on F_level, and all frames below it, exclude the cube."""
        self._solver.add(self._clause(cube, level))

    def _clause(self, cube: Cube, level: float) -> Term:
        clause = b.disjunction(literal.negation.now for literal in cube.literals)
        return clause if level == INFINITY else b.or_(b.not_(self._activations[int(level)]), clause)

    def _frame(self, level: int) -> list[Term]:
        return self._activations[level:]

    def _before(self, level: int) -> list[Term]:
        """Where steps into F_level start."""
        if self.control is None:
            return self._frame(level - 1)
        return [self._behind[level - 1], *self._frame(level)]

    def _known_level(self, level: int, core: frozenset[Term]) -> float:
        """How far out an answer for F_level holds, by the frames that it needed."""
        if self.control is None:
            used = (n for n in range(level - 1, len(self._activations)) if self._activations[n] in core)
            return next(used, INFINITY) + 1
        if self._behind[level - 1] in core:
            return level
        used = (n for n in range(level, len(self._activations)) if self._activations[n] in core)
        return next(used, INFINITY)

    def _outside(self, cube: Cube) -> Term:
        """A literal that keeps the current state out of the cube."""
        found = self._negations.get(cube)
        if found is None:
            found = self._negations[cube] = _name(f"outside!{len(self._negations)}")
            clause = b.disjunction(literal.negation.now for literal in cube.literals)
            self._solver.add(b.or_(b.not_(found), clause))
        return found

    # ------------------------------------------------------------------ questions

    def bad(self, level: int) -> Cube | None:
        """A cube of F_level whose states violate the property."""
        if self._check(self._solver, [self._bad, *self._frame(level)]):
            model = self._solver.model()
            literals = self._state(model)
            return Cube(literals) if self._lifter is None else self._lifter.bad(literals, model)
        return None

    def consecution(self, cube: Cube, level: int) -> Blocked[Cube] | Reached[Before]:
        """Is ``cube`` unreachable in one step into F_level, itself excepted? A cube of predecessors
        if not; a part of it without initial states, and how far out that is so, if it is."""
        blocked = self.inductive(cube, level)
        return self._reached(cube, level) if blocked is None else blocked

    def _reached(self, cube: Cube, level: int) -> Reached[Before]:
        """Where the step starts that the last query found."""
        model = self._solver.model()
        literals = self._state(model)
        if self.control is None or any(model.truths(self._back)):
            level -= 1
        if self._lifter is None:
            return Reached(Before(Cube(literals), level))
        return Reached(Before(self._lifter.predecessor(literals, cube, model), level))

    def inductive(self, cube: Cube, level: int, *, relative: bool = True) -> Blocked[Cube] | None:
        """The same question when the predecessor is of no interest: models and lifting cost time.

        ``relative=False`` when the frames before exclude the cube anyway.
        """
        if len(self._negations) > _REBUILD:
            self._rebuild()
        assumptions = [self._step, *self._before(level)]
        if relative and self._relative:
            assumptions.append(self._outside(cube))
        assumptions.extend(literal.next for literal in cube.literals)
        if self._check(self._solver, assumptions):
            return None
        if not self._cores:
            return Blocked(cube, level)
        core = frozenset(self._solver.core())
        kept = [literal for literal in cube.literals if literal.next in core]
        return Blocked(self._without_initial(kept, cube), self._known_level(level, core))

    def initial(self, cube: Cube) -> bool:
        """Does the cube contain an initial state?"""
        if any(self._is_never_initial(literal) for literal in cube.literals):
            return False
        return self._check(self._initial, (literal.now for literal in cube.literals))

    def _is_never_initial(self, literal: Literal) -> bool:
        known = self._never_initial.get(literal)
        if known is None:
            known = self._never_initial[literal] = not self._check(self._initial, [literal.now])
        return known

    def _without_initial(self, kept: list[Literal], cube: Cube) -> Cube:
        """``kept`` and as many literals of ``cube`` as exclude the initial states."""
        part = Cube(kept)
        if not self.initial(part):
            return part
        for literal in cube.literals:
            if self._is_never_initial(literal):
                return Cube([*kept, literal])
        if self._check(self._initial, (literal.now for literal in cube.literals)):
            raise AssertionError("a cube with an initial state was to be blocked")
        core = frozenset(self._initial.core())
        return Cube({*kept, *(literal for literal in cube.literals if literal.now in core)})

    def _state(self, model: Model) -> list[Literal]:
        """The abstract state of a model."""
        return self._literals(self._abstraction.predicates, model)

    @staticmethod
    def _literals(predicates: list[Predicate], model: Model) -> list[Literal]:
        truths = model.truths([predicate.proxy for predicate in predicates])
        taken = {p.equated for p, truth in zip(predicates, truths, strict=True) if truth}
        # Where x = 3 is true, x = 4 need not be said to be false.
        return [
            predicate.literal(truth)
            for predicate, truth in zip(predicates, truths, strict=True)
            if truth or predicate.equated is None or predicate.equated not in taken
        ]

    def _check(self, solver: Solver, assumptions: Iterable[Term]) -> bool:
        self._budget.poll()
        status = solver.check(assumptions)
        if status is Status.UNKNOWN:
            raise SolverGaveUp(f"the solver gave up on a query: {solver.reason_unknown}")
        return status is Status.SAT
