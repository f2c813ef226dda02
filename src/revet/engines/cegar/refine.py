"""Refinement: is an abstract path real, and if not, what must be tracked to exclude it?

Cheapest first. *Values*: execute the path with the value of every variable; where that fails, drop
variables from the left while it keeps failing, and track the rest (the constraint sequence of
Beyer and Löwe, reduced to its variables). *A solver*: a model of the path is a run.
*Predicates*: sequence interpolants of the path (McMillan, CAV 2006) give, for each location of it,
atoms that were enough to exclude it; they are added there and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from revet.engines.cegar import explicit
from revet.engines.cegar.explore import NAME
from revet.engines.cegar.graph import Graph, Step
from revet.engines.cegar.options import Options
from revet.engines.cegar.paths import PathFormula, path_formula, run_of
from revet.engines.cegar.precision import Precision
from revet.engines.cegar.tree import Node
from revet.engines.common.context import Context
from revet.engines.common.discrete import Discrete
from revet.events import Note, PredicateFound
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import conjuncts, free_vars
from revet.model.cfa import Location
from revet.result.verdict import Unknown, Unsafe
from revet.smt.interpolation import InterpolationService, predicates
from revet.smt.interpolation.divergence import Divergence
from revet.smt.protocol import Status
from revet.smt.z3 import Z3

_LONGEST_SHOWN = 30
# Refinements with the fewest variables; after them with all that the path's end depends on; after
# those with every variable. Each refinement explores again, and a program that needs twenty
# variables usually bears all of them.
_FEW, _MANY = 6, 8
_MOST_ATOMS = 8  # of the program's own, for one location at a time


@dataclass(frozen=True, slots=True)
class Pivot:
    """The precision grew from this node on."""

    node: Node


class Refiner:
    def __init__(
        self,
        graph: Graph,
        precision: Precision,
        options: Options,
        context: Context,
        backend: Z3,
        own_atoms: Sequence[Term],
    ) -> None:
        """``own_atoms``: predicates of the program's text, for when interpolants enumerate values."""
        self._graph = graph
        self._precision = precision
        self._options = options
        self._context = context
        self._backend = backend
        self._interpolation = InterpolationService(["horn", "wp", "sp"], True, backend)
        relations = [step.relation for step in graph.steps]
        self._discrete = Discrete(
            (item for relation in relations for item in relation.updates.items()),
            (relation.guard for relation in relations),
        )
        self._counters = _counters(graph)
        self._rounds = 0
        self._own_atoms = own_atoms
        self._divergence = Divergence()  # the service sees versions, not variables

    def refine(self, error: Node) -> Pivot | Unsafe | Unknown:
        nodes = error.path()
        steps = [node.step for node in nodes[1:] if node.step is not None]
        if self._options.refine and self._options.domain != "predicates":
            pivot = self._by_values(nodes, steps)
            if pivot is not None:
                return pivot
        path = path_formula(self._graph.cfa, steps)
        solver = self._backend.solver(budget=self._context.budget)
        for formula in path.formulas:
            solver.add(formula)
        status = solver.check()
        if status is Status.SAT:
            return Unsafe(run_of(self._graph.cfa, steps, path, solver.model()))
        if status is not Status.UNSAT:
            return Unknown(f"a path was not decided: {solver.reason_unknown}")
        if not self._options.refine:
            return Unknown(f"the predicates do not exclude the path {_shown(nodes)}")
        if self._options.domain == "explicit":
            return Unknown(f"values alone do not exclude the path {_shown(nodes)}")
        return self._by_predicates(nodes, path)

    # ------------------------------------------------------------------ values

    def _by_values(self, nodes: list[Node], steps: list[Step]) -> Pivot | None:
        everything = self._precision.candidates
        end = self._fails(steps, everything)
        if end is None:
            return None
        steps = steps[: end + 1]
        needed = self._smallest(steps, everything)
        self._rounds += 1
        if self._rounds > _FEW:
            needed |= everything if self._rounds > _MANY else _relevant(steps) & everything
        passed = nodes[: end + 1]
        self._precision.track([node.location for node in passed], needed)
        pivot = self._pivot(passed)
        if pivot is not None:
            names = ", ".join(sorted(x.name for x in self._precision.variables))
            self._context.observe(Note(NAME, f"tracking {names}"))
        return pivot

    def _pivot(self, nodes: Sequence[Node]) -> Pivot | None:
        """The first node whose state was computed with less precision than there is now.

        Not only what this path taught counts: a predicate found on another path through the same
        location does not change the states that stand there already.
        """
        stale = (node for node in nodes if node.stamp != self._precision.stamp(node.location))
        return next(map(Pivot, stale), None)

    def _fails(self, steps: Sequence[Step], tracked: frozenset[Term]) -> int | None:
        """The first step that the values of these variables exclude."""
        live = self._graph.live
        start = tracked & live[self._graph.cfa.initial]
        values = explicit.initial(self._graph.cfa.precondition, start)
        for number, step in enumerate(steps):
            after = explicit.post(values, step, tracked & live[step.target])
            if after is None:
                return number
            values = after
        return None

    def _smallest(self, steps: Sequence[Step], tracked: frozenset[Term]) -> frozenset[Term]:
        """Variables without which the path would not fail; counters are dropped first."""
        relevant = _relevant(steps) & tracked
        kept = relevant if self._fails(steps, relevant) is not None else tracked
        order = sorted(kept, key=lambda x: (x in self._precision.variables, x not in self._counters, x.id))
        for variable in order:
            self._context.budget.poll()
            if self._fails(steps, kept - {variable}) is not None:
                kept -= {variable}
        return kept

    # ------------------------------------------------------------------ predicates

    def _by_predicates(self, nodes: list[Node], path: PathFormula) -> Pivot | Unknown:
        found = self._interpolation.sequence(path.formulas, self._context.budget)
        if found is None:
            return Unknown(f"no interpolants were found for the path {_shown(nodes)}")
        plain = [path.at_state(number, formula) for number, formula in enumerate(found)]
        if self._divergence.seen(plain):
            self._interpolation.demote(self._interpolation.order[0])
            self._take_own_atoms(nodes, plain)
        self._interpolated(nodes, plain)
        pivot = self._pivot(nodes)
        if pivot is None:
            return Unknown(f"the interpolants of the path {_shown(nodes)} are known already")
        return pivot

    def _take_own_atoms(self, nodes: list[Node], interpolants: list[Term]) -> None:
        """``i <= 0``, ``i <= 1``, …: the bound that will do often stands in the program, or another
        engine has found it, or how ``i`` goes with something else."""
        known = frozenset(self._graph.cfa.variables)
        offered = [predicate for predicate in self._context.predicates() if free_vars(predicate) <= known]
        for node, interpolant in zip(nodes, interpolants, strict=False):
            variables = free_vars(interpolant)
            fitting = [predicate for predicate in offered if free_vars(predicate) & variables]
            fitting += [atom for atom in self._own_atoms if free_vars(atom) <= variables]
            self._take(node.location, fitting[:_MOST_ATOMS])

    def _interpolated(self, nodes: list[Node], interpolants: list[Term]) -> None:
        """More precision until a state of the path is out of date: atoms, then whole
        interpolants, then a query for every step (one of them alone may be impossible)."""
        for whole in (self._options.abstraction == "cartesian", True):
            for node, interpolant in zip(nodes, interpolants, strict=False):
                self._add(node.location, interpolant, whole)
            if self._pivot(nodes) is not None:
                return
        self._precision.every_step = True

    def _add(self, location: Location, interpolant: Term, whole: bool) -> None:
        """Take the predicates of an interpolant; ``whole``: also its conjuncts as they are."""
        wanted = predicates([interpolant], self._splits)
        if whole:
            wanted += [part for part in conjuncts(interpolant) if part not in (TRUE, FALSE)]
        self._take(location, wanted)

    def _take(self, location: Location, wanted: list[Term]) -> None:
        new = self._precision.add_predicates(location, wanted)
        for predicate in new:
            self._context.stats.counts["predicates"] += 1
            self._context.observe(PredicateFound(NAME, predicate, location.name))

    def _splits(self, equation: Term) -> bool:
        return not all(map(self._discrete.is_discrete, free_vars(equation)))


def _relevant(steps: Sequence[Step]) -> frozenset[Term]:
    """Variables that the last step's guard depends on, through assignments and other guards."""
    wanted = free_vars(steps[-1].relation.guard)
    found = wanted
    for step in reversed(steps[:-1]):
        kept: set[Term] = set()
        for x in wanted:
            update = step.relation.updates.get(x)
            kept |= {x} if update is None else free_vars(update)
        for part in step.guards:
            if free_vars(part) & kept:
                kept |= free_vars(part)
        wanted = frozenset(kept)
        found |= wanted
    return found


def _counters(graph: Graph) -> frozenset[Term]:
    """Variables that are assigned a term over themselves: they may take very many values."""
    return frozenset(
        x
        for step in graph.steps
        for x, value in step.relation.updates.items()
        if x in free_vars(value) and value.sort.name != "Bool"
    )


def _shown(nodes: Sequence[Node]) -> str:
    names = [node.location.name for node in nodes]
    if len(names) > _LONGEST_SHOWN:
        names = [*names[: _LONGEST_SHOWN // 2], "…", *names[-_LONGEST_SHOWN // 2 :]]
    return " -> ".join(names)
