"""The automaton as the exploration sees it: straight pieces are single steps.

A location with one way in and one way out decides nothing; the statements around it become one
step, whose relation is their composition. What is known about variables *before* the exploration
is computed here, too: which of them are live where (a dead variable need not be tracked), and an
order of the locations in which a loop's body comes before what follows the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.walk import conjuncts, free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation, compose
from revet.transform.graph import is_infeasible, live_edges, loop_heads, reach, successors

_LONGEST = 40  # statements in a step: compositions of more grow too large to evaluate at once


@dataclass(frozen=True, eq=False)
class Step:
    """``edges`` one after the other, as one relation."""

    source: Location
    target: Location
    edges: tuple[Edge, ...]
    relation: Relation

    @cached_property
    def guards(self) -> tuple[Term, ...]:
        return tuple(conjuncts(self.relation.guard))

    def __str__(self) -> str:
        return "; ".join(str(edge) for edge in self.edges)


class Graph:
    """Steps between the locations that matter; only those that lie on a way to an error.

    ``whole``: all of them, edge by edge, for one who wants to follow what is done.
    """

    def __init__(self, cfa: Cfa, whole: bool = False) -> None:
        self.cfa = cfa
        self.errors = frozenset(cfa.errors)
        edges = list(cfa.edges) if whole else live_edges(cfa)
        leaving = successors(edges)
        entering: dict[Location, int] = {}
        for edge in edges:
            entering[edge.target] = entering.get(edge.target, 0) + 1
        inner = {
            location
            for location, found in leaving.items()
            if not whole and len(found) == 1 and entering.get(location) == 1
            and location is not cfa.initial and location not in self.errors
        }
        self.leaving: dict[Location, list[Step]] = {}
        todo, seen = [cfa.initial], {cfa.initial}
        while todo:
            location = todo.pop()
            self.leaving[location] = []
            for edge in leaving.get(location, ()) if location not in self.errors else ():
                step = self._piece(edge, inner, leaving)
                self.leaving[location].append(step)
                if step.target not in seen:
                    seen.add(step.target)
                    todo.append(step.target)
        self.locations = [location for location in cfa.locations if location in seen]
        self._crossed = inner

    def _piece(
        self, edge: Edge, inner: set[Location], leaving: dict[Location, list[Edge]]
    ) -> Step:
        """The step that begins with the edge."""
        edges, relation = [edge], self.cfa.relation(edge)
        while edges[-1].target in inner and len(edges) < _LONGEST:
            after = leaving[edges[-1].target][0]
            edges.append(after)
            relation = compose(relation, self.cfa.relation(after))
        return Step(edge.source, edges[-1].target, tuple(edges), relation)

    @property
    def steps(self) -> list[Step]:
        return [step for location in self.locations for step in self.leaving[location]]

    @cached_property
    def aside(self) -> dict[Location, Term]:
        """What holds at locations that were left out: nothing is known of dead ends, and there is
        no way to the others. In the automaton before large-block encoding they may look alive."""
        outgoing = self.cfa.outgoing

        def leaving(location: Location) -> list[Edge]:
            return [] if location in self.errors else [e for e in outgoing[location] if not is_infeasible(e)]

        reached = reach([self.cfa.initial], leaving, lambda edge: edge.target)
        known = self._crossed.union(self.locations)
        return {x: TRUE if x in reached else FALSE for x in self.cfa.locations if x not in known}

    @cached_property
    def order(self) -> dict[Location, int]:
        """Reverse postorder of a depth-first search."""
        finished: list[Location] = []
        seen = {self.cfa.initial}
        stack = [(self.cfa.initial, iter(self.leaving[self.cfa.initial]))]
        while stack:
            location, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                finished.append(location)
                stack.pop()
            elif step.target not in seen:
                seen.add(step.target)
                stack.append((step.target, iter(self.leaving[step.target])))
        return {location: number for number, location in enumerate(reversed(finished))}

    @cached_property
    def heads(self) -> frozenset[Location]:
        """Locations that cut every cycle."""
        single = {
            location: [Edge(location, step.target) for step in steps]
            for location, steps in self.leaving.items()
        }
        return frozenset(loop_heads(self.cfa.initial, single))

    @cached_property
    def live(self) -> dict[Location, frozenset[Term]]:
        """The variables whose value at a location may decide how a run goes on.

        A set of variables is an integer, one bit a variable: programs have thousands of locations.
        """
        bit = {x: 1 << number for number, x in enumerate(self.cfa.variables)}

        def mask(term: Term) -> int:
            return sum(bit[x] for x in free_vars(term) if x in bit)

        uses = {
            step: (
                mask(step.relation.guard),
                [(bit[x], mask(value)) for x, value in step.relation.updates.items()],
                ~sum(bit[x] for x in step.relation.updates),
            )
            for step in self.steps
        }
        backwards = sorted(self.locations, key=lambda location: -self.order[location])
        live = dict.fromkeys(self.locations, 0)
        changed = True
        while changed:
            changed = False
            for location in backwards:
                found = live[location]
                for step in self.leaving[location]:
                    guard, updates, kept = uses[step]
                    after = live[step.target]
                    found |= guard | (after & kept)
                    for variable, value in updates:
                        if after & variable:
                            found |= value
                if found != live[location]:
                    live[location] = found
                    changed = True
        return {
            location: frozenset(x for x in self.cfa.variables if bit[x] & found)
            for location, found in live.items()
        }
