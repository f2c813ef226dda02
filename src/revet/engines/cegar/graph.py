"""The automaton as the exploration sees it: straight pieces are single steps.

A location with one way in and one way out decides nothing; the statements around it become one
step, whose relation is their composition. What is known about variables *before* the exploration
is computed here, too: which of them are live where (a dead variable need not be tracked), and an
order of the locations in which a loop's body comes before what follows the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from revet.engines.cegar.compile import Function, compiled
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation, compose
from revet.transform.graph import depth_first, is_infeasible, live_edges, loop_heads, reach, successors

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
        return tuple(part for part in conjuncts(self.relation.guard) if part is not TRUE)

    @cached_property
    def tests(self) -> tuple[tuple[Term, Value, bool], ...]:
        """Conjuncts of the guard that compare a variable with a constant: is it equal or not?"""
        return tuple(filter(None, map(_test, self.guards)))

    @cached_property
    def others(self) -> tuple[tuple[Term, Function], ...]:
        """The other conjuncts, each with a function that evaluates it."""
        return tuple((part, compiled(part)) for part in self.guards if _test(part) is None)

    @cached_property
    def moves(self) -> dict[Term, Function]:
        """For each assigned variable a function that computes its new value."""
        return {x: compiled(value) for x, value in self.relation.updates.items()}

    @cached_property
    def touched(self) -> frozenset[Term]:
        """The variables that the step assigns or its guard speaks of."""
        return free_vars(self.relation.guard).union(self.relation.updates)

    def __str__(self) -> str:
        return "; ".join(str(edge) for edge in self.edges)


def equation(literal: Term) -> tuple[Term, Value] | None:
    """``x = c``, and Boolean variables as they are."""
    if literal.op == Op.VAR:
        return literal, True
    if literal.op == Op.NOT and literal.args[0].op == Op.VAR:
        return literal.args[0], False
    if literal.op == Op.EQ:
        left, right = literal.args
        if left.op == Op.VAR and right.op == Op.CONST:
            return left, right.value
        if right.op == Op.VAR and left.op == Op.CONST:
            return right, left.value
    return None


def _test(part: Term) -> tuple[Term, Value, bool] | None:
    same = equation(part)
    other = equation(part.args[0]) if same is None and part.op == Op.NOT else None
    found = same or other
    if found is None or found[0].sort not in (INT, BOOL):
        return None
    return *found, same is not None


class Graph:
    """Steps between the locations that matter; only those that lie on a way to an error.

    ``whole``: all of them, edge by edge, for one who wants to follow what is done.
    """

    def __init__(self, cfa: Cfa, whole: bool = False) -> None:
        self.cfa = cfa
        self.errors = frozenset(cfa.errors)
        edges = [edge for edge in cfa.edges if not is_infeasible(edge)] if whole else live_edges(cfa)
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

    @cached_property
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
        return depth_first(
            [self.cfa.initial], lambda x: ((step, step.target) for step in self.leaving[x])
        )[1]

    @cached_property
    def heads(self) -> frozenset[Location]:
        """Locations that cut every cycle."""
        single = {
            location: [Edge(location, step.target) for step in steps]
            for location, steps in self.leaving.items()
        }
        return frozenset(loop_heads(self.cfa.initial, single))

    @cached_property
    def finite(self) -> frozenset[Term]:
        """Variables that only get constants and copies of such variables: few values each."""
        sources: dict[Term, set[Term]] = {}
        found = set(self.cfa.variables)
        for step in self.steps:
            for variable, value in step.relation.updates.items():
                leaves = _leaves(value)
                if leaves is None:
                    found.discard(variable)
                else:
                    sources.setdefault(variable, set()).update(leaves)
        changed = True
        while changed:
            infinite = [x for x in found if not sources.get(x, set()) <= found]
            found.difference_update(infinite)
            changed = bool(infinite)
        return frozenset(found)

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


def _leaves(value: Term) -> set[Term] | None:
    """The variables that a value is a copy of, through conditions; None if it is computed."""
    leaves: set[Term] = set()
    if value.sort is BOOL:
        return leaves
    stack = [value]
    while stack:
        node = stack.pop()
        if node.op == Op.ITE:
            stack.extend(node.args[1:])
        elif node.op == Op.VAR:
            leaves.add(node)
        elif node.op != Op.CONST:
            return None
    return leaves
