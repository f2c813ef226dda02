"""Procedures as one automaton for lifted PDR: calls are entered by a step, and left by one with a summary.

All procedures stand side by side in one automaton, each with its variables and their values at entry:

* an *enter* edge leads from the place of a call to the callee's entry: parameters and entry values are set,
  the callee's other variables hold anything. What the entry's frame says is what the procedure *requires*.
* a *return* edge leads from the place of a call to the place after it. What it assumes of the callee is its
  *summary*: the lemmas at the callee's exit, which speak of entry values, globals and results. The lemmas of
  one level less count, as if the summary were a second source of the edge (:class:`SummaryQueries`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from revet.engines.common.context import Context
from revet.engines.common.pdr.answers import Blocked
from revet.engines.pdr_cfa.frames import Cube, Frames, clause_of
from revet.engines.pdr_cfa.graph import Graph, Step
from revet.engines.pdr_cfa.queries import Answer, Queries
from revet.logic.core import and_, eq, implies, var
from revet.logic.terms import TRUE, Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.procedures import Call, Procedure, Procedures
from revet.model.relation import Relation
from revet.model.statements import Block
from revet.smt.z3 import Z3


@dataclass(frozen=True, eq=False)
class Return:
    """The edge after a call. ``inside``: for the callee's entry values, globals and results (as they are at
    its exit) the locals of the edge that stand for them."""

    exit: Location
    inside: dict[Term, Term]

    def outside(self) -> dict[Term, Term]:
        return {local: x for x, local in self.inside.items()}


@dataclass(frozen=True, eq=False)
class Joined:
    """The automaton of all procedures."""

    program: Procedures
    cfa: Cfa
    returns: dict[Edge, Return]
    callers: dict[Location, list[Edge]] = field(default_factory=dict)
    """The return edges that use what holds at an exit."""


def joined(program: Procedures) -> Joined:
    variables: dict[Term, None] = {}
    locations: list[Location] = []
    edges: list[Edge] = []
    returns: dict[Edge, Return] = {}
    number = 0
    for procedure in program.procedures.values():
        variables |= dict.fromkeys((*procedure.cfa.variables, *program.entry_copies(procedure).values()))
        locations += procedure.cfa.locations
        edges += procedure.cfa.edges
        for call in procedure.calls:
            callee = program.procedures[call.callee]
            edges.append(_enter(program, call, callee, f"!enter!{number}"))
            back, what = _back(program, call, callee, f"!call!{number}")
            edges.append(back)
            returns[back] = what
            number += 1
    main = program.procedures[program.main]
    cfa = Cfa(
        tuple(variables), tuple(dict.fromkeys(locations)), tuple(edges), main.cfa.initial, program.errors,
        main.cfa.precondition, program.name,
    )
    callers: dict[Location, list[Edge]] = {}
    for edge, what in returns.items():
        callers.setdefault(what.exit, []).append(edge)
    return Joined(program, cfa, returns, callers)


def _passed(program: Procedures, call: Call, callee: Procedure) -> dict[Term, Term]:
    """What the globals and parameters are at the callee's entry, in the caller's words."""
    given = dict(zip(callee.parameters, call.arguments, strict=True))
    return {x: given.get(x, x) for x in program.entry_copies(callee)}


def _enter(program: Procedures, call: Call, callee: Procedure, mark: str) -> Edge:
    passed = _passed(program, call, callee)
    updates = dict(passed)
    updates |= {copy: passed[x] for x, copy in program.entry_copies(callee).items()}
    open_ = {x: var(x.name + mark, x.sort) for x in callee.cfa.variables if x not in updates}
    relation = Relation(TRUE, {**updates, **open_}, tuple(open_.values()))
    return Edge(call.source, callee.cfa.initial, (Block(relation),), call.position)


def _back(program: Procedures, call: Call, callee: Procedure, mark: str) -> tuple[Edge, Return]:
    after = {x: var(x.name + mark, x.sort) for x in (*program.globals, *callee.results)}
    passed = _passed(program, call, callee)
    entry = {copy: var(copy.name + mark, copy.sort) for copy in program.entry_copies(callee).values()}
    guard = and_(*(eq(entry[copy], passed[x]) for x, copy in program.entry_copies(callee).items()))
    updates = {x: after[x] for x in program.globals}
    updates |= {mine: after[x] for mine, x in zip(call.results, callee.results, strict=True)}
    inside = {**entry, **after}
    relation = Relation(guard, updates, tuple(inside.values()))
    return Edge(call.source, call.target, (Block(relation),), call.position), Return(callee.exit, inside)


class SummaryQueries(Queries):
    """Return edges are asked together with the frame at the callee's exit, one level lower."""

    def __init__(self, graph: Graph, frames: Frames, backend: Z3, context: Context, whole: Joined) -> None:
        super().__init__(graph, frames, backend, context)
        self._whole = whole

    def add_lemma(self, location: Location, level: int, cube: Cube) -> None:
        super().add_lemma(location, level, cube)
        activation = self.frames.activation(location, level)
        for edge in self._whole.callers.get(location, ()):
            told = substitute(clause_of(cube), self._whole.returns[edge].inside)
            self._solver(edge.source).add(implies(activation, told))

    def summary_level(self, step: Step, level: int) -> int:
        """Of the callee's frame, when the caller's is of ``level``."""
        return level if step.costs_level else level - 1

    def consecution(
        self, step: Step, level: int, cube: Cube, without: Cube | None = None, more: Sequence[Term] = ()
    ) -> Answer:
        what = self._whole.returns.get(step.edge)
        if what is None:
            return super().consecution(step, level, cube, without, more)
        before = self.summary_level(step, level)
        if before < 0:
            return Blocked(frozenset())  # nothing comes back yet
        summary = self.frames.assumptions(what.exit, before)
        return super().consecution(step, level, cube, without, [*more, *summary])
