"""Constrained Horn clauses: unknown predicates, and implications that must hold between them.

A clause ``P(s) and Q(t) and constraint -> R(u)`` holds for all values of its variables; with no
head it says that its body is never true. The clauses are *satisfiable* (safe) if the predicates can
be interpreted so that all clauses hold, and *unsatisfiable* (unsafe) if the empty head can be
derived from them. A system is *linear* if no clause has two predicates in its body: then it is an
automaton (:mod:`revet.model.horn_automaton`).

Papers: Bjørner, Gurfinkel, McMillan, Rybalchenko, *Horn clause solvers for program verification*
(2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from revet.errors import ModelError
from revet.logic.core import var
from revet.logic.sorts import BOOL
from revet.logic.terms import TRUE, FunctionSymbol, Op, Term
from revet.logic.walk import free_vars_of, substitute, subterms
from revet.model.kind import Model

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from revet.model.cfa import Cfa
    from revet.model.kind import T, Visitor

QUERY = "query"
"""The name of the one property: no clause without a head has a true body."""


@dataclass(frozen=True, eq=False)
class HornClause:
    """``body`` and ``head`` are applications of predicates, ``constraint`` mentions none.

    ``number`` counts the assertions of the source from 1; a clause that was made of several
    others has none."""

    body: tuple[Term, ...]
    constraint: Term
    head: Term | None
    number: int = 0

    @cached_property
    def variables(self) -> tuple[Term, ...]:
        """All variables, in the order in which they were made."""
        atoms = self.body if self.head is None else (*self.body, self.head)
        return tuple(sorted(free_vars_of([*atoms, self.constraint]), key=lambda x: x.id))

    @property
    def atoms(self) -> tuple[Term, ...]:
        return self.body if self.head is None else (*self.body, self.head)

    def __str__(self) -> str:
        parts = [*map(str, self.body), *([] if self.constraint is TRUE else [str(self.constraint)])]
        return f"{' and '.join(parts) or 'true'} -> {'false' if self.head is None else self.head}"


@dataclass(frozen=True, eq=False)
class HornSystem(Model):
    """``arguments`` names the arguments of each predicate: models are formulas over these."""

    predicates: tuple[FunctionSymbol, ...]
    clauses: tuple[HornClause, ...]
    name: str = "clauses"

    def __post_init__(self) -> None:
        known = set(self.predicates)
        if len({predicate.name for predicate in self.predicates}) != len(known):
            raise ModelError(f"{self.name}: two predicates have one name")
        for predicate in known:
            if predicate.range is not BOOL:
                raise ModelError(f"{self.name}: {predicate.name} is a function, not a predicate")
        for clause in self.clauses:
            for atom in clause.atoms:
                if atom.op != Op.APPLY or atom.payload not in known:
                    raise ModelError(f"{self.name}: {atom!r} is not an application of a predicate")
            if clause.constraint.sort is not BOOL:
                raise ModelError(f"{self.name}: {clause.constraint!r} is not a formula")
            for term in (clause.constraint, *(one for atom in clause.atoms for one in atom.args)):
                if term.applied:
                    found = next(node for node in subterms(term) if node.op == Op.APPLY)
                    raise ModelError(f"{self.name}: {found!r} occurs inside of a constraint")

    @cached_property
    def arguments(self) -> dict[FunctionSymbol, tuple[Term, ...]]:
        return {
            predicate: tuple(var(f"{predicate.name}.{i}", sort) for i, sort in enumerate(predicate.domain))
            for predicate in self.predicates
        }

    @property
    def property_names(self) -> list[str]:
        return [QUERY]

    @property
    def extent(self) -> str:
        return f"{len(self.variables)} variables"

    def as_automaton(self) -> Cfa | None:
        from revet.model.horn_automaton import automaton_of  # which imports this

        return automaton_of(self).cfa if self.linear else None

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.clauses(self)

    def restricted_to(self, *names: str) -> HornSystem:
        """The same system with only the named properties."""
        if names != (QUERY,):
            raise ModelError(f"{self.name}: the only property is {QUERY}")
        return self

    @property
    def linear(self) -> bool:
        return all(len(clause.body) <= 1 for clause in self.clauses)

    @cached_property
    def variables(self) -> tuple[Term, ...]:
        """The names of all predicates' arguments."""
        return tuple(x for arguments in self.arguments.values() for x in arguments)

    def meaning(self, atom: Term, formulas: Mapping[FunctionSymbol, Term]) -> Term:
        """What an application of a predicate says, if ``formulas`` (over the ``arguments``) interpret it."""
        arguments = self.arguments[atom.payload]
        return substitute(formulas[atom.payload], dict(zip(arguments, atom.args, strict=True)))

    @cached_property
    def recursive(self) -> frozenset[FunctionSymbol]:
        """The predicates that occur, directly or not, in what they are derived from."""
        return frozenset(p for p in self.predicates if p in _reached(self._leads, p))

    def recursive_among(self, some: Set[FunctionSymbol]) -> bool:
        """Is one of these predicates derived from itself, by way of these alone?"""
        leads = {p: self._leads[p] & some for p in some}
        return any(p in _reached(leads, p) for p in some)

    @cached_property
    def below(self) -> dict[FunctionSymbol, set[FunctionSymbol]]:
        """For each predicate, itself and those that it is derived from, directly or not."""
        return {p: _reached(self._leads, p) | {p} for p in self.predicates}

    @cached_property
    def _leads(self) -> dict[FunctionSymbol, set[FunctionSymbol]]:
        leads: dict[FunctionSymbol, set[FunctionSymbol]] = {p: set() for p in self.predicates}
        for clause in self.clauses:
            if clause.head is not None:
                leads[clause.head.payload].update(atom.payload for atom in clause.body)
        return leads


def _reached(
    leads: Mapping[FunctionSymbol, Set[FunctionSymbol]], start: FunctionSymbol
) -> set[FunctionSymbol]:
    found: set[FunctionSymbol] = set()
    todo = list(leads[start])
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += leads[one]
    return found
