"""Sets of states of an automaton, and their images under its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revet.engines.post.explain import Writer
from revet.engines.post.image import Images
from revet.engines.post.simplify import Simplifier
from revet.errors import RevetError, UsageError, did_you_mean
from revet.images.reading import Places
from revet.logic.core import conjunction, disjunction, not_
from revet.logic.terms import FALSE, TRUE
from revet.logic.walk import free_vars, substitute
from revet.smt.errors import SolverError
from revet.smt.z3 import Z3
from revet.transform.circuit_system import circuit_to_system
from revet.transform.reduction import chain, unchanged
from revet.transform.to_automaton import to_automaton

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from revet.budget import Budget
    from revet.logic.terms import Term
    from revet.model.cfa import Cfa, Edge, Location
    from revet.model.circuit import Circuit
    from revet.model.horn import HornSystem
    from revet.model.kind import Model
    from revet.model.system import TransitionSystem
    from revet.transform.reduction import Reduction

_MOST_CUBES = 64


class StateSet:
    """A set of states: at each location (by identity) disjuncts; a location that is missing has none.

    ``str()`` prints it as a formula that can be read back, a disjunct a line.
    """

    def __init__(self, space: Space, disjuncts: Mapping[Location, Sequence[Term]]) -> None:
        self.space = space
        self.disjuncts = {place: tuple(found) for place, found in disjuncts.items() if found}

    def formula(self, location: Location) -> Term:
        """What holds of the variables at a location; *false* where there are no states."""
        return disjunction(self.disjuncts.get(location, ()))

    @property
    def formulas(self) -> dict[str, Term]:
        """By the names of the locations that have states."""
        return {place.name: disjunction(found) for place, found in self.disjuncts.items()}

    @property
    def empty(self) -> bool:
        return not self.disjuncts

    def __str__(self) -> str:
        places = [place for place in self.space.places if place in self.disjuncts]
        if len(places) == len(self.space.places) and all(self.formula(p) is TRUE for p in places):
            return "true"
        lines = [self.space.disjunct(place, each) for place in places for each in self.disjuncts[place]]
        return " or\n".join(lines) or "false"


class Space:
    """The states of a model; a transition system is an automaton with one location and one loop."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.model = model
        self.reduction = _as_automaton(model)
        self.cfa: Cfa = self.reduction.model
        self.named = self.cfa is model and len(self.cfa.locations) > 1
        """Formulas say where they are; False: there is only one place."""
        self.places = self.cfa.locations if self.named else (self.cfa.initial,)
        self.steps: list[Edge] = [edge for edge in self.cfa.edges if edge.target in self.places]
        self.budget = budget
        backend = Z3()
        self._images = Images(backend, budget)
        self.simplifier = Simplifier(backend, budget, _MOST_CUBES)
        self.writer = Writer(self.cfa.variables)
        self.names = Places(self.cfa, self.places if self.named else ())

    # ------------------------------------------------------------------ reading and printing

    def read(self, text: str, where: str = "formula") -> StateSet:
        """The states that a formula describes."""
        return self.states(self.at_each(self.names.formula(text, where)))

    def at_each(self, formula: Term) -> dict[Location, Term]:
        """A formula about places and variables, as one about variables for each place."""
        at = self.names.variables
        return {
            place: substitute(formula, {x: TRUE if other is place else FALSE for other, x in at.items()})
            for place in self.places
        }

    def states(self, formulas: Mapping[Location, Term]) -> StateSet:
        """Each formula in short disjuncts."""
        return StateSet(self, {place: self.simplifier.cubes(found) for place, found in formulas.items()})

    def disjunct(self, place: Location, states: Term) -> str:
        return self.writer.disjunct(place, states) if self.named else self.writer.formula(states)

    def label(self, edge: Edge) -> str:
        """``l1 -> l2``, with a number where there are several."""
        if not self.named:
            return "step"
        alike = [e for e in self.steps if e.source is edge.source and e.target is edge.target]
        number = f" #{alike.index(edge) + 1}" if len(alike) > 1 else ""
        return f"{edge.source.name} -> {edge.target.name}{number}"

    def edges(self, wanted: Iterable[str]) -> list[Edge]:
        """The edges that are called so (``l1->l2``), or have this number in the program; all for no names."""
        labels: dict[str, list[Edge]] = {}
        for number, edge in enumerate(self.steps, 1):
            full = self.label(edge)
            for name in dict.fromkeys((full, full.partition(" #")[0], str(number))):
                labels.setdefault(name.replace(" ", ""), []).append(edge)
        chosen: dict[Edge, None] = {}
        for name in wanted:
            found = labels.get(name.replace(" ", ""))
            if found is None:
                known = did_you_mean(name, [self.label(edge) for edge in self.steps])
                raise UsageError(f"there is no edge {name}; {known}")
            chosen |= dict.fromkeys(found)
        return list(chosen) or self.steps

    # ------------------------------------------------------------------ images

    def post(self, states: StateSet, edges: Sequence[Edge]) -> StateSet:
        """The states after one of the edges."""
        return self._step(states, edges, forward=True)

    def pre(self, states: StateSet, edges: Sequence[Edge]) -> StateSet:
        """The states from which one of the edges can lead into them."""
        return self._step(states, edges, forward=False)

    def wp(self, states: StateSet, edges: Sequence[Edge]) -> StateSet:
        """The states from which every way through one of the edges leads into them."""
        found: dict[Location, list[Term]] = {place: [] for place in self.places}
        for edge in edges:
            relation, after = self.cfa.relation(edge), states.formula(edge.target)
            found[edge.source].append(self._exact(self._images.weakest_precondition, after, relation))
        return self.states({place: conjunction(parts) for place, parts in found.items()})

    def _step(self, states: StateSet, edges: Sequence[Edge], *, forward: bool) -> StateSet:
        image = self._images.image if forward else self._images.preimage
        found: dict[Location, list[Term]] = {}
        for edge in edges:
            start, end = (edge.source, edge.target) if forward else (edge.target, edge.source)
            for cube in states.disjuncts.get(start, ()):
                self.budget.poll()
                after = self._exact(image, cube, self.cfa.relation(edge))
                found.setdefault(end, []).extend(self.simplifier.cubes(after))
        return StateSet(self, {
            place: self.simplifier.without_implied(list(dict.fromkeys(each))) for place, each in found.items()
        })

    def _exact(self, image: Callable[..., Term], states: Term, relation: object) -> Term:
        try:
            found = image(states, relation)
        except SolverError as error:
            raise RevetError(f"the image has no formula without quantifiers: {error}") from error
        strangers = free_vars(found) - frozenset(self.cfa.variables)
        if strangers:
            raise RevetError(f"the image still speaks of {', '.join(sorted(x.name for x in strangers))}")
        return found

    def entails(self, states: StateSet, predicate: Mapping[Location, Term]) -> bool:
        """Does the predicate hold in all of the states?"""
        return not any(
            self.simplifier.holds(cube, not_(predicate[place]))
            for place, found in states.disjuncts.items()
            for cube in found
        )


def _as_automaton(model: Model) -> Reduction:
    return model.accept(_AsAutomaton())


class _AsAutomaton:
    """Each kind of model as an automaton."""

    def automaton(self, cfa: Cfa) -> Reduction:
        return unchanged(cfa)

    def system(self, system: TransitionSystem) -> Reduction:
        return to_automaton(system)

    def circuit(self, circuit: Circuit) -> Reduction:
        return chain(circuit, [circuit_to_system, to_automaton])

    def clauses(self, clauses: HornSystem) -> Reduction:
        raise UsageError("images are for automata, transition systems and circuits, not for Horn clauses")
