"""Control-flow automata: locations, and edges that carry statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from revet.errors import ModelError, Position
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import free_vars
from revet.model.kind import Model
from revet.model.names import Fresh
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Block, Havoc, Statement, relation_of, text_of

if TYPE_CHECKING:
    from revet.model.kind import T, Visitor


@dataclass(frozen=True, eq=False, slots=True)
class Location:
    """A program location. Compared by identity; ``name`` is unique within an automaton."""

    name: str
    position: Position | None = None

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Edge:
    """From ``source`` to ``target``, executing ``statements`` (none: skip) in order.

    ``text`` is what the user wrote, for traces; ``position`` where.
    """

    source: Location
    target: Location
    statements: tuple[Statement, ...] = ()
    position: Position | None = None
    text: str | None = None

    def __str__(self) -> str:
        return self.text if self.text is not None else text_of(self.statements)

    def __repr__(self) -> str:
        return f"{self.source} -> {self.target}: {self}"


@dataclass(frozen=True, eq=False)
class Cfa(Model):
    """An automaton with one initial location and any number of error locations.

    A run starts in ``initial`` with any values that satisfy ``precondition``. The automaton is
    safe if no run reaches a location in ``errors``; a location's name in ``errors`` is also the
    name of its property.
    """

    variables: tuple[Term, ...]
    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    initial: Location
    errors: tuple[Location, ...] = ()
    precondition: Term = TRUE
    name: str = "cfa"
    _relations: dict[Edge, Relation] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        known = set(self.locations)
        names: set[str] = set()
        for location in self.locations:
            if location.name in names:
                raise ModelError(f"{self.name}: two locations are called {location.name}")
            names.add(location.name)
        if self.initial not in known:
            raise ModelError(f"{self.name}: initial location {self.initial} is not a location of it")
        for location in self.errors:
            if location not in known:
                raise ModelError(f"{self.name}: error location {location} is not a location of it")
        variables = frozenset(self.variables)
        if len(variables) != len({v.name for v in variables}):
            raise ModelError(f"{self.name}: two variables have one name and different sorts")
        if self.precondition.sort is not BOOL or free_vars(self.precondition) - variables:
            raise ModelError(f"{self.name}: the precondition is not a formula over its variables")
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in known:
                    raise ModelError(f"{self.name}: edge {edge!r} uses {end}, not a location of it")
            self._check_statements(edge, variables)

    def _check_statements(self, edge: Edge, variables: frozenset[Term]) -> None:
        for statement in edge.statements:
            match statement:
                case Assign(variable, value):
                    used = free_vars(value) | {variable}
                case Assume(condition):
                    used = free_vars(condition)
                case Havoc(variable):
                    used = frozenset((variable,))
                case Block(relation):
                    relation.check_scope(variables, repr(edge))
                    continue
            if not used <= variables:
                names = ", ".join(sorted(v.name for v in used - variables))
                raise ModelError(f"{self.name}: edge {edge!r} uses undeclared variable {names}")

    @cached_property
    def outgoing(self) -> dict[Location, tuple[Edge, ...]]:
        return _grouped(self.locations, self.edges, lambda edge: edge.source)

    @cached_property
    def incoming(self) -> dict[Location, tuple[Edge, ...]]:
        return _grouped(self.locations, self.edges, lambda edge: edge.target)

    @cached_property
    def fresh(self) -> Fresh:
        """A supply of names that occur nowhere in this automaton."""
        taken = list(self.variables)
        for edge in self.edges:
            for statement in edge.statements:
                if isinstance(statement, Block):
                    taken += statement.relation.locals
        return Fresh(taken)

    def relation(self, edge: Edge) -> Relation:
        """The edge's meaning; computed once. Different edges have different locals."""
        found = self._relations.get(edge)
        if found is None:
            found = relation_of(edge.statements, self.fresh)
            self._relations[edge] = found
        return found

    @property
    def property_names(self) -> list[str]:
        return [error.name for error in self.errors]

    @property
    def extent(self) -> str:
        return f"{len(self.variables)} variables"

    def position_of(self, property_name: str) -> Position | None:
        return next((error.position for error in self.errors if error.name == property_name), None)

    def restricted_to(self, *names: str) -> Cfa:
        return self.with_errors(error for error in self.errors if error.name in names)

    def as_automaton(self) -> Cfa:
        return self

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.automaton(self)

    def formulas(self) -> Iterator[Term]:
        """Where its runs start, what its steps need and do; with repetitions."""
        yield self.precondition
        for edge in self.edges:
            for statement in edge.statements:
                match statement:
                    case Assign(_, value):
                        yield value
                    case Assume(condition):
                        yield condition
                    case Block(relation):
                        yield relation.guard
                        yield from relation.updates.values()
                    case Havoc():
                        pass

    def with_errors(self, errors: Iterable[Location]) -> Cfa:
        """The same automaton with other error locations."""
        return replace(self, errors=tuple(errors))

    def location(self, name: str) -> Location:
        for location in self.locations:
            if location.name == name:
                return location
        raise ModelError(f"{self.name}: no location is called {name}")


def _grouped(
    locations: Iterable[Location], edges: Sequence[Edge], end: Callable[[Edge], Location]
) -> dict[Location, tuple[Edge, ...]]:
    lists: dict[Location, list[Edge]] = {location: [] for location in locations}
    for edge in edges:
        lists[end(edge)].append(edge)
    return {location: tuple(found) for location, found in lists.items()}
