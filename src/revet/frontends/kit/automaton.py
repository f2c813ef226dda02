"""Automata as users write them, made into a :class:`Cfa`, and run on their own.

SPA's ``.aut`` and THETA's ``.cfa`` differ in spelling only; their parsers make an
:class:`Automaton`. Here it is checked and lowered, and here is its interpreter: it executes the
syntax tree, not the lowered model, so that a mistake in the lowering shows in :meth:`replay`.

What a division by zero does is the language's choice:

* ``blocking`` (SPA: Penelle, *Software Verification*, section 3.2.2): the edge cannot be taken;
* ``any value`` (THETA, whose solvers leave it open): each evaluation may give any value. A
  variable ``by_zero_1``, havocked on the same edge, stands for it; equal dividends in one
  expression share it, so ``x / 0 = x / 0`` holds.

An edge may carry several statements. Where a havocked variable is written again on the same
edge, the edge is split at an intermediate location, so that every value drawn is visible in a
state of the trace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from revet.budget import Budget
from revet.frontends.kit.interpreter import UNDEFINED, Interpreter
from revet.frontends.kit.lowering import Lowered, Lowering, blocking
from revet.frontends.kit.parsing import Source
from revet.frontends.kit.syntax import Expr, may_divide_by_zero
from revet.frontends.program import Program, ReplayFailed
from revet.logic import build as b
from revet.logic.pretty import format_value
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import TRUE, Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc, Statement
from revet.result.trace import CfaTrace, State, Trace

DivisionByZero = Literal["blocking", "any value"]


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of an edge: ``assign`` (target, expr), ``assume`` (expr), ``havoc`` (target)."""

    kind: Literal["assign", "assume", "havoc", "skip"]
    offset: int
    end: int
    target: str = ""
    expr: Expr | None = None

    @property
    def value(self) -> Expr:
        assert self.expr is not None
        return self.expr


@dataclass(frozen=True, slots=True)
class Transition:
    source: str
    target: str
    steps: tuple[Step, ...]
    offset: int


@dataclass
class Automaton:
    """A parsed automaton; names are mapped to where they were introduced."""

    name: str
    source: Source
    variables: dict[str, Sort] = field(default_factory=dict)
    locations: dict[str, int] = field(default_factory=dict)
    initial: str | None = None
    errors: list[str] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)

    def declare(self, name: str, sort: Sort, offset: int) -> None:
        self.source.check_name(name, offset)
        if name in self.variables:
            raise self.source.error(f"variable {name} is declared twice", offset)
        self.variables[name] = sort


