"""State graphs: the states of a small finite model, or the abstract states that predicates make, with the
initial and the unsafe ones, the steps between them and a shortest counterexample."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.events import Arrow, Box, Explained
from revet.logic.core import and_, boolean, const, disjunction, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.pretty import format_value
from revet.logic.sorts import BOOL, BitVecSort
from revet.logic.walk import substitute
from revet.model.names import prime
from revet.smt.protocol import SolverError, Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from revet.images.abstraction import Predicate
    from revet.images.space import Space
    from revet.logic.sorts import Sort
    from revet.logic.terms import Term
    from revet.logic.values import Value
    from revet.model.cfa import Location

MOST = 64
"""States; a picture of more is none."""
_MOST_STEPS = 8 * MOST  # of one edge


@dataclass
class StateGraph:
    """States by their text, in order; ``run`` is a shortest way from an initial to an unsafe state."""

    name: str
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    initial: list[str] = field(default_factory=list)
    unsafe: list[str] = field(default_factory=list)
    steps: list[tuple[str, str]] = field(default_factory=list)

    @property
    def run(self) -> list[str]:
        """Empty if no unsafe state can be reached."""
        came: dict[str, str | None] = dict.fromkeys(self.initial)
        queue = deque(self.initial)
        while queue:
            state = queue.popleft()
            if state in self.unsafe:
                return self._back(came, state)
            for source, target in self.steps:
                if source == state and target not in came:
                    came[target] = state
                    queue.append(target)
        return []

    @staticmethod
    def _back(came: dict[str, str | None], state: str) -> list[str]:
        found = [state]
        while (before := came[found[-1]]) is not None:
            found.append(before)
        return found[::-1]

    @property
    def reachable(self) -> list[str]:
        """In the order of the states."""
        found = set(self.initial)
        while new := {t for s, t in self.steps if s in found} - found:
            found |= new
        return [state for state in self.states if state in found]

    def text(self) -> str:
        run = " -> ".join(self.run)
        rows = [
            ("states", self.states), ("initial", self.initial), ("unsafe", self.unsafe),
            ("steps", [f"{source} -> {target}" for source, target in self.steps]),
            ("reachable", self.reachable),
            ("counterexample", [run] if run else ["none"]),
        ]
        lines = [f"state graph of {self.name}"]
        for title, entries in rows:
            lines += [title, *(f"  {entry}" for entry in entries or ["none"])]
        return "\n".join(lines)

    def drawing(self) -> Explained:
        """For :mod:`revet.report.drawing`: the counterexample's arrows are of the kind *run*."""
        run = self.run
        on_run = set(pairwise(run))
        boxes = [
            Box(state, lines[0], lines[1:], self._kind(state)) for state, lines in self.states.items()
        ]
        arrows = [Arrow(s, t, "", "run" if (s, t) in on_run else "") for s, t in self.steps]
        title = f"counterexample {' -> '.join(run)}" if run else "no unsafe state can be reached"
        return Explained(self.name, title, self.text(), tuple(boxes), tuple(arrows))

    def _kind(self, state: str) -> str:
        return "error" if state in self.unsafe else "initial" if state in self.initial else ""


def concrete_graph(space: Space) -> StateGraph:
    """The states of a model; :class:`UsageError` if there are more than ``MOST`` of them.

    Where all variables have few values, all states; else those that are initial or have a step.
    """
    return _Concrete(space).graph()


