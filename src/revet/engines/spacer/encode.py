"""Models as Horn clauses: one unknown predicate a location, one rule a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from revet.logic.core import and_, eq, not_
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa, Location
from revet.model.names import prime
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import Certificate, KInductive, LocationInvariants
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Horn, Predicate
from revet.transform.graph import live_variables


@dataclass(frozen=True, eq=False)
class Encoding:
    """``places``: the predicate of each location (of the one place None, for a system)."""

    model: Cfa | TransitionSystem
    horn: Horn
    error: Predicate
    places: Mapping[Location | None, Predicate] = field(default_factory=dict)

    def certificate(self, model: Mapping[Predicate, Term]) -> Certificate:
        """Formulas of the predicates; one that z3 did not mention constrains nothing."""
        if isinstance(self.model, TransitionSystem):
            return KInductive(and_(model.get(self.places[None], TRUE), self.model.property))
        formulas = {
            location: model.get(predicate, TRUE)
            for location, predicate in self.places.items()
            if location is not None
        }
        reachable = _closure(self.model, [self.model.initial], forward=True)
        for location in self.model.locations:
            if location not in formulas and location not in self.model.errors:
                formulas[location] = TRUE if location in reachable else FALSE
        return LocationInvariants(formulas)


def encode(
    model: Cfa | TransitionSystem, backend: Z3, parameters: dict[str, bool], *, keep_predicates: bool
) -> Encoding:
    horn = Horn(backend, parameters, keep_predicates=keep_predicates)
    if isinstance(model, TransitionSystem):
        return _encode_system(model, horn)
    return _encode_cfa(model, horn)


def step_formula(relation: Relation) -> tuple[Term, dict[Term, Term]]:
    """The guard and ``x' = value`` for the updated variables, and what each of them becomes."""
    after = {x: prime(x) for x in relation.updates}
    equations = [eq(after[x], value) for x, value in relation.updates.items()]
    return and_(relation.guard, *equations), after


def _encode_system(system: TransitionSystem, horn: Horn) -> Encoding:
    variables = system.variables
    inv, error = horn.predicate("inv", variables), horn.predicate("error", ())
    here = inv(*variables)
    step, after = step_formula(system.step)
    horn.rule([system.init, system.invariant], here)
    horn.rule(
        [here, step, substitute(system.invariant, after)],
        inv(*(after.get(x, x) for x in variables)),
    )
    horn.rule([here, not_(system.property)], error())
    return Encoding(system, horn, error, {None: inv})


def _encode_cfa(cfa: Cfa, horn: Horn) -> Encoding:
    """Only locations on a path from the initial to an error location get a predicate."""
    error = horn.predicate("error", ())
    relevant = _relevant(cfa)
    live = live_variables(cfa, relevant)
    places: dict[Location | None, Predicate] = {
        location: horn.predicate(f"at {location.name}", live[location]) for location in relevant
    }

    def fact(location: Location, after: Mapping[Term, Term]) -> Term:
        predicate = places[location]
        return predicate(*(after.get(x, x) for x in predicate.arguments))

    if cfa.initial in cfa.errors:
        horn.rule([cfa.precondition], error())
    elif cfa.initial in places:
        horn.rule([cfa.precondition], fact(cfa.initial, {}))
    for location in relevant:
        for edge in cfa.outgoing[location]:
            relation = cfa.relation(edge)
            if edge.target in cfa.errors:
                horn.rule([fact(location, {}), relation.guard], error())
            elif edge.target in places:
                step, after = step_formula(_only(relation, places[edge.target]))
                horn.rule([fact(location, {}), step], fact(edge.target, after))
    return Encoding(cfa, horn, error, places)


def _only(relation: Relation, target: Predicate) -> Relation:
    """The relation without updates of variables that the target does not speak of."""
    wanted = frozenset(target.arguments)
    updates = {x: value for x, value in relation.updates.items() if x in wanted}
    return Relation(relation.guard, updates, relation.locals)


def _relevant(cfa: Cfa) -> list[Location]:
    """Reachable in the graph, with an error location reachable from there, errors left out."""
    forward = _closure(cfa, [cfa.initial], forward=True)
    backward = _closure(cfa, list(cfa.errors), forward=False)
    return [
        location
        for location in cfa.locations
        if location in forward and location in backward and location not in cfa.errors
    ]


def _closure(cfa: Cfa, start: list[Location], *, forward: bool) -> set[Location]:
    seen = set(start)
    stack = list(start)
    while stack:
        location = stack.pop()
        if forward and location in cfa.errors:
            continue
        edges = cfa.outgoing[location] if forward else cfa.incoming[location]
        for edge in edges:
            end = edge.target if forward else edge.source
            if end not in seen:
                seen.add(end)
                stack.append(end)
    return seen
