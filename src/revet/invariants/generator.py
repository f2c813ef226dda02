"""Rounds of candidates, from cheap shapes to many, each filtered to its inductive subset.

A *mode* is a value of the location variable (for systems made from automata) or the one mode of
a system without it, which leaves out initial states that a flag marks. Candidates of a mode are
learnt from its samples and hold under its condition. Locations without a sample are candidates for
being unreachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from revet.budget import Budget, OutOfBudget
from revet.invariants import templates
from revet.invariants.houdini import Chain, SystemHoudini
from revet.invariants.samples import Sampler, Slice, State
from revet.logic.arith import neg, sub
from revet.logic.core import const, eq, implies, not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import TRUE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import atoms, conjuncts, free_vars, substitute, subterms
from revet.model.system import TransitionSystem
from revet.smt import SolverFactory
from revet.transform.to_system import location_variable

_WIDEST = 10  # variables of which all pairs are tried
_MOST = 2000  # chains of one round
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
        self._houdini = SystemHoudini(system, backend, budget, assumed)
        self._location = location_variable(system)
        self._thresholds = templates.constants(
            system.init, system.property, system.step.guard, *system.step.updates.values()
        )
        self._formulas = _program_formulas(system)
        self._relations = _program_relations(system)
        self._numbers = _ranked_numbers(system)
        self._goals = list(self._locations())
        self._round = 0
        # Chains of the current round: not yet known to hold initially, to be preserved by steps.
        self._initial: list[Chain] | None = None
        self._pending: list[Chain] | None = None

    @property
    def exhausted(self) -> bool:
        return self._round >= len(_DEPTHS) and self._pending is None and self._initial is None

    def assume(self, fact: Term) -> None:
        """A fact known from elsewhere."""
        self._houdini.assume(fact)

    def advance(self, part: Slice | None = None) -> list[Term]:
        """The next round: facts that are inductive with everything found and assumed before.

        When the slice runs out (:class:`OutOfBudget`), the next call continues the round.
        """
        self._sampler.slice = self._houdini.slice = part or self.budget
        if self._initial is None and self._pending is None:
            self._sampler.deepen(_DEPTHS[self._round], self._goals)
            self._initial = list(self._candidates(self._round))[:_MOST]
            self._round += 1
        try:
            if self._initial is not None:
                self._pending, self._initial = self._houdini.initial(self._initial), None
            chains = self._houdini.preserved(self._pending or [])
        except OutOfBudget:
            if self._initial is not None:
                self._initial = self._houdini.left
            else:
                self._pending = self._houdini.left
            raise
        self._pending = None
        facts = [fact for chain in chains for fact in chain[-1:]]
        for fact in facts:
            self.found[fact] = None
            self._houdini.assume(fact)
        return facts

    def _modes(self) -> list[Mode]:
        states = self._sampler.states
        if self._location is None:
            return self._after_first_step(states)
        groups: dict[Value, list[State]] = {}
        for state in states:
            groups.setdefault(state[self._location], []).append(state)
        return [
            Mode(eq(self._location, const(value, INT)), group) for value, group in groups.items()
        ]

    def _after_first_step(self, states: list[State]) -> list[Mode]:
        """One mode; without the initial states if a flag tells them (Lustre's first instant, in
        which the memories have no values yet)."""
        for literal in conjuncts(self.system.init):
            flag = literal.args[0] if literal.op == Op.NOT else literal
            if flag.op == Op.VAR:
                started = not_(literal)
                later = [state for state in states if Evaluator(state)(started) is True]
                if len(later) > len(states) // 2:
                    return [Mode(started, later)]
        return [Mode(TRUE, states)] if states else []

    def _candidates(self, number: int) -> Iterator[Chain]:
        modes = self._modes()
        if self._location is not None and number == 0:
            yield from self._unreached(modes)
        for mode in modes:
            for chain in self._shapes(number, mode.samples):
                conditional = [implies(mode.condition, shape) for shape in chain]
                known = [place for place, fact in enumerate(conditional) if fact in self.found]
                stronger = conditional[known[-1] + 1 :] if known else conditional
                if stronger and TRUE not in stronger:
                    yield stronger

    def _locations(self) -> Iterator[Term]:
        """``location = l`` for every l that the steps mention."""
        for node in subterms(self.system.step.guard):
            if node.op == Op.EQ and self._location in node.args and node.args[1].op == Op.CONST:
                yield node

    def _unreached(self, modes: list[Mode]) -> Iterator[Chain]:
        seen = {mode.condition for mode in modes}
        yield from ([not_(goal)] for goal in self._goals if goal not in seen)

    def _shapes(self, number: int, samples: list[State]) -> Iterator[Chain]:
        numbers, thresholds = self._numbers, self._thresholds
        for x in numbers[: 4 * _WIDEST]:
            yield from templates.bounds(x, samples, thresholds)
        for term in self._relations[: 4 * _WIDEST]:
            yield from templates.bounds(term, samples, (-1, 0, 1))
        yield from templates.facts_of(self._formulas, samples)
        yield from templates.affine(numbers[: 2 * _WIDEST], samples)
        if number >= 1:
            yield from templates.octagons(numbers[:_WIDEST], samples, thresholds)
            yield from templates.congruences(numbers, samples, self._moduli())
        if number >= 2:
            yield from templates.implications(self._formulas[:40], samples)

    def _moduli(self) -> list[int]:
        return sorted({2, 3, 4} | {t for t in self._thresholds if 2 <= t <= 16})


def _program_formulas(system: TransitionSystem) -> list[Term]:
    """Boolean variables, and atoms of the program over state variables alone, one of ``a``, ``not a``."""
    location = location_variable(system)
    known = frozenset(x for x in system.variables if x is not location)
    roots = [system.property, system.init, system.step.guard, *system.step.updates.values()]
    found = {x: None for x in system.variables if x.sort is BOOL}
    for atom in atoms(*roots):
        variables = free_vars(atom)
        if variables and variables <= known and not_(atom) not in found and not _has_ite(atom):
            found[atom] = None
    return list(found)


def _has_ite(term: Term) -> bool:
    return any(node.op == Op.ITE for node in subterms(term))


def _program_relations(system: TransitionSystem) -> list[Term]:
    """Differences ``left - right`` of the program's comparisons that relate state variables.

    A local that is a later value of a state variable (``x!3``, from a block in SSA form) is read as
    the variable: a guess at what the comparison would say at the loop head.
    """
    by_name = {x.name: x for x in system.variables}
    renamed = {
        local: by_name[stem]
        for local in system.inputs
        if (stem := local.name.rpartition("!")[0]) in by_name and by_name[stem].sort is local.sort
    }
    known = frozenset(system.variables)
    found: dict[Term, None] = {}
    for atom in atoms(system.property, system.step.guard, *system.step.updates.values()):
        numeric = atom.op in (Op.LE, Op.LT, Op.EQ) and atom.args[0].sort in (INT, REAL)
        if numeric and not templates.is_range(atom):
            difference = substitute(sub(atom.args[0], atom.args[1]), renamed)
            variables = free_vars(difference)
            usable = len(variables) > 1 and variables <= known and not _has_ite(difference)
            if usable and neg(difference) not in found:
                found[difference] = None
    return list(found)


def _ranked_numbers(system: TransitionSystem) -> list[Term]:
    """Numbers by how many atoms speak of them, the property's first."""
    location = location_variable(system)
    roots = [system.property, system.step.guard, *system.step.updates.values()]
    weight: dict[Term, int] = {}
    for atom in atoms(*roots):
        if not templates.is_range(atom):
            for x in free_vars(atom):
                weight[x] = weight.get(x, 0) + 1
    for x in free_vars(system.property):
        weight[x] = weight.get(x, 0) + 1000
    numbers = [x for x in system.variables if x.sort in (INT, REAL) and x is not location]
    return sorted(numbers, key=lambda x: -weight.get(x, 0))
