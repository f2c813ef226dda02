"""Symbolic transition systems (I, T, P) with inputs and invariants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from revet.errors import ModelError, Position
from revet.logic.core import and_, conjunction, var
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars, substitute
from revet.model.kind import Model
from revet.model.names import prime
from revet.model.relation import Relation

if TYPE_CHECKING:
    from revet.model.kind import T, Visitor


@dataclass(frozen=True, eq=False)
class TransitionSystem(Model):
    """States are valuations of ``variables``.

    ``init``        formula over the variables: where runs start.
    ``step``        one step as a :class:`Relation`; its locals are the system's inputs.
    ``invariants``  formulas over the variables that hold in every state of every run *by
                    definition* (a state that violates one does not exist: assumptions,
                    constraints of circuits). They are not proof obligations.
    ``properties``  by name, formulas over the variables that should hold in every reachable
                    state.

    A property that depends on inputs needs a state variable that records them: front ends see
    to that.
    """

    variables: tuple[Term, ...]
    init: Term
    step: Relation
    properties: Mapping[str, Term]
    invariants: tuple[Term, ...] = ()
    name: str = "system"
    positions: Mapping[str, Position] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = frozenset(self.variables)
        if len(known) != len({v.name for v in known}):
            raise ModelError(f"{self.name}: two variables have one name and different sorts")
        named = [
            ("init", self.init),
            *((f"property {n}", p) for n, p in self.properties.items()),
            *(("invariant", i) for i in self.invariants),
        ]
        for what, formula in named:
            if formula.sort is not BOOL:
                raise ModelError(f"{self.name}: {what} is not a formula: {formula!r}")
            strangers = free_vars(formula) - known
            if strangers:
                names = ", ".join(sorted(v.name for v in strangers))
                raise ModelError(f"{self.name}: {what} mentions {names}, not a state variable")
        for local in self.step.locals:
            if local in known:
                raise ModelError(f"{self.name}: {local.name} is both a state variable and an input")
        self.step.check_scope(self.variables, f"{self.name}: transition relation")

    @classmethod
    def from_relation(
        cls,
        variables: tuple[Term, ...],
        init: Term,
        trans: Term,
        properties: Mapping[str, Term],
        *,
        inputs: tuple[Term, ...] = (),
        invariants: tuple[Term, ...] = (),
        name: str = "system",
    ) -> TransitionSystem:
        """From a formula over ``x``, ``x'`` (see :func:`revet.model.names.prime`) and inputs.

        Each ``x'`` becomes an input that x is updated with.
        """
        nexts = {x: var(f"{x.name}!next", x.sort) for x in variables}
        guard = substitute(trans, {prime(x): value for x, value in nexts.items()})
        step = Relation(guard, nexts, (*inputs, *nexts.values()))
        return cls(variables, init, step, properties, invariants, name)

    @property
    def property_names(self) -> list[str]:
        return list(self.properties)

    @property
    def extent(self) -> str:
        return f"{len(self.variables)} variables"

    def position_of(self, property_name: str) -> Position | None:
        return self.positions.get(property_name)

    def as_system(self) -> TransitionSystem:
        return self

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.system(self)

    def formulas(self) -> Iterator[Term]:
        """Where its runs start, what its steps need and do, what it must keep; with repetitions."""
        yield from (self.init, self.step.guard, *self.step.updates.values())
        yield from (*self.invariants, *self.properties.values())

    @property
    def inputs(self) -> tuple[Term, ...]:
        return self.step.locals

    @property
    def invariant(self) -> Term:
        return conjunction(self.invariants)

    @property
    def property(self) -> Term:
        """All properties together."""
        return conjunction(self.properties.values())

    @cached_property
    def trans(self) -> Term:
        """T as a formula over ``x``, ``x'`` and the inputs, invariants of both states included."""
        primed = {x: prime(x) for x in self.variables}
        invariant = self.invariant
        return and_(
            self.step.formula(self.variables),
            invariant,
            substitute(invariant, primed) if invariant is not TRUE else TRUE,
        )

    def restricted_to(self, *names: str) -> TransitionSystem:
        """The same system with only the named properties."""
        missing = [name for name in names if name not in self.properties]
        if missing:
            raise ModelError(
                f"{self.name}: no property {missing[0]}; there are: {', '.join(self.properties)}"
            )
        chosen = {name: self.properties[name] for name in names}
        return TransitionSystem(
            self.variables, self.init, self.step, chosen, self.invariants, self.name, self.positions
        )
