"""Rounds of candidates, from cheap shapes to many, each filtered to its inductive subset.

A *mode* is a value of the location variable (for systems made from automata) or the one mode of
a system without it; candidates of a mode are learnt from its samples and hold under ``location =
l``. Modes without a sample are candidates for being unreachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from revet.budget import Budget
from revet.engines.invgen import templates
from revet.engines.invgen.houdini import Houdini
from revet.engines.invgen.samples import Sampler, State
from revet.logic.core import const, eq, implies, not_
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import TRUE, Term
from revet.logic.walk import atoms, free_vars, subterms
from revet.model.system import TransitionSystem
from revet.smt import SolverFactory

_WIDEST = 10  # variables of which all pairs are tried
_MOST = 4000  # candidates of one round
_DEPTHS = (4, 8, 16)  # samples of a round come from paths of this many steps


@dataclass(frozen=True)
class Mode:
    condition: Term
    samples: list[State]


class Generator:
    """``advance`` runs one round and returns what is new; ``exhausted`` when no round is left."""

    def __init__(
        self, system: TransitionSystem, backend: SolverFactory, budget: Budget, assumed: Iterable[Term] = ()
    ) -> None:
        self.system = system
        self.budget = budget
        self.found: dict[Term, None] = {}
        self._sampler = Sampler(system, backend, budget)
        self._houdini = Houdini(system, backend, budget, assumed)
        self._location = location_variable(system)
        self._thresholds = templates.constants(
            system.init, system.property, system.step.guard, *system.step.updates.values()
        )
        self._formulas = _program_formulas(system)
        self._numbers = _ranked_numbers(system)
        self._round = 0

    @property
    def exhausted(self) -> bool:
        return self._round >= len(_DEPTHS)

    def assume(self, fact: Term) -> None:
        """A fact known from elsewhere."""
        self._houdini.assume(fact)

    def advance(self) -> list[Term]:
        """The next round: facts that are inductive with everything found and assumed before."""
        self._sampler.deepen(_DEPTHS[self._round])
        candidates: dict[Term, None] = {}
        for candidate in self._candidates(self._round):
            if candidate is not TRUE and candidate not in self.found:
                candidates[candidate] = None
            if len(candidates) >= _MOST:
                break
        self._round += 1
        facts = self._houdini.inductive(candidates)
        for fact in facts:
            self.found[fact] = None
            self._houdini.assume(fact)
        return facts

    def _modes(self) -> list[Mode]:
        states = self._sampler.states
        if self._location is None:
            return [Mode(TRUE, states)] if states else []
        groups: dict[object, list[State]] = {}
        for state in states:
            groups.setdefault(state[self._location], []).append(state)
        return [
            Mode(eq(self._location, const(value, INT)), group)  # type: ignore[arg-type]
            for value, group in groups.items()
        ]

    def _candidates(self, number: int) -> Iterator[Term]:
        modes = self._modes()
        if self._location is not None and number == 0:
            yield from self._unreached(modes)
        for mode in modes:
            for shape in self._shapes(number, mode.samples):
                yield implies(mode.condition, shape)

    def _unreached(self, modes: list[Mode]) -> Iterator[Term]:
        seen = {mode.condition for mode in modes}
        for node in subterms(self.system.step.guard):
            if node.sort is BOOL and node.op == "=" and self._location in node.args and node not in seen:
                yield not_(node)

    def _shapes(self, number: int, samples: list[State]) -> Iterator[Term]:
        numbers = self._numbers
        thresholds = self._thresholds
        if number == 0:
            for x in numbers[: 4 * _WIDEST]:
                yield from templates.bounds(x, samples, thresholds)
            yield from templates.facts_of(self._formulas, samples)
            yield from templates.affine(numbers[: 2 * _WIDEST], samples)
        elif number == 1:
            for x in numbers[: 4 * _WIDEST]:
                yield from templates.bounds(x, samples, thresholds)
            yield from templates.affine(numbers[: 2 * _WIDEST], samples)
            yield from templates.octagons(numbers[:_WIDEST], samples, thresholds)
            yield from templates.congruences(numbers, samples, self._moduli())
        else:
            yield from templates.octagons(numbers[:_WIDEST], samples, thresholds)
            yield from templates.implications(self._formulas[:40], samples)

    def _moduli(self) -> list[int]:
        return sorted({2, 3, 4} | {t for t in self._thresholds if 2 <= t <= 16})


def location_variable(system: TransitionSystem) -> Term | None:
    """The variable that :mod:`revet.transform.to_system` adds."""
    for x in system.variables:
        if x.sort is INT and x.name.startswith("location!"):
            return x
    return None


def _program_formulas(system: TransitionSystem) -> list[Term]:
    """Boolean variables, and atoms of the program over state variables alone."""
    known = frozenset(system.variables)
    roots = [system.property, system.init, system.step.guard, *system.step.updates.values()]
    found = {x: None for x in system.variables if x.sort is BOOL}
    found.update({atom: None for atom in atoms(*roots) if free_vars(atom) and free_vars(atom) <= known})
    return list(found)


def _ranked_numbers(system: TransitionSystem) -> list[Term]:
    """Numbers by how many atoms speak of them, the property's first."""
    location = location_variable(system)
    roots = [system.property, system.step.guard, *system.step.updates.values()]
    weight: dict[Term, int] = {}
    for atom in atoms(*roots):
        for x in free_vars(atom):
            weight[x] = weight.get(x, 0) + 1
    for x in free_vars(system.property):
        weight[x] = weight.get(x, 0) + 1000
    numbers = [x for x in system.variables if x.sort in (INT, REAL) and x is not location]
    return sorted(numbers, key=lambda x: -weight.get(x, 0))
