"""Procedures as Horn clauses: what can be reached in each, who calls it with what, what it does.

For a procedure with entry values ``e`` (of the globals and parameters) and variables ``v``::

    called_f(args(v))          <-  at_l(e, v)                       a call of f at l
    at_m(e, v')                <-  called_f(v), e = v, step(v, v')  from the entry to a place m
    at_m(e, v')                <-  at_l(e, v), step(v, v')
    at_m(e, v[g, r := g', r']) <-  at_l(e, v), summary_f(args(v), g', r')
    summary_f(e, g, r)         <-  at_exit(e, v)
    error                      <-  at_l(e, v), guard of a step into an error location

A predicate speaks only of variables whose values can still matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from revet.logic.core import conjunction, eq
from revet.logic.terms import TRUE, Op, Term
from revet.logic.walk import free_vars_of
from revet.model.cfa import Edge, Location
from revet.model.horn import HornClause
from revet.model.names import prime
from revet.model.procedures import Call, Contract, Procedure, Procedures
from revet.model.relation import Relation
from revet.model.statements import Block
from revet.result import ProcedureContracts
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Horn, Predicate
from revet.transform.blocks import blocks_between
from revet.transform.graph import is_infeasible, loop_heads, successors


@dataclass(frozen=True, eq=False)
class Encoding:
    """``called`` and ``summary`` by procedure (none for main); ``places`` by location's name."""

    program: Procedures
    horn: Horn
    error: Predicate
    called: dict[str, Predicate] = field(default_factory=dict)
    summary: dict[str, Predicate] = field(default_factory=dict)
    places: dict[str, Predicate] = field(default_factory=dict)
    clauses: list[HornClause] = field(default_factory=list)

    def rule(self, body: Iterable[Term], head: Term) -> None:
        """For Spacer, and as a clause."""
        parts = list(body)
        self.horn.rule(parts, head)
        atoms = tuple(part for part in parts if part.op == Op.APPLY)
        constraint = conjunction(part for part in parts if part.op != Op.APPLY)
        self.clauses.append(HornClause(atoms, constraint, None if head is self.error() else head))

    def certificate(self, model: Mapping[Predicate, Term]) -> ProcedureContracts:
        """A predicate that z3 does not mention constrains nothing."""
        contracts = {
            name: Contract(model.get(called, TRUE), model.get(self.summary[name], TRUE))
            for name, called in self.called.items()
        }
        return ProcedureContracts(
            contracts, {name: model.get(predicate, TRUE) for name, predicate in self.places.items()}
        )


@dataclass(frozen=True, eq=False)
class Step:
    source: Location
    target: Location
    relation: Relation


def encode(program: Procedures, backend: Z3, parameters: dict[str, bool]) -> Encoding:
    horn = Horn(backend, parameters)
    encoding = Encoding(program, horn, horn.predicate("error", ()))
    for procedure in program.procedures.values():
        if procedure.name != program.main:
            copies = program.entry_copies(procedure)
            after = [*copies.values(), *program.globals, *procedure.results]
            encoding.called[procedure.name] = horn.predicate(f"called {procedure.name}", list(copies))
            encoding.summary[procedure.name] = horn.predicate(f"summary {procedure.name}", after)
    for procedure in program.procedures.values():
        _Rules(encoding, procedure).add()
    return encoding


def steps_of(procedure: Procedure) -> list[Step]:
    """All paths between the entry, the exit, the ends of calls, loop heads and errors, as steps."""
    errors = set(procedure.cfa.errors)
    edges = [e for e in procedure.cfa.edges if e.source not in errors and not is_infeasible(e)]
    over_calls = [Edge(call.source, call.target) for call in procedure.calls]
    heads = loop_heads(procedure.cfa.initial, successors([*edges, *over_calls]))
    ends = [end for call in procedure.calls for end in (call.source, call.target)]
    cuts = dict.fromkeys([procedure.cfa.initial, *heads, *ends, procedure.exit, *procedure.cfa.errors])
    found = blocks_between(cuts, successors(edges), procedure.cfa.fresh, errors)
    steps = []
    for edge in found:
        (block,) = edge.statements
        assert isinstance(block, Block)
        steps.append(Step(edge.source, edge.target, block.relation))
    return steps


