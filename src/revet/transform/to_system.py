"""An automaton as a transition system with a variable for the location.

As in Tegzes, *Applying incremental, inductive model checking to software* (2018), section 3.3: states are
the automaton's variables and ``location``, a step is the disjunction of the edges. Here each edge has a
Boolean input that selects it, and all edges write the same next values::

    edge!i  =>  location = source_i, guard_i, next values      for each edge
    location = l  =>  (or edge!i …)                            for each location, over its edges

which is linear in the automaton and tells which edge a step took. docs/decisions/0010 compares it
with other forms. No edge leaves an error location: a run ends there.

For engines that work on bits (:func:`to_bits`) the location is a bit-vector and the next values are
functions: of the first edge that is selected, one condition a value.

There is a property for each error location, with its name. Back: the formula at a location is the
system's formula with the location's number put in.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.errors import ModelError
from revet.logic.arith import le
from revet.logic.core import and_, const, eq, implies, integer, ite, not_, or_
from revet.logic.sorts import BOOL, INT, BitVec, Sort
from revet.logic.terms import FALSE, Op, Term
from revet.logic.walk import conjuncts, substitute
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result.certificate import Certificate, Exhausted, KInductive, LocationInvariants
from revet.result.trace import CfaTrace, SystemTrace
from revet.transform.reduction import Reduction


def location_variable(system: TransitionSystem) -> Term | None:
    """The variable that :func:`to_system` added; None for other systems."""
    return next((x for x in system.variables if x.sort is INT and x.name.startswith("location!")), None)


@dataclass(frozen=True, eq=False)
class _Encoding:
    cfa: Cfa
    location: Term
    numbers: dict[Location, int]
    selectors: dict[Edge, Term]

    def number(self, location: Location) -> Term:
        return const(self.numbers[location], self.location.sort)

    def at(self, location: Location) -> Term:
        return eq(self.location, self.number(location))

    def some_edge(self) -> list[Term]:
        """At each location one of its edges is taken; implied, but the solver profits."""
        leaving: dict[Location, list[Term]] = {}
        for edge, chosen in self.selectors.items():
            leaving.setdefault(edge.source, []).append(chosen)
        return [implies(self.at(location), or_(*chosen)) for location, chosen in leaving.items()]

    def edge(self, edge: Edge, nexts: dict[Term, Term]) -> Term:
        """The edge as a formula over values before, next values and the edge's locals."""
        relation = self.cfa.relation(edge)
        return and_(
            self.at(edge.source),
            relation.guard,
            eq(nexts[self.location], self.number(edge.target)),
            *(eq(nexts[x], relation.after(x)) for x in self.cfa.variables),
        )


def _encoding(cfa: Cfa, sort: Sort) -> _Encoding:
    errors = set(cfa.errors)
    return _Encoding(
        cfa,
        cfa.fresh("location", sort),
        {location: number for number, location in enumerate(cfa.locations)},
        {edge: cfa.fresh("edge", BOOL) for edge in cfa.edges if edge.source not in errors},
    )


def to_bits(cfa: Cfa) -> Reduction:
    """See the module's text."""
    encoding = _encoding(cfa, BitVec(max(1, (len(cfa.locations) - 1).bit_length())))
    variables = (encoding.location, *cfa.variables)
    nexts: dict[Term, Term] = {x: x for x in variables}
    guard: Term = FALSE
    for edge, chosen in reversed(encoding.selectors.items()):
        relation = cfa.relation(edge)
        guard = ite(chosen, and_(encoding.at(edge.source), relation.guard), guard)
        after = {x: relation.after(x) for x in cfa.variables}
        after[encoding.location] = encoding.number(edge.target)
        nexts = {x: ite(chosen, after[x], value) for x, value in nexts.items()}
    locals_ = [x for edge in encoding.selectors for x in cfa.relation(edge).locals]
    updates = {x: value for x, value in nexts.items() if value is not x}
    step = Relation(guard, updates, (*encoding.selectors.values(), *locals_))
    return _reduction(encoding, step, ())


def to_system(cfa: Cfa) -> Reduction:
    """See the module's text."""
    fresh = cfa.fresh
    encoding = _encoding(cfa, INT)
    edges = list(encoding.selectors)
    variables = (encoding.location, *cfa.variables)
    nexts = {x: fresh(x.name, x.sort) for x in variables}
    guard = and_(
        or_(*encoding.selectors.values()),
        *encoding.some_edge(),
        *(implies(chosen, encoding.edge(edge, nexts)) for edge, chosen in encoding.selectors.items()),
    )
    inputs = [local for edge in edges for local in cfa.relation(edge).locals]
    step = Relation(guard, nexts, (*encoding.selectors.values(), *inputs, *nexts.values()))
    bounds = (le(integer(0), encoding.location), le(encoding.location, integer(len(cfa.locations) - 1)))
    return _reduction(encoding, step, bounds)


def _reduction(encoding: _Encoding, step: Relation, invariants: tuple[Term, ...]) -> Reduction:
    cfa = encoding.cfa
    system = TransitionSystem(
        (encoding.location, *cfa.variables),
        and_(encoding.at(cfa.initial), cfa.precondition),
        step,
        {location.name: not_(encoding.at(location)) for location in cfa.errors},
        invariants,
        cfa.name,
        {location.name: location.position for location in cfa.errors if location.position is not None},
    )
    return Reduction(
        system,
        lambda trace: _trace_back(encoding, trace),
        lambda certificate: _certificate_back(encoding, certificate),
    )


def _trace_back(encoding: _Encoding, trace: SystemTrace) -> CfaTrace:
    cfa = encoding.cfa
    locations, edges, inputs = [], [], []
    for state in trace.states:
        number = state[encoding.location]
        if not isinstance(number, int) or not 0 <= number < len(cfa.locations):
            raise ModelError(f"there is no location number {number}")
        locations.append(cfa.locations[number])
    for given in trace.inputs:
        taken = next((edge for edge, chosen in encoding.selectors.items() if given.get(chosen) is True), None)
        if taken is None:
            raise ModelError("a step of the trace selects no edge")
        edges.append(taken)
        inputs.append({x: given[x] for x in cfa.relation(taken).locals if x in given})
    states = tuple({x: state[x] for x in cfa.variables} for state in trace.states)
    return CfaTrace(tuple(locations), states, tuple(edges), tuple(inputs))


def _certificate_back(encoding: _Encoding, certificate: Certificate) -> Certificate:
    if isinstance(certificate, Exhausted):
        return certificate
    assert isinstance(certificate, KInductive)
    everywhere, local = _by_location(encoding, certificate.formula)
    formulas = {
        location: substitute(
            and_(*everywhere, *local.get(number, ())), {encoding.location: encoding.number(location)}
        )
        for location, number in encoding.numbers.items()
        if location not in encoding.cfa.errors
    }
    return LocationInvariants(formulas, certificate.k, certificate.simple_path)


def _by_location(encoding: _Encoding, formula: Term) -> tuple[list[Term], dict[int, list[Term]]]:
    """The conjuncts of a formula; those that say ``location != l or …`` matter only at l."""
    everywhere: list[Term] = []
    local: dict[int, list[Term]] = {}
    at = {not_(encoding.at(location)): number for location, number in encoding.numbers.items()}
    for part in conjuncts(formula):
        parts = part.args if part.op == Op.OR else (part,)
        number = next((at[each] for each in parts if each in at), None)
        (everywhere if number is None else local.setdefault(number, [])).append(part)
    return everywhere, local
