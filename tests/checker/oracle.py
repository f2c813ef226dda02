"""What a certificate is worth, by enumeration: for models from :mod:`tests.generators` and formulas
that imply ``box``, so that all states that satisfy them lie in the small domains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT
from revet.logic.terms import FALSE, TRUE, Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assume
from revet.model.system import TransitionSystem
from revet.result import KInductive, LocationInvariants
from tests.generators import TOP, steps, system_steps, valuations


def box(variables: Iterable[Term]) -> Term:
    return b.and_(*(b.and_(x >= 0, x <= TOP) for x in variables if x.sort is INT))


def proves_system(system: TransitionSystem, certificate: KInductive) -> bool:
    """Is the certificate valid? By sets of states."""
    formula, variables = certificate.formula, system.variables

    def key(state: dict[Term, Any]) -> tuple[Any, ...]:
        return tuple(state[x] for x in variables)

    def holds(state: dict[Term, Any]) -> bool:
        return Evaluator(state)(formula) is True

    def post(states: dict[Any, dict[Term, Any]]) -> dict[Any, dict[Term, Any]]:
        return {key(after): after for s in states.values() for after, _ in system_steps(system, s)}

    everything = {key(s): s for s in valuations(variables) if Evaluator(s)(system.invariant)}
    layer = {k: s for k, s in everything.items() if Evaluator(s)(system.init)}
    for _ in range(certificate.k):
        if not all(holds(s) for s in layer.values()):
            return False
        layer = post(layer)
    inside = {k: s for k, s in everything.items() if holds(s)}
    if not all(Evaluator(s)(system.property) for s in inside.values()):
        return False
    for _ in range(certificate.k - 1):
        inside = {k: s for k, s in post(inside).items() if holds(s)}
    return all(holds(s) for s in post(inside).values())


class AutomatonOracle:
    """The same for an automaton, from cut to cut."""

    def __init__(self, cfa: Cfa, certificate: LocationInvariants) -> None:
        self.cfa = cfa
        self.certificate = certificate
        self.cuts = {cfa.initial, *cfa.errors, *certificate.formulas}
        self.edges = relevant(cfa, {*cfa.errors, *certificate.formulas})
        self.formulas = dict(certificate.formulas)
        if cfa.initial not in self.formulas:
            back = any(edge.target is cfa.initial for edge in self.edges)
            self.formulas[cfa.initial] = TRUE if back else cfa.precondition
        for error in cfa.errors:
            self.formulas[error] = FALSE

    def proves(self) -> bool:
        certificate = self.certificate
        for error in self.cfa.errors:
            given = certificate.formulas.get(error, FALSE)
            if any(Evaluator(s)(given) for s in valuations(self.cfa.variables)):
                return False
        if not self._cuts_all_cycles():
            return False
        start, condition = self.cfa.initial, self.cfa.precondition
        layer = [(start, s) for s in valuations(self.cfa.variables) if Evaluator(s)(condition)]
        for _ in range(certificate.k):
            if not all(self._holds(*pair) for pair in layer):
                return False
            layer = self._post(layer)
        inside = [
            (cut, s) for cut in self.cuts for s in valuations(self.cfa.variables) if self._holds(cut, s)
        ]
        for _ in range(certificate.k - 1):
            inside = [pair for pair in self._post(inside) if self._holds(*pair)]
        return all(self._holds(*pair) for pair in self._post(inside))

    def _holds(self, cut: Location, state: dict[Term, Any]) -> bool:
        return Evaluator(state)(self.formulas[cut]) is True

    def _post(self, pairs: list[Any]) -> list[Any]:
        found: dict[Any, Any] = {}
        seen = set()
        stack = list(pairs)
        while stack:
            location, state = stack.pop()
            for edge in self.edges:
                if edge.source is not location:
                    continue
                for after, _ in steps(edge, state):
                    key = (edge.target, *(after[x] for x in self.cfa.variables))
                    if edge.target in self.cuts:
                        found[key] = (edge.target, after)
                    elif key not in seen:
                        seen.add(key)
                        stack.append((edge.target, after))
        return list(found.values())

    def _cuts_all_cycles(self) -> bool:
        left = [edge for edge in self.edges if edge.source not in self.cuts and edge.target not in self.cuts]
        while True:  # peel off edges whose target has no edge out
            kept = [edge for edge in left if any(other.source is edge.target for other in left)]
            if len(kept) == len(left):
                return not left
            left = kept


def relevant(cfa: Cfa, goals: set[Location]) -> list[Edge]:
    """The edges between the initial location and the goals."""

    def closure(found: set[Location], forward: bool) -> set[Location]:
        while True:
            more = {e.target if forward else e.source for e in edges
                    if (e.source if forward else e.target) in found} - found
            if not more:
                return found
            found |= more

    edges = [
        e for e in cfa.edges
        if e.source not in cfa.errors
        and not any(isinstance(s, Assume) and s.condition is FALSE for s in e.statements)
    ]
    before, after = closure({cfa.initial}, True), closure(set(goals), False)
    return [e for e in edges if e.source in before and e.target in after]
