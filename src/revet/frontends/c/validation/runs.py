"""Runs of the automaton by evaluation, with the inputs that the compiled program will get.

A run starts with zeros in all variables, if nothing else is asked for. Values that functions without a
body return are chosen (:class:`Chooser`); everything else that is drawn, what uninitialised variables and
blocks of memory hold, is zero, as in the compiled program.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from revet.frontends.c.image import scalar_value
from revet.frontends.c.interpret.draws import Draw
from revet.frontends.c.interpret.floating import pattern
from revet.frontends.c.lower.flow import Input
from revet.frontends.c.types import CType, Floating, Int, Pointer
from revet.logic.evaluate import Evaluator, evaluate
from revet.logic.sorts import BitVecSort, FloatSort
from revet.logic.values import ArrayValue, Value, default_value
from revet.model.execute import draws

if TYPE_CHECKING:
    from collections.abc import Callable

    from revet.budget import Budget
    from revet.frontends.c import ast
    from revet.frontends.c.lower.program import Lowered
    from revet.frontends.c.validation.checkpoints import Checkpoint, Terms
    from revet.logic.sorts import Sort
    from revet.logic.terms import Term
    from revet.model.cfa import Edge, Location

_TRIES = 6  # choices for an edge that is not taken with the first one


class Chooser(Protocol):
    def follow(self, step: int) -> Edge | None:
        """The edge that must be taken, if there is a plan for this step."""

    def value(self, step: int, number: int, function: str, type: CType) -> Any:
        """A C value for the ``number``-th value that an edge draws."""


@dataclass(slots=True)
class Seen:
    """A checkpoint that a run came by, and the variables there (None: not in the automaton)."""

    checkpoint: Checkpoint
    values: tuple[int | None, ...]


@dataclass(slots=True)
class ModelRun:
    """What a run came to. ``ended``: end, stopped (no edge can be taken), error, or
    where it is not known what follows: limit, open."""

    calls: list[Draw] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    drawn: list[list[Value]] = field(default_factory=list)
    ended: str = "limit"
    broken: str = ""


class Automaton:
    """Runs of one lowered program. ``invariants``: what must hold at locations. ``before``: what variables
    hold before the program gives them a value; nothing should depend on it."""

    def __init__(
        self, lowered: Lowered, found: dict[ast.Stmt, Checkpoint], terms: Terms,
        invariants: dict[Location, Term], silent: frozenset[str],
        before: Callable[[Sort], Value] = default_value,
    ) -> None:
        self.lowered = lowered
        self.cfa = lowered.cfa
        self._terms = terms
        self._invariants = invariants
        self._silent = silent
        self._found = found
        self._chosen: dict[Edge, list[tuple[str, Any]]] = {}
        self._initial: dict[Term, Value] = {v: before(v.sort) for v in self.cfa.variables}

    def run(self, choose: Chooser, limit: int, budget: Budget) -> ModelRun:
        """At most ``limit`` edges. Raises ``OutOfBudget``."""
        run, state, here = ModelRun(), self._initial, self.cfa.initial
        errors = frozenset(self.cfa.errors)
        for step in range(limit):
            if step % 64 == 0:
                budget.poll()
            self._look(run, here, state)
            if run.broken:
                return run
            if here in errors:
                run.ended = "error"
                return run
            if not self.cfa.outgoing[here]:
                run.ended = "open" if here in self.lowered.open_ends else "end"
                return run
            taken = self._step(run, step, here, state, choose)
            if taken is None:  # values that nobody chose may be needed: then it is not known what follows
                choice = any(draws(edge.statements) for edge in self.cfa.outgoing[here])
                run.ended = "open" if choice else "stopped"
                return run
            state, here = taken
        return run

    def _look(self, run: ModelRun, here: Location, state: dict[Term, Value]) -> None:
        """Note the checkpoints at a location, and check the certificate's invariant."""
        for statement, depth in self.lowered.starts.get(here, ()):
            checkpoint = self._found.get(statement)
            if checkpoint is not None:
                values = tuple(self._value(one, depth, state) for one in checkpoint.watched)
                run.seen.append(Seen(checkpoint, values))
        invariant = self._invariants.get(here)
        if invariant is None or invariant.quantified:
            return
        if evaluate(invariant, state) is not True:
            run.broken = f"the invariant at {here.name} does not hold"

    def _value(self, watched: Any, depth: int, state: dict[Term, Value]) -> int | None:
        term = self._terms.term(watched, depth)
        if term is None or term not in state:
            return None
        value = state[term]
        if watched.element is not None:
            assert isinstance(value, ArrayValue)
            value = value.select(watched.element)
        return as_bits(scalar_value(value, _element_sort(term.sort), watched.type), watched.type)

    def _step(
        self, run: ModelRun, step: int, here: Location, state: dict[Term, Value], choose: Chooser
    ) -> tuple[dict[Term, Value], Location] | None:
        planned = choose.follow(step)
        for edge in (planned,) if planned is not None else self.cfa.outgoing[here]:
            wanted = self.chosen(edge)
            for attempt in range(_TRIES if wanted else 1):
                values = [
                    as_value(choose.value(step, number + 1000 * attempt, function, type), type, variable.sort)
                    if function else self._nothing(variable, attempt)
                    for number, (variable, (function, type)) in enumerate(
                        zip(draws(edge.statements), wanted, strict=True)
                    )
                ]
                after = self._after(edge, state, values)
                if after is None:
                    continue
                run.edges.append(edge)
                run.drawn.append(values)
                run.calls += self._calls(edge, values, after)
                return after, edge.target
        return None

    def _after(self, edge: Edge, state: dict[Term, Value], values: list[Value]) -> dict[Term, Value] | None:
        """The state after an edge; None if its guard does not hold. What an edge does is its relation,
        which is what engines and the checker see of it."""
        relation = self.cfa.relation(edge)
        known = {**state, **dict(zip(relation.locals, values, strict=True))} if values else state
        evaluator = Evaluator(known)
        if evaluator(relation.guard) is not True:
            return None
        after = dict(state)
        for variable, value in relation.updates.items():
            after[variable] = evaluator(value)
        return after

    def _nothing(self, variable: Term, attempt: int) -> Value:
        """What is drawn but not by a call: zero; a pointer that may not be null is not."""
        meaning = self.lowered.meanings.get(variable)
        pointer = meaning is not None and not meaning.array and isinstance(meaning.type, Pointer)
        return 1 if pointer and attempt % 2 else default_value(variable.sort)

    def chosen(self, edge: Edge) -> list[tuple[str, Any]]:
        """For everything that an edge draws: the function whose result it is, and its type; an empty
        name for what is zero."""
        known = self._chosen.get(edge)
        if known is None:
            known = self._chosen[edge] = self._choose(edge)
        return known

    def _choose(self, edge: Edge) -> list[tuple[str, Any]]:
        drawn = draws(edge.statements)
        inputs = [i for i in self.lowered.inputs.get(edge, ()) if isinstance(i, Input)]
        called = [i.function for i in inputs if i.function and i.function not in self._silent]
        nothing: tuple[str, Any] = ("", None)
        if not called:
            return [nothing] * len(drawn)
        zero = {i.variable for i in inputs if not i.function or i.function in self._silent}
        found: list[tuple[str, Any]] = []
        for variable in drawn:
            meaning = self.lowered.meanings.get(variable)
            whole = meaning is not None and not meaning.array and isinstance(meaning.type, Int | Floating)
            if variable in zero or meaning is None or not whole:
                found.append(nothing)
            else:
                found.append((called[0], meaning.type))
        return found

    def _calls(self, edge: Edge, values: list[Value], after: dict[Term, Value]) -> list[Draw]:
        """The values that calls on this edge returned, as C values."""
        waiting: dict[Term, deque[Value]] = {}
        for variable, value in zip(draws(edge.statements), values, strict=True):
            waiting.setdefault(variable, deque()).append(value)
        found = []
        for one in self.lowered.inputs.get(edge, ()):
            if not isinstance(one, Input) or not one.function or one.function in self._silent:
                continue
            queue = waiting.get(one.variable)
            drawn = queue.popleft() if queue else after[one.variable]
            type = self.lowered.meanings[one.variable].type
            found.append(Draw(one.function, scalar_value(drawn, one.variable.sort, type), type, one.position))
        return found


def _element_sort(sort: Sort) -> Any:
    return getattr(sort, "element", sort)


def as_value(value: Any, type: CType, sort: Sort) -> Value:
    """A C value as one of the automaton's."""
    if isinstance(sort, FloatSort):
        return as_bits(value, type)
    if isinstance(sort, BitVecSort):
        return int(value) % (1 << sort.width)
    return int(value)


def as_bits(value: Any, type: CType) -> int:
    """The value's representation; one for all that are not numbers."""
    if isinstance(type, Floating):
        if value != value:
            return -1
        return pattern(value, type)
    return int(value)