class _Concrete:
    def __init__(self, space: Space) -> None:
        self.space = space
        self.variables = space.cfa.variables
        self._names: dict[tuple[Location, tuple[Value, ...]], str] = {}
        self._graph = StateGraph(space.cfa.name)

    def graph(self) -> StateGraph:
        space, graph = self.space, self._graph
        values = [_few_values(x.sort) for x in self.variables]
        count = len(space.places)
        for each in values:
            count *= len(each) if each else MOST + 1
        if count <= MOST:
            for place, row in product(space.places, product(*(each or [] for each in values))):
                self._state(place, row)
        for row in self._models(space.cfa.precondition, self.variables, MOST):
            graph.initial.append(self._state(space.cfa.initial, row))
        after = [prime(x) for x in self.variables]
        for edge in space.steps:
            relation = space.cfa.relation(edge)
            for row in self._models(relation.formula(self.variables), (*self.variables, *after), _MOST_STEPS):
                half = len(self.variables)
                step = self._state(edge.source, row[:half]), self._state(edge.target, row[half:])
                if step not in graph.steps:
                    graph.steps.append(step)
        graph.unsafe = [name for (place, row), name in self._names.items() if self._is_unsafe(place, row)]
        return graph

    def _state(self, place: Location, row: tuple[Value, ...]) -> str:
        key = (place, row)
        if key not in self._names:
            if len(self._names) == MOST:
                raise UsageError(f"the model has more than {MOST} states: too many for a graph of them")
            pairs = zip(self.variables, row, strict=True)
            lines = [f"{x.name} = {format_value(value, x.sort)}" for x, value in pairs]
            named = [place.name, *lines] if self.space.named else lines
            self._names[key] = ", ".join(named)
            self._graph.states[self._names[key]] = tuple(named)
        return self._names[key]

    def _is_unsafe(self, place: Location, row: tuple[Value, ...]) -> bool:
        cfa = self.space.cfa
        if self.space.named:
            return place in cfa.errors
        state = dict(zip(self.variables, row, strict=True))
        return any(Evaluator(state)(cfa.relation(e).guard) for e in cfa.edges if e.target in cfa.errors)

    def _models(self, formula: Term, variables: Sequence[Term], most: int) -> Iterator[tuple[Value, ...]]:
        """All values of the variables for which the formula can hold, in the order of the values."""
        solver = Z3().solver(budget=self.space.budget)
        solver.add(formula)
        found: list[tuple[Value, ...]] = []
        while (status := solver.check()) is Status.SAT:
            if len(found) == most:
                raise UsageError(f"the model has more than {MOST} states: too many for a graph of them")
            model = solver.model()
            row = tuple(model.value(x) for x in variables)
            found.append(row)
            solver.add(not_(and_(*(eq(x, const(v, x.sort)) for x, v in zip(variables, row, strict=True)))))
        if status is Status.UNKNOWN:
            raise SolverError(f"the states were not found: {solver.reason_unknown}")
        yield from sorted(found, key=lambda row: tuple(map(str, row)))


def _few_values(sort: Sort) -> list[Value] | None:
    """All values, if there are at most ``MOST``."""
    if sort is BOOL:
        return [False, True]
    if isinstance(sort, BitVecSort) and 1 << sort.width <= MOST:
        return list(range(1 << sort.width))
    return None


def abstract_graph(space: Space, predicates: Sequence[Predicate]) -> StateGraph:
    """The abstract system: an abstract state is a truth value for each predicate.

    It is initial (or has a step) if one of its states is (has one); it is safe if all its states are.
    """
    return _Abstract(space, predicates).graph()


class _Abstract:
    def __init__(self, space: Space, predicates: Sequence[Predicate]) -> None:
        if 1 << len(predicates) > MOST:
            raise UsageError(f"{len(predicates)} predicates make more than {MOST} abstract states")
        self.space, self.predicates = space, predicates
        self._cubes = list(product((True, False), repeat=len(predicates)))

    def graph(self) -> StateGraph:
        space, cfa = self.space, self.space.cfa
        graph = StateGraph(f"{cfa.name} under {len(self.predicates)} predicates")
        alive = [cube for cube in self._cubes if any(self._holds(self._at(cube, p)) for p in space.places)]
        for cube in alive:
            name = self._name(cube)
            graph.states[name] = (name,)
            if self._holds(self._at(cube, cfa.initial), cfa.precondition):
                graph.initial.append(name)
            if any(self._holds(self._at(cube, place), bad) for place, bad in self._bad()):
                graph.unsafe.append(name)
        pairs = [(one, other) for one, other in product(alive, alive) if self._leads(one, other)]
        graph.steps = [(self._name(one), self._name(other)) for one, other in pairs]
        return graph

    def _bad(self) -> list[tuple[Location, Term]]:
        cfa = self.space.cfa
        if self.space.named:
            return [(place, boolean(True)) for place in cfa.errors]
        guards = [cfa.relation(edge).guard for edge in cfa.edges if edge.target in cfa.errors]
        return [(cfa.initial, disjunction(guards))]

    def _leads(self, one: tuple[bool, ...], other: tuple[bool, ...]) -> bool:
        for edge in self.space.steps:
            relation = self.space.cfa.relation(edge)
            after = substitute(self._at(other, edge.target), relation.updates)
            if self._holds(self._at(one, edge.source), relation.guard, after):
                return True
        return False

    def _at(self, cube: tuple[bool, ...], place: Location) -> Term:
        pairs = zip(self.predicates, cube, strict=True)
        return and_(*(p.meaning[place] if truth else not_(p.meaning[place]) for p, truth in pairs))

    def _holds(self, *formulas: Term) -> bool:
        self.space.budget.poll()
        return self.space.simplifier.holds(*formulas)

    def _name(self, cube: tuple[bool, ...]) -> str:
        texts = [f"({p.text})" if " and " in p.text or " or " in p.text else p.text for p in self.predicates]
        return ", ".join(
            text if truth else f"not {text}" for text, truth in zip(texts, cube, strict=True)
        ) or "true"