class _Rules:
    """The rules of one procedure."""

    def __init__(self, encoding: Encoding, procedure: Procedure) -> None:
        self.encoding = encoding
        self.program = encoding.program
        self.procedure = procedure
        self.copies = self.program.entry_copies(procedure)
        self.errors = set(procedure.cfa.errors)
        self.steps = steps_of(procedure)
        self.live = self._liveness()
        for place, live in self.live.items():
            if place is not procedure.cfa.initial:
                arguments = [*self.copies.values(), *live]
                encoding.places[place.name] = encoding.horn.predicate(f"at {place.name}", arguments)

    def _liveness(self) -> dict[Location, list[Term]]:
        """For every place that a step starts from, the variables whose values can still matter."""
        known = frozenset(self.procedure.cfa.variables)
        places = [self.procedure.cfa.initial, self.procedure.exit]
        places += [end for step in self.steps for end in (step.source, step.target)]
        places += [end for call in self.procedure.calls for end in (call.source, call.target)]
        live: dict[Location, set[Term]] = {place: set() for place in places if place not in self.errors}
        if self.procedure.name != self.program.main:
            live[self.procedure.exit] |= {*self.program.globals, *self.procedure.results}
        changed = True
        while changed:
            before = sum(map(len, live.values()))
            for step in self.steps:
                after = live.get(step.target, set())
                used = free_vars_of([step.relation.guard, *(step.relation.after(x) for x in after)])
                live[step.source] |= used & known
            for call in self.procedure.calls:
                kept = live[call.target] - {*self.program.globals, *call.results}
                live[call.source] |= kept | set(self.program.globals) | free_vars_of(call.arguments)
            changed = sum(map(len, live.values())) > before
        order = self.procedure.cfa.variables
        return {place: [x for x in order if x in variables] for place, variables in live.items()}

    def _at(self, place: Location, values: Mapping[Term, Term]) -> Term:
        predicate = self.encoding.places[place.name]
        return predicate(*(values.get(x, x) for x in predicate.arguments))

    def _before(self, place: Location) -> list[Term]:
        """What is known at a place: at the entry, that the procedure is called with these values."""
        if place is not self.procedure.cfa.initial:
            return [self._at(place, {})]
        if self.procedure.name == self.program.main:
            return [self.procedure.cfa.precondition]
        called = self.encoding.called[self.procedure.name]
        return [called(*called.arguments), *(eq(copy, x) for x, copy in self.copies.items())]

    def add(self) -> None:
        rule = self.encoding.rule
        for step in self.steps:
            relation = step.relation
            if step.target in self.errors:
                rule([*self._before(step.source), relation.guard], self.encoding.error())
                continue
            wanted = frozenset(self.live[step.target])
            after = {x: prime(x) for x in relation.updates if x in wanted}
            moved = [eq(new, relation.after(x)) for x, new in after.items()]
            rule([*self._before(step.source), relation.guard, *moved], self._at(step.target, after))
        for call in self.procedure.calls:
            self._call(call)
        summary = self.encoding.summary.get(self.procedure.name)
        if summary is not None:
            rule(self._before(self.procedure.exit), summary(*summary.arguments))

    def _call(self, call: Call) -> None:
        callee = self.program.procedures[call.callee]
        called, summary = self.encoding.called[callee.name], self.encoding.summary[callee.name]
        given = dict(zip(callee.parameters, call.arguments, strict=True))
        passed = {x: prime(x) for x in called.arguments}
        bound = [eq(new, given.get(x, x)) for x, new in passed.items()]
        before = self._before(call.source)
        self.encoding.rule([*before, *bound], called(*passed.values()))
        copies = self.program.entry_copies(callee)
        entry = {copy: passed[x] for x, copy in copies.items()}
        # results and globals after the call get names of their own: caller and callee may be one
        after = {x: prime(prime(x)) for x in (*self.program.globals, *callee.results)}
        effect = summary(*(entry[x] if x in entry else after[x] for x in summary.arguments))
        values = {x: after[x] for x in self.program.globals}
        values |= {mine: after[x] for mine, x in zip(call.results, callee.results, strict=True)}
        self.encoding.rule([*before, *bound, effect], self._at(call.target, values))
