"""Houdini: the largest subset of some candidates that is inductive, found by dropping what fails.

Paper: Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java* (FME 2001).

Candidates come in *chains* in which each implies the one before it, so the weakest is first (``x <= 100``,
``x <= 10``, ``x <= 3``). Asking for a failure of the weak ends first drops a hopeless chain with one
counterexample instead of one for each of its members, and only the strong ends are assumed. Candidates
that are not ordered are chains of one.

:class:`Filter` is the algorithm on one solver. :class:`SystemHoudini` applies it to a transition system
(initial states, one step), :class:`AutomatonHoudini` to the edges of an automaton, :class:`ParametricHoudini`
with candidates that hold for all values of a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from revet.budget import Budget
from revet.invariants.samples import Slice
from revet.logic.arith import sub
from revet.logic.core import conjunction, const, disjunction, forall, not_, var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import conjuncts, free_vars, free_vars_of, substitute, subterms
from revet.model.cfa import Cfa, Edge, Location
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Model, Solver, SolverFactory, Status

Chain = list[Term]


class Filter:
    """Drops the candidates that models of ``solver`` refute.

    ``image(candidate)`` says, in the solver's variables, that the candidate holds; ``state(model)`` is the
    state in which candidates are evaluated: a candidate is true there exactly if its image is true in the
    model. ``left`` are the chains not refuted so far: :meth:`run` with them continues a run that was
    interrupted.
    """

    def __init__(
        self, solver: Solver, image: Callable[[Term], Term], state: Callable[[Model], Evaluator]
    ) -> None:
        self.left: list[Chain] = []
        self.rounds = 0
        self.solver = solver
        self._image = image
        self._state = state
        self._negations: dict[Term, Term] = {}

    def run(
        self, chains: Iterable[Chain], part: Slice, held: Callable[[Term], Term] | None = None
    ) -> list[Chain]:
        """What no model refutes; [] when the solver does not know.

        ``held`` gives a formula to assume for every strong end that is still in (the state before a
        step). ``part`` is polled before each query.
        """
        self.left = [chain for chain in chains if chain]
        width = 1
        while self.left:
            part.poll()
            assumed = [held(chain[-1]) for chain in self.left] if held else []
            outcome = self._counterexample(assumed, width)
            if isinstance(outcome, Evaluator):
                self.left = list(_surviving(self.left, outcome))
            elif outcome is Status.UNKNOWN:
                self.left = []
            elif width >= max(len(chain) for chain in self.left):
                break
            else:
                width += 1
        return self.left

    def _counterexample(self, assumed: list[Term], width: int) -> Evaluator | Status:
        """A state that falsifies one of the ``width`` weakest of a chain; UNSAT or UNKNOWN."""
        self.rounds += 1
        some_fails = var(f"fails!{self.rounds}", BOOL)
        failing = disjunction(self._negation(c) for chain in self.left for c in chain[:width])
        self.solver.add(not_(some_fails) | failing)
        status = self.solver.check([some_fails, *assumed])
        outcome = self._state(self.solver.model()) if status is Status.SAT else status
        self.solver.add(not_(some_fails))
        return outcome

    def _negation(self, candidate: Term) -> Term:
        known = self._negations.get(candidate)
        if known is None:
            known = self._negations[candidate] = not_(self._image(candidate))
        return known


def _surviving(chains: list[Chain], state: Evaluator) -> Iterator[Chain]:
    for chain in chains:
        if _holds(chain[-1], state):  # and with it all the weaker ones
            yield chain
        else:
            kept = [candidate for candidate in chain[:-1] if _holds(candidate, state)]
            if kept:
                yield kept


def _holds(candidate: Term, state: Evaluator) -> bool:
    """Implications from a location are mostly decided by the location: look there first."""
    if candidate.op == Op.OR:
        return any(state(arg) is True for arg in candidate.args)
    return state(candidate) is True


class SystemHoudini:
    """Two solvers for one system: its initial states, and one step from anywhere.

    ``known`` are invariants that may be assumed (everything found is inductive relative to
    them, hence the conjunction with them is inductive).
    """

    def __init__(
        self, system: TransitionSystem, backend: SolverFactory, budget: Budget, known: Iterable[Term] = ()
    ) -> None:
        self.slice: Slice = budget  # polled between queries
        self._unroller = unroller = Unroller(system)
        init, step = backend.solver(budget=budget), backend.solver(budget=budget)
        init.add(unroller.init())
        step.add(unroller.at(system.invariant, 0))
        step.add(unroller.step(0))

        def state(time: int) -> Callable[[Model], Evaluator]:
            return lambda model: Evaluator({x: model.value(unroller.at(x, time)) for x in system.variables})

        self._init = Filter(init, lambda candidate: unroller.at(candidate, 0), state(0))
        self._step = Filter(step, lambda candidate: unroller.at(candidate, 1), state(1))
        self._last = self._init
        for formula in known:
            self.assume(formula)

    @property
    def left(self) -> list[Chain]:
        """The chains still in question when a slice ran out: calling again with them continues."""
        return self._last.left

    def assume(self, formula: Term) -> None:
        """Use a known invariant before the step."""
        self._step.solver.add(self._unroller.at(formula, 0))

    def initial(self, chains: Iterable[Chain]) -> list[Chain]:
        """What holds in all initial states; [] when unsure."""
        self._last = self._init
        return self._init.run(chains, self.slice)

    def preserved(self, chains: Iterable[Chain]) -> list[Chain]:
        """What every step preserves, together; [] when unsure."""
        self._last = self._step
        return self._step.run(chains, self.slice, lambda candidate: self._unroller.at(candidate, 0))

    def inductive(self, candidates: Iterable[Term]) -> list[Term]:
        """The largest inductive subset of candidates that are not ordered."""
        chains = self.preserved(self.initial([candidate] for candidate in candidates))
        return [candidate for chain in chains for candidate in chain]


class AutomatonHoudini:
    """``kept``: for each location formulas that hold there, inductive all together.

    Invariant between calls of :meth:`filter`: every edge leads from the formulas kept at its
    source into those kept at its target, and the initial location's follow from the precondition.
    """

    def __init__(self, cfa: Cfa, backend: SolverFactory, budget: Budget) -> None:
        self.cfa = cfa
        self.backend = backend
        self.budget = budget
        self.rounds = 0
        self.errors = frozenset(cfa.errors)
        self.edges = [edge for edge in cfa.edges if edge.source not in self.errors]
        self.kept: dict[Location, list[Term]] = {x: [] for x in cfa.locations if x not in self.errors}

    # ------------------------------------------------------------------ filtering

    def filter(self, candidates: Sequence[Term]) -> None:
        """Try the candidates at every location, besides what is kept already."""
        self.filter_at(dict.fromkeys(self.kept, candidates))

    def filter_at(self, candidates: Mapping[Location, Sequence[Term]]) -> None:
        """Try candidates at their locations, besides what is kept already."""
        for location, kept in self.kept.items():
            proved = set(kept)
            kept += [c for c in candidates.get(location, ()) if c not in proved]
        self._drop(self.cfa.initial, self._solver([self.cfa.precondition]), {})
        queue = dict.fromkeys(edge for edge in self.edges if edge.target not in self.errors)
        while queue:
            edge = next(iter(queue))
            del queue[edge]
            relation = self.cfa.relation(edge)
            target = edge.target
            if self._drop(target, self._solver(self._before(edge)), relation.updates):
                queue.update(
                    dict.fromkeys(e for e in self.cfa.outgoing[target] if e.target not in self.errors)
                )

    def _held(self, edge: Edge, formula: Term) -> Term:
        """What a formula kept at the source says on an edge: itself."""
        return formula

    def _before(self, edge: Edge) -> list[Term]:
        """What holds where an edge is taken."""
        held = (self._held(edge, formula) for formula in self.kept[edge.source])
        return [*held, self.cfa.relation(edge).guard]

    def _solver(self, formulas: Iterable[Term]) -> Solver:
        solver = self.backend.solver(budget=self.budget)
        for formula in formulas:
            solver.add(formula)
        return solver

    def _drop(self, location: Location, solver: Solver, updates: Mapping[Term, Term]) -> bool:
        """Remove what a step into the location refutes; was anything removed?"""
        candidates = self.kept[location]
        values = {x: updates.get(x, x) for x in sorted(free_vars_of(candidates), key=lambda x: x.id)}
        read = sorted(free_vars_of(values.values()), key=lambda x: x.id)
        memo: dict[Term, Term] = {}

        def state(model: Model) -> Evaluator:
            before = Evaluator({x: model.value(x) for x in read})
            return Evaluator({x: before(value) for x, value in values.items()})

        chains = Filter(solver, lambda candidate: substitute(candidate, updates, memo), state)
        self.kept[location] = [chain[0] for chain in chains.run([[c] for c in candidates], self.budget)]
        self.rounds += chains.rounds
        return len(self.kept[location]) < len(candidates)

    # ------------------------------------------------------------------ the proof

    def excludes_errors(self) -> bool:
        return all(
            self._solver(self._before(edge)).check() is Status.UNSAT
            for edge in self.edges
            if edge.target in self.errors
        )

    def needed(self) -> dict[Location, Term]:
        """The formulas that exclude the errors, those that imply these, and so on: by unsat cores."""
        wanted: dict[Location, dict[Term, None]] = {location: {} for location in self.kept}
        queue: list[tuple[Edge, Term]] = [(e, FALSE) for e in self.edges if e.target in self.errors]
        while queue:
            edge, goal = queue.pop()
            for formula in self._core(edge, goal):
                if formula not in wanted[edge.source]:
                    wanted[edge.source][formula] = None
                    queue += [(e, formula) for e in self.cfa.incoming[edge.source]]
        return {location: conjunction(formulas) for location, formulas in wanted.items()}

    def _core(self, edge: Edge, goal: Term) -> list[Term]:
        """Formulas kept at the source that make the goal hold after the edge; few, if possible."""
        relation = self.cfa.relation(edge)
        goal_after = substitute(goal, relation.updates)
        if goal in self.kept[edge.source] and goal_after is goal:
            return [goal]
        solver = self._solver([])
        names = {var(f"held!{i}", BOOL): c for i, c in enumerate(self.kept[edge.source])}
        for name, formula in names.items():
            solver.add(disjunction([not_(name), self._held(edge, formula)]))
        for formula in [*conjuncts(relation.guard), not_(goal_after)]:
            if formula is not TRUE:
                solver.add(formula)
        status = solver.check(list(names))
        if status is not Status.UNSAT:
            return list(names.values())
        return [names[name] for name in self._reduced(solver, solver.core())]

    def _reduced(self, solver: Solver, core: list[Term]) -> list[Term]:
        """A smaller core."""
        return smaller(solver, core)


def smaller(solver: Solver, core: list[Term]) -> list[Term]:
    """Drop members of a core one by one while the rest still contradicts; the program's own last."""
    left = list(core)
    for name in sorted(core, key=lambda x: -x.id):
        trial = [x for x in left if x is not name]
        if name in left and solver.check(trial) is Status.UNSAT:
            left = solver.core()
    return left


