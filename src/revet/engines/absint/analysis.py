"""The fixpoint: a state for every location such that no edge leads out of the states.

Locations are visited in a weak topological order; a component is repeated until its head is stable
before anything after it is looked at. Heads widen, after a delay, to constants of the conditions in
their loop (thresholds) and then to infinity. Afterwards a few rounds downwards narrow what widening
overshot. The result is checked to be a post-fixpoint, so a narrowing that went wrong is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from revet.budget import Budget
from revet.engines.absint.backward import turned_around
from revet.engines.absint.congruences import Congruences
from revet.engines.absint.constants import Constants
from revet.engines.absint.domain import Domain, Number
from revet.engines.absint.intervals import Intervals
from revet.engines.absint.lattice import Lattice, Single
from revet.engines.absint.packs import packs
from revet.engines.absint.product import Product
from revet.engines.absint.relational import Octagonal
from revet.engines.absint.signs import Signs
from revet.engines.absint.states import is_number
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms
from revet.model.cfa import Cfa, Edge, Location
from revet.model.order import Order, weak_topological_order
from revet.model.statements import Assume, Block

DomainName = Literal["relational", "octagons", "product", "constants", "signs", "intervals", "congruences"]
DOMAINS: Mapping[str, type[Domain[Any]]] = {
    domain.name: domain for domain in (Product, Constants, Signs, Intervals, Congruences)
}
RELATIONAL: Mapping[str, type[Domain[Any]]] = {"relational": Product, "octagons": Intervals}
PATIENCE = 24  # a head that still moves after so many rounds widens without thresholds


@dataclass(frozen=True, eq=False)
class Analysis:
    """What is known at each location. ``states[l]`` is None if no run reaches ``l``."""

    cfa: Cfa
    lattice: Lattice[Any]
    states: Mapping[Location, Any]

    def value(self, location: Location, variable: Term) -> Any:
        """The abstract value of a variable (for example an ``Interval``); None: not reachable."""
        state = self.states[location]
        return None if state is None else self.lattice.value(state, variable)

    def formula(self, location: Location) -> Term:
        """What holds whenever a run is at the location."""
        return self.lattice.formula(self.states[location])

    def show(self, location: Location) -> str:
        return self.lattice.show(self.states[location])

    def report(self) -> str:
        """A line per location."""
        width = max(len(location.name) for location in self.cfa.locations)
        return "\n".join(f"{at.name:<{width}}  {self.show(at)}" for at in self.cfa.locations)


def analyse(
    cfa: Cfa,
    domain: DomainName = "relational",
    *,
    widening_delay: int = 2,
    narrowing: int = 2,
    thresholds: bool = True,
    budget: Budget | None = None,
    within: Mapping[Location, Any] | None = None,
    backward: bool = False,
    watch: Watch | None = None,
) -> Analysis:
    """Run the analysis; for engines that want invariants as well as for the engine ``absint``.

    ``backward``: from which states an error can be reached (:mod:`revet.engines.absint.backward`); with
    ``within`` only among these states, which must contain all that runs reach. ``watch`` is called with a
    title and the states after every round upwards, before narrowing and after it.
    """
    lattice = _lattice(cfa, domain, backward)
    iteration = _Iteration(
        turned_around(cfa) if backward else cfa, lattice, budget or Budget(), widening_delay, thresholds
    )
    iteration.within = within
    iteration.watch = watch or _nobody
    iteration.ascend()
    iteration.told("before narrowing")
    iteration.descend(narrowing)
    iteration.told("after narrowing")
    return Analysis(cfa, lattice, {at: iteration.states.get(at) for at in cfa.locations})


def _lattice(cfa: Cfa, domain: DomainName, backward: bool) -> Lattice[Any]:
    """Where no two variables occur together, octagons would have nothing to say."""
    if domain in DOMAINS:
        return Single(DOMAINS[domain](), backward)
    related, values = packs(cfa), RELATIONAL[domain]()
    return Octagonal(values, related, backward) if related else Single(values, backward)


Watch = Callable[[str, "Analysis"], None]


def _nobody(title: str, analysis: Analysis) -> None:
    pass


class _Iteration:
    def __init__(
        self, cfa: Cfa, lattice: Lattice[Any], budget: Budget, delay: int, use_thresholds: bool
    ) -> None:
        self.cfa = cfa
        self.lattice = lattice
        self.budget = budget
        self.delay = delay
        self.order = weak_topological_order(cfa)
        self.start = lattice.start(cfa.precondition)
        self.states: dict[Location, Any] = {}
        self.thresholds = _thresholds(cfa, self.order) if use_thresholds else {}
        # The state after an edge, with the state before it for which it was computed.
        self._posts: dict[Edge, tuple[Any, Any]] = {}
        self.within: Mapping[Location, Any] | None = None
        self.watch: Watch = _nobody
        self._round = 0

    def told(self, title: str) -> None:
        """Show the states as they are now."""
        if self.watch is not _nobody:
            known = {at: self.states.get(at) for at in self.cfa.locations}
            self.watch(title, Analysis(self.cfa, self.lattice, known))

    def incoming(self, location: Location) -> Any:
        """The join of what the edges bring, and of the start."""
        result = self.start if location is self.cfa.initial else None
        for edge in self.cfa.incoming[location]:
            result = self.lattice.join(result, self._post(edge))
        if self.within is not None and location in self.within:
            result = self.lattice.meet(result, self.within[location])
        return result

    def _post(self, edge: Edge) -> Any:
        before = self.states.get(edge.source)
        if before is None:
            return None
        known = self._posts.get(edge)
        if known is None or known[0] is not before:
            known = self._posts[edge] = (before, self.lattice.run(edge.statements, before))
        return known[1]

    def ascend(self) -> None:
        """Upwards until nothing moves."""
        order = self.order
        rounds = dict.fromkeys(order.last, 0)
        place = 0
        while place < len(order.locations):
            self.budget.poll()
            location = order.locations[place]
            new = self.incoming(location)
            old = self.states.get(location)
            if place in rounds:
                new = self._widened(place, rounds, old, new)
            if new != old:
                self.states[location] = new
            place = self._next(place)

    def _widened(
        self, place: int, rounds: dict[int, int], old: Any, new: Any
    ) -> Any:
        if old is None or new is None:
            return new
        rounds[place] += 1
        joined = self.lattice.join(old, new)
        if joined == old or rounds[place] <= self.delay or joined is None:
            return joined
        thresholds = self.thresholds.get(place, ()) if rounds[place] <= PATIENCE else ()
        return self.lattice.widen(old, joined, thresholds)

    def _next(self, place: int) -> int:
        """Back to the head of a component that ends here and is not stable, else onwards."""
        for head in self.order.ends.get(place, ()):
            location = self.order.locations[head]
            if not self.lattice.below(self.incoming(location), self.states.get(location)):
                self._round += 1
                self.told(f"round {self._round}, {location.name} again")
                return head
        return place + 1

    def descend(self, rounds: int) -> None:
        """Downwards a few rounds; kept only if the result is stable, as it should be."""
        kept = dict(self.states)
        for _ in range(rounds):
            moved = False
            for place, location in enumerate(self.order.locations):
                self.budget.poll()
                old, new = self.states.get(location), self.incoming(location)
                if old is None:
                    continue
                if new is not None and place in self.order.last:
                    new = self.lattice.narrow(old, new)
                if new != old:
                    self.states[location] = new
                    moved = True
            if not moved:
                break
        if not self._stable():
            self.states = kept

    def _stable(self) -> bool:
        return all(
            self.lattice.below(self.incoming(at), self.states.get(at)) for at in self.order.locations
        )


def _thresholds(cfa: Cfa, order: Order) -> dict[int, Sequence[Number]]:
    """For each head: the numbers in the conditions of its component, and their neighbours."""
    by_location = {at: _numbers(cfa.outgoing[at]) for at in order.locations}
    found: dict[int, Sequence[Number]] = {}
    for head, last in order.last.items():
        numbers: set[Number] = set()
        for place in range(head, last + 1):
            numbers |= by_location[order.locations[place]]
        found[head] = sorted(numbers)
    return found


def _numbers(edges: Iterable[Edge]) -> set[Number]:
    conditions = [
        statement.condition if isinstance(statement, Assume) else statement.relation.guard
        for edge in edges
        for statement in edge.statements
        if isinstance(statement, Assume | Block)
    ]
    constants = {n.payload for n in subterms(*conditions) if n.op == Op.CONST and is_number(n)}
    return {near for number in constants for near in (number - 1, number, number + 1)}
