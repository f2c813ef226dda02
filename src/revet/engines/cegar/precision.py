"""Precision: at each location, which predicates and which variables an abstract state speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revet.engines.cegar.explicit import trackable
from revet.engines.cegar.graph import Graph
from revet.engines.cegar.options import Options
from revet.engines.cegar.tree import Stamp
from revet.logic.terms import Term
from revet.model.cfa import Location


class Precision:
    """Grows by refinement only; :meth:`ban` takes a variable out for good."""

    def __init__(
        self, graph: Graph, options: Options, given: Sequence[Term], every_step: bool
    ) -> None:
        """``every_step``: ask the solver about every step, also where no predicate is tracked."""
        self.every_step = every_step
        self._graph = graph
        self._values = options.domain != "predicates"
        self._global = options.sharing == "global"
        self._given = dict.fromkeys(given)
        self._predicates: dict[Location, dict[Term, None]] = {}
        self._everywhere: set[Term] = set()
        self._tracked: dict[Location, set[Term]] = {}
        self._banned: set[Term] = set()
        self._cache: dict[Location, tuple[Term, ...]] = {}

    def stamp(self, location: Location) -> Stamp:
        """Tells an abstract state of this location that was computed with less precision."""
        return self.tracked(location), len(self._predicates.get(location, ())), self.every_step

    # ------------------------------------------------------------------ predicates

    def predicates(self, location: Location) -> list[Term]:
        """None are needed at an error: there only *whether* counts."""
        if location in self._graph.errors:
            return []
        return [*self._given, *self._predicates.get(location, ())]

    def add_predicates(self, location: Location, found: Iterable[Term]) -> list[Term]:
        """Those of the predicates that are new there."""
        here = self._predicates.setdefault(location, {})
        new = [p for p in dict.fromkeys(found) if p not in here and p not in self._given]
        here.update(dict.fromkeys(new))
        return new

    # ------------------------------------------------------------------ variables

    @property
    def candidates(self) -> frozenset[Term]:
        """The variables that may be tracked."""
        return trackable(x for x in self._graph.cfa.variables if x not in self._banned)

    def tracked(self, location: Location) -> tuple[Term, ...]:
        """In a fixed order."""
        found = self._cache.get(location)
        if found is None:
            wanted = self._everywhere | self._tracked.get(location, set())
            live = wanted & self._graph.live[location]
            found = self._cache[location] = tuple(sorted(live, key=lambda x: x.id))
        return found

    def track(self, locations: Iterable[Location], variables: frozenset[Term]) -> None:
        """Track variables on a path from now on."""
        if self._global:
            self._everywhere |= variables
        else:
            for location in locations:
                self._tracked.setdefault(location, set()).update(variables)
        self._cache.clear()

    def ban(self, variable: Term) -> None:
        self._banned.add(variable)
        self._everywhere.discard(variable)
        for here in self._tracked.values():
            here.discard(variable)
        self._cache.clear()

    @property
    def variables(self) -> frozenset[Term]:
        """All that are tracked somewhere."""
        return frozenset(self._everywhere).union(*self._tracked.values())