class ParametricHoudini(AutomatonHoudini):
    """The same with *parameters*, variables that no edge knows: a formula with one holds for all its values.

    So before an edge it holds for the places of arrays, too, that the edge reads and writes
    (``places``: of which array a parameter is a place): that is all that is used of it, and what a solver
    finds by itself when it checks the quantified formulas in the end.
    """

    def __init__(
        self, cfa: Cfa, backend: SolverFactory, budget: Budget,
        places: Mapping[Term, Mapping[Edge, Sequence[Term]]],
    ) -> None:
        super().__init__(cfa, backend, budget)
        self.places = places
        self._instances: dict[tuple[Edge, Term], Term] = {}

    def _held(self, edge: Edge, formula: Term) -> Term:
        known = self._instances.get((edge, formula))
        if known is None:
            free = free_vars(formula)
            chosen = {p: [p, *by_edge.get(edge, ())] for p, by_edge in self.places.items() if p in free}
            parts = [
                substitute(formula, dict(zip(chosen, places, strict=True)))
                for places in product(*chosen.values())
            ]
            known = self._instances[edge, formula] = conjunction(parts)
        return known

    def _reduced(self, solver: Solver, core: list[Term]) -> list[Term]:
        """The core as it is: to look for models of what is left, with all its instances, takes too long."""
        return core

    def quantified(self, formula: Term) -> Term:
        """For all values of the parameters. What is read at a distance from one (``a[k + 8]``) is read at the
        variable itself: solvers look for such terms to choose the values that they try."""
        bound = [parameter for parameter in self.places if parameter in free_vars(formula)]
        if not bound:
            return formula
        return forall(bound, substitute(formula, {x: sub(x, _distance(x, formula)) for x in bound}))


def _distance(parameter: Term, formula: Term) -> Term:
    """How far from the parameter something is read, the first time that this is not at the parameter."""
    places = (node.args[1] for node in subterms(formula) if node.op == Op.SELECT)
    apart = (sub(place, parameter) for place in places if place is not parameter)
    return next((c for c in apart if c.op == Op.CONST), const(0, INT))
