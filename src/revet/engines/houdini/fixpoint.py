"""The largest inductive subset of the candidates, location by location, and its useful part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from revet.engines.context import Context
from revet.logic.core import conjunction, disjunction, not_, var
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.smt import Solver, SolverFactory, Status


class Houdini:
    """``kept``: for each location formulas that hold there, inductive all together.

    Invariant between calls of :meth:`filter`: every edge leads from the formulas kept at its
    source into those kept at its target, and the initial location's follow from the precondition.
    """

    def __init__(self, cfa: Cfa, backend: SolverFactory, context: Context) -> None:
        self.cfa = cfa
        self.backend = backend
        self.context = context
        self.errors = frozenset(cfa.errors)
        self.edges = [edge for edge in cfa.edges if edge.source not in self.errors]
        self.kept: dict[Location, list[Term]] = {x: [] for x in cfa.locations if x not in self.errors}

    # ------------------------------------------------------------------ filtering

    def filter(self, candidates: Sequence[Term]) -> None:
        """Try the candidates at every location, besides what is kept already."""
        proved = {location: set(kept) for location, kept in self.kept.items()}
        for location, kept in self.kept.items():
            kept += [c for c in candidates if c not in proved[location]]
        self._drop(self.cfa.initial, self._solver([self.cfa.precondition]), {})
        queue = dict.fromkeys(edge for edge in self.edges if edge.target not in self.errors)
        while queue:
            edge = next(iter(queue))
            del queue[edge]
            before = self.kept[edge.source]
            relation = self.cfa.relation(edge)
            target = edge.target
            if self._drop(target, self._solver([*before, relation.guard]), relation.updates):
                queue.update(
                    dict.fromkeys(e for e in self.cfa.outgoing[target] if e.target not in self.errors)
                )

    def _solver(self, formulas: Iterable[Term]) -> Solver:
        solver = self.backend.solver(budget=self.context.budget)
        for formula in formulas:
            solver.add(formula)
        return solver

    def _drop(self, location: Location, solver: Solver, updates: Mapping[Term, Term]) -> bool:
        """Remove what a counterexample refutes until there is none; was anything removed?

        A literal for each candidate says that it is refuted. One of them must be true; those of
        removed candidates no longer can."""
        memo: dict[Term, Term] = {}
        after = {c: substitute(c, updates, memo) for c in self.kept[location]}
        refuted = {c: var(f"refuted!{i}", BOOL) for i, c in enumerate(after)}
        for c, literal in refuted.items():
            solver.add(disjunction([not_(literal), not_(after[c])]))
        solver.add(disjunction(refuted.values()))
        while after:
            self.context.budget.poll()
            self.context.stats.counts["rounds"] += 1
            status = solver.check()
            if status is Status.UNSAT:
                break
            if status is Status.UNKNOWN:  # unsure of all of them
                after = {}
                break
            model = solver.model()
            names = frozenset().union(*map(free_vars, after.values()))
            state = Evaluator({x: model.value(x) for x in sorted(names, key=lambda x: x.id)})
            for c in [c for c, formula in after.items() if state(formula) is not True]:
                del after[c]
                solver.add(not_(refuted[c]))
        removed = len(after) < len(refuted)
        self.kept[location] = list(after)
        return removed

    # ------------------------------------------------------------------ the proof

    def excludes_errors(self) -> bool:
        return all(
            self._solver([*self.kept[edge.source], self.cfa.relation(edge).guard]).check() is Status.UNSAT
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
            solver.add(disjunction([not_(name), formula]))
        for formula in [*conjuncts(relation.guard), not_(goal_after)]:
            if formula is not TRUE:
                solver.add(formula)
        status = solver.check(list(names))
        if status is not Status.UNSAT:
            return list(names.values())
        return [names[name] for name in _smaller(solver, solver.core())]


def _smaller(solver: Solver, core: list[Term]) -> list[Term]:
    """Drop members of a core one by one while the rest still contradicts; the program's own last."""
    left = list(core)
    for name in sorted(core, key=lambda x: -x.id):
        trial = [x for x in left if x is not name]
        if name in left and solver.check(trial) is Status.UNSAT:
            left = solver.core()
    return left