class AutomatonProgram(Program):
    """An automaton that is checked and lowered, with the way back from the edges of its model."""

    def __init__(
        self, automaton: Automaton, path: Path, language: str, by_zero: DivisionByZero,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.language = language
        self.automaton = automaton
        self.source = automaton.source
        self.by_zero: DivisionByZero = by_zero
        self.variables = {name: b.var(name, sort) for name, sort in automaton.variables.items()}
        on_zero = blocking if by_zero == "blocking" else self._any_value
        self.lowering = Lowering(self.source, self.variables, on_zero)
        self.aux: dict[Expr, Term] = {}
        self._shared: dict[tuple[str, Term], Term] = {}
        self.locations = {
            name: Location(name, self.source.position(offset))
            for name, offset in automaton.locations.items()
        }
        self.origin: dict[Edge, tuple[str, str, tuple[Step, ...]]] = {}
        for transition in automaton.transitions:
            self._edges(transition)
        assert automaton.initial is not None
        cfa = Cfa(
            (*self.variables.values(), *dict.fromkeys(self.aux.values())),
            tuple(self.locations.values()),
            tuple(self.origin),
            self.locations[automaton.initial],
            tuple(self.locations[name] for name in dict.fromkeys(automaton.errors)),
            name=automaton.name,
        )
        super().__init__(cfa, (path,), notes + self._notes())

    def _notes(self) -> tuple[str, ...]:
        found: list[str] = []
        if not self.automaton.errors:
            found.append("no location is marked as an error: nothing can go wrong")
        if self.aux:
            found.append("a division by zero yields any value")
        elif self.by_zero == "blocking" and self._divides():
            found.append("an edge on which a division by zero would be evaluated cannot be taken")
        return tuple(found)

    def _divides(self) -> bool:
        steps = (step for transition in self.automaton.transitions for step in transition.steps)
        return any(step.expr is not None and may_divide_by_zero(step.expr) for step in steps)

    # Lowering

    def _edges(self, transition: Transition) -> None:
        here = transition.source
        groups = list(_groups(transition.steps))
        for number, group in enumerate(groups):
            there = transition.target
            if number + 1 < len(groups):
                there = self._intermediate(transition)
            offset = group[0].offset if group else transition.offset
            statements = [statement for step in group for statement in self._statements(step)]
            text = "; ".join(self.source.excerpt(step.offset, step.end) for step in group)
            edge = Edge(
                self.locations[here],
                self.locations[there],
                tuple(statements),
                self.source.position(offset),
                text or "skip",
            )
            self.origin[edge] = (here, there, group)
            here = there

    def _intermediate(self, transition: Transition) -> str:
        number = 1
        while (name := f"{transition.source}.{number}") in self.locations:
            number += 1
        self.locations[name] = Location(name, self.source.position(transition.offset))
        return name

    def _statements(self, step: Step) -> list[Statement]:
        self._shared = {}
        if step.kind == "skip":
            return []
        if step.kind == "assume":
            term, side = self.lowering.lower(step.value, BOOL)
            return [*self._draws(), Assume(b.and_(side, term))]
        variable = self.variables.get(step.target)
        if variable is None:
            raise self.source.error(f"unknown variable {step.target}", step.offset)
        if step.kind == "havoc":
            return [Havoc(variable)]
        term, side = self.lowering.lower(step.value, variable.sort)
        guard: list[Statement] = [Assume(side)] if side is not TRUE else []
        return [*self._draws(), *guard, Assign(variable, term)]

    def _draws(self) -> list[Statement]:
        return [Havoc(variable) for variable in self._shared.values()]

    def _any_value(self, node: Expr, dividend: Term, divisor: Term, value: Term) -> Lowered:
        key = (node.op, dividend)
        variable = self._shared.get(key)
        if variable is None:
            taken = self.variables.keys() | {v.name for v in self.aux.values()}
            number = 1
            while f"by_zero_{number}" in taken:
                number += 1
            variable = self._shared[key] = b.var(f"by_zero_{number}", value.sort)
        self.aux[node] = variable
        return b.ite(b.eq(divisor, b.lift(0, divisor.sort)), variable, value), TRUE

    # Running

    def replay(self, trace: Trace, budget: Budget | None = None) -> list[str]:
        """Execute the trace's edges on the syntax tree and compare every state."""
        if not isinstance(trace, CfaTrace):
            raise ReplayFailed("not a run of an automaton")
        here = trace.locations[0].name
        if here != self.automaton.initial:
            raise ReplayFailed(f"the run starts in {here}, not in {self.automaton.initial}")
        state = self._values(trace.states[0])
        for number, edge in enumerate(trace.edges):
            source, target, steps = self.origin[edge]
            if source != here or trace.locations[number + 1].name != target:
                raise ReplayFailed(f"step {number + 1}: {edge!r} does not lead from {here} on")
            after = trace.states[number + 1]
            for step in steps:
                self._execute(step, state, after)
            expected = self._values(after)
            for name, value in state.items():
                if value != expected[name]:
                    sort = self.variables[name].sort
                    raise ReplayFailed(
                        f"step {number + 1}, {edge}: {name} is {format_value(value, sort)}, "
                        f"not {format_value(expected[name], sort)}"
                    )
            here = target
        if here not in self.automaton.errors:
            raise ReplayFailed(f"the run ends in {here}, which is not an error location")
        return [f"replayed {len(trace.edges)} steps on the automaton as written"]

    def _values(self, state: State) -> dict[str, Any]:
        try:
            return {name: state[variable] for name, variable in self.variables.items()}
        except KeyError as missing:
            raise ReplayFailed(f"a state of the run has no value for {missing}") from None

    def _execute(self, step: Step, state: dict[str, Any], after: State) -> None:
        if step.kind == "skip":
            return
        if step.kind == "havoc":
            state[step.target] = after[self.variables[step.target]]
            return
        by_zero = None if self.by_zero == "blocking" else (lambda node: after[self.aux[node]])
        value = Interpreter(self.lowering.sorts, by_zero).value(step.value, state)
        if value is UNDEFINED:
            raise ReplayFailed(f"division by zero in {self.source.excerpt(step.offset, step.end)}")
        if step.kind == "assign":
            state[step.target] = value
        elif value is not True:
            raise ReplayFailed(f"{self.source.excerpt(step.offset, step.end)} does not hold")


def _groups(steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    """Steps that can share an edge: no havocked variable is written again."""
    group: list[Step] = []
    drawn: set[str] = set()
    for step in steps:
        if step.target in drawn:
            yield tuple(group)
            group, drawn = [], set()
        group.append(step)
        if step.kind == "havoc":
            drawn.add(step.target)
    yield tuple(group)
