"""Programs with procedures that call each other, recursively or not.

A :class:`Procedure` is an automaton of its own: it starts with the globals as they are, its
parameters bound and its other variables holding anything, and ends at ``exit``, where the globals and
its results go back to the caller. A :class:`Call` is a step of the caller that takes a run of the
callee. A run of the program starts in ``main``; the program is safe if no activation of any
procedure reaches an error location.

Proofs are modular. A *contract* says with what a procedure is called (``requires``, over the globals
and its parameters) and what it does (``ensures``, over the same at its entry, and the globals and its
results at its exit). Given contracts for all procedures, :meth:`Procedures.against` makes an
ordinary automaton of each: a call becomes one step that assumes the callee's ``ensures``, and its
error locations stand for errors of the procedure, calls that violate a ``requires``, and exits that violate
its own ``ensures``. If all these automata are safe, so is the program: by induction on the number of
calls in a run, every activation keeps its contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from revet.errors import ModelError, Position
from revet.logic.core import and_, eq, not_, var
from revet.logic.terms import TRUE, Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assume, Block


def at_entry(variable: Term) -> Term:
    """What a variable held when the procedure was entered."""
    return var(f"{variable.name}@entry", variable.sort)


@dataclass(frozen=True, eq=False)
class Call:
    """From ``source`` to ``target`` by a call; ``results`` are variables of the caller."""

    source: Location
    target: Location
    callee: str
    arguments: tuple[Term, ...]
    results: tuple[Term, ...]
    position: Position | None = None


@dataclass(frozen=True, eq=False)
class Procedure:
    """``cfa`` holds the globals, parameters, results and locals, and no step for the calls."""

    name: str
    cfa: Cfa
    exit: Location
    parameters: tuple[Term, ...]
    results: tuple[Term, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True, eq=False)
class Contract:
    """See the module's text."""

    requires: Term = TRUE
    ensures: Term = TRUE


@dataclass(frozen=True, eq=False)
class Procedures:
    """``main`` is called by nobody; it starts where its automaton's precondition holds."""

    globals: tuple[Term, ...]
    procedures: Mapping[str, Procedure]
    main: str
    name: str = "procedures"

    def __post_init__(self) -> None:
        if self.main not in self.procedures:
            raise ModelError(f"{self.name}: there is no procedure {self.main}")
        for procedure in self.procedures.values():
            for call in procedure.calls:
                self._check(procedure, call)

    def _check(self, caller: Procedure, call: Call) -> None:
        callee = self.procedures.get(call.callee)
        if callee is None or call.callee == self.main:
            raise ModelError(f"{self.name}: {caller.name} calls {call.callee}, which cannot be called")
        for given, wanted in ((call.arguments, callee.parameters), (call.results, callee.results)):
            if [term.sort for term in given] != [term.sort for term in wanted]:
                raise ModelError(f"{self.name}: a call of {call.callee} in {caller.name} does not fit")

    @cached_property
    def errors(self) -> tuple[Location, ...]:
        return tuple(dict.fromkeys(e for one in self.procedures.values() for e in one.cfa.errors))

    def entry_copies(self, procedure: Procedure) -> dict[Term, Term]:
        """The globals and parameters, each with what stands for its value at entry."""
        if procedure.name == self.main:
            return {}
        return {x: at_entry(x) for x in (*self.globals, *procedure.parameters)}

    def against(self, procedure: Procedure, contracts: Mapping[str, Contract]) -> Cfa:
        """The automaton that is safe if the procedure keeps its contract, given the others'."""
        cfa = procedure.cfa
        own = contracts.get(procedure.name, Contract())
        copies = self.entry_copies(procedure)
        edges = list(cfa.edges)
        broken: list[Location] = []
        for number, call in enumerate(procedure.calls):
            callee = self.procedures[call.callee]
            contract = contracts.get(call.callee, Contract())
            given = dict(zip(callee.parameters, call.arguments, strict=True))
            refused = Location(f"{procedure.name}!requires!{number}", call.position)
            condition = substitute(contract.requires, given)
            edges.append(Edge(call.source, refused, (Assume(not_(condition)),), call.position))
            broken.append(refused)
            step = self._assumed(callee, call, contract.ensures, f"!call!{number}")
            edges.append(Edge(call.source, call.target, (Block(step),), call.position))
        unkept = Location(f"{procedure.name}!ensures")
        edges.append(Edge(procedure.exit, unkept, (Assume(not_(own.ensures)),)))
        broken.append(unkept)
        start = cfa.precondition
        if procedure.name != self.main:
            start = and_(own.requires, *(eq(copy, x) for x, copy in copies.items()))
        return Cfa(
            (*cfa.variables, *copies.values()), (*cfa.locations, *broken), tuple(edges), cfa.initial,
            (*cfa.errors, *broken), start, f"{self.name}: {procedure.name}",
        )

    def _assumed(self, callee: Procedure, call: Call, ensures: Term, mark: str) -> Relation:
        """The callee's effect, as far as its contract tells."""
        new = {x: var(x.name + mark, x.sort) for x in (*self.globals, *callee.results)}
        given = dict(zip(callee.parameters, call.arguments, strict=True))
        before = {copy: given.get(x, x) for x, copy in self.entry_copies(callee).items()}
        updates = {x: new[x] for x in self.globals}
        updates |= {mine: new[x] for mine, x in zip(call.results, callee.results, strict=True)}
        return Relation(substitute(ensures, {**before, **new}), updates, tuple(new.values()))
