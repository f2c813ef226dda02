"""Predicate abstraction of one step: Cartesian or Boolean.

Both ask about ``source state and step`` together with predicates moved before the step (a
substitution, because a step is a guarded assignment). The guard stands in the solver once, behind
the step's literal; everything else is an assumption.

*Cartesian* (Ball, Podelski, Rajamani, TACAS 2001): the conjunction of the predicates, or their
negations, that hold after every step; one query each, and a model of a failed query answers for
all predicates that it makes true or false.

*Boolean* (Graf, Saïdi, CAV 1997; all-sat as in Lahiri, Nieuwenhuis, Oliveras, CAV 2006): the
strongest combination. Each model gives the truth values of all predicates, a cube; it is blocked
behind the literal of this enumeration until no model is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revet.engines.cegar.compile import Values
from revet.engines.cegar.explicit import formulas
from revet.engines.cegar.graph import Graph, Step
from revet.engines.cegar.options import Options
from revet.engines.cegar.tree import Region
from revet.engines.common.context import Context
from revet.logic.core import conjunction, disjunction, eq, implies, not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import free_vars_of, substitute
from revet.smt.protocol import Model, Solver, SolverError, Status
from revet.smt.z3 import Z3

_MANY_STEPS = 200
_Cube = tuple[bool, ...]


class PredicateAbstraction:
    def __init__(self, graph: Graph, options: Options, backend: Z3, context: Context) -> None:
        self._graph = graph
        self._options = options
        self._backend = backend
        self._context = context
        self._shared: Solver | None = None
        self._answers: dict[tuple[Step, Region, Region, Region], Region | None] = {}
        self._solvers: dict[Step | None, Solver] = {}
        self._literals: dict[Step, Term] = {}
        self._before: dict[tuple[Step, Term], Term] = {}
        self._proxies: dict[tuple[Solver, Term], Term] = {}
        self._entailment = self._new_solver()
        self._entailed: dict[tuple[Region, Region], bool] = {}
        self._enumerations = 0

    def _new_solver(self) -> Solver:
        return self._backend.solver(budget=self._context.budget)

    # ------------------------------------------------------------------ what the explorer asks

    def initial(self, known: Sequence[Term], predicates: Sequence[Term]) -> Region | None:
        """The abstraction of the initial states; None if there are none."""
        return self.abstract([self._graph.cfa.precondition, *known], predicates)

    def abstract(self, formulas: Sequence[Term], predicates: Sequence[Term]) -> Region | None:
        """The abstraction of a state set (alpha); None if it is empty."""
        solver = self._solvers.setdefault(None, self._new_solver())
        return self._abstract(solver, list(formulas), {p: p for p in predicates})

    def post(
        self, values: Values, region: Region, step: Step, predicates: Sequence[Term]
    ) -> Region | None:
        """The abstraction of the states after the step.

        Of the values only those go to the solver that the question is about: it then comes again
        and again, and is answered from memory.
        """
        moved = {p: self._moved(step, p) for p in predicates}
        asked = free_vars_of((step.relation.guard, *region, *moved.values()))
        known = formulas({x: value for x, value in values.items() if x in asked})
        key = (step, region, known, tuple(predicates))
        if key not in self._answers:
            solver = self._solver(step)
            assumptions = [self._literal(step, solver), *region, *known]
            self._answers[key] = self._abstract(solver, assumptions, moved)
        return self._answers[key]

    def entails(self, region: Region, other: Region) -> bool:
        """Is every state of the first region one of the second?"""
        if not other:
            return True
        missing = frozenset(other).difference(region)
        if not missing:
            return True
        if self._options.abstraction == "cartesian":
            return False  # both are made from the same predicates: what is missing is not known
        key = (region, other)
        found = self._entailed.get(key)
        if found is None:
            query = [*region, not_(conjunction(other))]
            found = self._entailed[key] = self._entailment.check(query) is Status.UNSAT
        return found

    # ------------------------------------------------------------------ the solver side

    def _solver(self, step: Step) -> Solver:
        """One for each step; beyond so many, one for all the others."""
        found = self._solvers.get(step)
        if found is None:
            if len(self._solvers) < _MANY_STEPS:
                found = self._new_solver()
            else:
                found = self._shared = self._shared or self._new_solver()
            self._solvers[step] = found
        return found

    def _literal(self, step: Step, solver: Solver) -> Term:
        found = self._literals.get(step)
        if found is None:
            found = self._literals[step] = var(f"step!{len(self._literals)}", BOOL)
            solver.add(implies(found, step.relation.guard))
        return found

    def _moved(self, step: Step, formula: Term) -> Term:
        """A formula about the state after the step, as one about the state before it."""
        key = (step, formula)
        found = self._before.get(key)
        if found is None:
            found = self._before[key] = substitute(formula, step.relation.updates)
        return found

    def _abstract(self, solver: Solver, assumptions: list[Term], moved: dict[Term, Term]) -> Region | None:
        self._context.budget.poll()
        if FALSE in assumptions:
            return None
        undecided = {p: before for p, before in moved.items() if before is not TRUE and before is not FALSE}
        settled = [
            literal
            for p, before in moved.items()
            if before is TRUE or before is FALSE
            for literal in self._literal_of(p, before is TRUE)
        ]
        status = solver.check(assumptions)
        if status is Status.UNSAT:
            return None
        if status is not Status.SAT:
            raise SolverError(f"a step was not decided: {solver.reason_unknown}")
        if self._options.abstraction == "boolean" and undecided:
            found = self._boolean(solver, assumptions, undecided)
            if found is not None:
                return _ordered([*settled, *found])
            solver.check(assumptions)  # for its model
        return _ordered([*settled, *self._cartesian(solver, assumptions, undecided)])

    def _literal_of(self, predicate: Term, positive: bool) -> list[Term]:
        if positive:
            return [predicate]
        return [not_(predicate)] if self._options.negations else []

    def _cartesian(self, solver: Solver, assumptions: list[Term], moved: dict[Term, Term]) -> list[Term]:
        """Called after a query that was satisfiable: its model is the first witness."""
        models = [solver.model()] if moved else []
        found: list[Term] = []
        for predicate, before in moved.items():
            for positive in (True, False) if self._options.negations else (True,):
                claim = before if positive else not_(before)
                if _refuted(claim, models):
                    continue
                status = solver.check([*assumptions, not_(claim)])
                if status is Status.UNSAT:
                    found += self._literal_of(predicate, positive)
                    break
                if status is Status.SAT:
                    models = [solver.model(), *models[:3]]
        return found

    def _boolean(
        self, solver: Solver, assumptions: list[Term], moved: dict[Term, Term]
    ) -> list[Term] | None:
        """All cubes, as a formula; None if there are too many. The first query was satisfiable."""
        proxies = [self._proxy(solver, before) for before in moved.values()]
        self._enumerations += 1
        active = var(f"enumeration!{self._enumerations}", BOOL)
        cubes: list[_Cube] = []
        while (status := solver.check([*assumptions, active])) is Status.SAT:
            if len(cubes) == self._options.max_cubes:
                return None
            self._context.budget.poll()
            cube = tuple(solver.model().truths(proxies))
            cubes.append(cube)
            blocked = [not_(p) if truth else p for p, truth in zip(proxies, cube, strict=True)]
            solver.add(implies(active, disjunction(blocked)))
        if status is not Status.UNSAT or not cubes:
            return None
        self._context.stats.counts["cubes"] += len(cubes)
        return _combination(list(moved), cubes)

    def _proxy(self, solver: Solver, formula: Term) -> Term:
        """A Boolean variable that equals the formula in this solver."""
        key = (solver, formula)
        found = self._proxies.get(key)
        if found is None:
            found = self._proxies[key] = var(f"proxy!{len(self._proxies)}", BOOL)
            solver.add(eq(found, formula))
        return found


def _refuted(claim: Term, models: Sequence[Model]) -> bool:
    return any(not model.holds(claim) for model in models)


def _ordered(literals: Iterable[Term]) -> Region:
    return tuple(sorted(dict.fromkeys(literals), key=lambda term: term.id))


def _combination(predicates: list[Term], cubes: list[_Cube]) -> list[Term]:
    """Cubes as a conjunction: literals common to all of them, and a disjunction of the rest."""
    merged = _merge({tuple(cube): None for cube in cubes})
    common: list[Term] = []
    rest: list[int] = []
    for place, predicate in enumerate(predicates):
        column = {cube[place] for cube in merged}
        if column == {True}:
            common.append(predicate)
        elif column == {False}:
            common.append(not_(predicate))
        elif column != {None}:
            rest.append(place)
    if rest:
        alternatives = [
            conjunction(
                predicates[place] if cube[place] else not_(predicates[place])
                for place in rest
                if cube[place] is not None
            )
            for cube in merged
        ]
        common.append(disjunction(alternatives))
    return [literal for literal in common if literal is not TRUE]


def _merge(cubes: dict[tuple[bool | None, ...], None]) -> list[tuple[bool | None, ...]]:
    """Join cubes that differ in one place, place by place: fewer and shorter ones (not minimal)."""
    for place in range(len(next(iter(cubes)))):
        joined: dict[tuple[bool | None, ...], None] = {}
        for cube in cubes:
            value = cube[place]
            other = (*cube[:place], not value, *cube[place + 1 :])
            if value is not None and other in cubes:
                joined[(*cube[:place], None, *cube[place + 1 :])] = None
            else:
                joined[cube] = None
        cubes = joined
    return list(cubes)
