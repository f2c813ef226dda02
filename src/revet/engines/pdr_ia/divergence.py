"""What to do when interpolation enumerates values: look at reachable states instead.

States of short runs lie on an affine space: its equations (``x - y = i - j``) and congruences
(``x mod 3 = 0``) are what a loop keeps and what no single infeasible run shows. Those that are
inductive, found by Houdini, become facts that every query may use; the others are at least good
predicates. The same sampling serves :mod:`revet.engines.invgen`, whose parts are used here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from revet.budget import Budget
from revet.invariants import templates
from revet.invariants.houdini import SystemHoudini
from revet.invariants.samples import Sampler, State
from revet.logic.core import const, eq, implies
from revet.logic.sorts import INT, REAL
from revet.logic.terms import TRUE, Term
from revet.model.system import TransitionSystem
from revet.smt import SolverFactory
from revet.transform.to_system import location_variable

_DEPTHS = (6, 12, 24)  # steps of the sampled runs, round by round
_WIDEST = 16  # variables in one affine space
_MODULI = (2, 3, 4, 5)


@dataclass(frozen=True)
class Discovery:
    """``facts`` hold in every reachable state, inductively; ``predicates`` may help."""

    facts: list[Term]
    predicates: list[Term]


ROUNDS = len(_DEPTHS)


class Discoverer:
    """One round of sampling under its own (short) budget; ``known`` are facts found before."""

    def __init__(
        self, system: TransitionSystem, backend: SolverFactory, budget: Budget, known: Iterable[Term]
    ) -> None:
        self._system = system
        self._known = frozenset(known)
        self._sampler = Sampler(system, backend, budget)
        self._houdini = SystemHoudini(system, backend, budget, known)
        self._location = location_variable(system)

    def discover(self, number: int) -> Discovery:
        """Round ``number``, from 0 to ROUNDS - 1: each samples longer runs than the one before."""
        self._sampler.deepen(_DEPTHS[number])
        shapes: dict[Term, Term] = {}
        for condition, states in self._groups():
            for shape in self._shapes(states):
                candidate = implies(condition, shape)
                if candidate not in self._known:
                    shapes[candidate] = shape
        facts = self._houdini.inductive(shapes)
        proved = frozenset(facts)
        return Discovery(facts, [shape for candidate, shape in shapes.items() if candidate not in proved])

    def _groups(self) -> list[tuple[Term, list[State]]]:
        """The sampled states by location."""
        if self._location is None:
            return [(TRUE, self._sampler.states)]
        groups: dict[Term, list[State]] = {}
        for state in self._sampler.states:
            here = eq(self._location, const(state[self._location], INT))
            groups.setdefault(here, []).append(state)
        return list(groups.items())

    def _shapes(self, states: list[State]) -> list[Term]:
        numbers = [x for x in self._system.variables if x.sort in (INT, REAL) and x is not self._location]
        families = [
            *templates.affine(numbers[:_WIDEST], states),
            *templates.congruences(numbers[: 2 * _WIDEST], states, _MODULI),
        ]
        return [shape for family in families for shape in family]
