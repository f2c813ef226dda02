"""Abstract reachability: unfold the automaton into a tree until everything is covered.

The loop is the lazy abstraction of Henzinger, Jhala, Majumdar, Sutre (POPL 2002) without its
refinement: take a step from an abstract state, compute the abstract state after it with the
precision of *its* location, cover it or go on from it, stop at an error.
"""

from __future__ import annotations

from collections import deque

from revet.engines.cegar import explicit
from revet.engines.cegar.diagram import any_of, order
from revet.engines.cegar.graph import Graph, Step
from revet.engines.cegar.options import Options
from revet.engines.cegar.precision import Precision
from revet.engines.cegar.predicates import PredicateAbstraction
from revet.engines.cegar.tree import Node, Region, Tree
from revet.engines.common.context import Context
from revet.events import Note
from revet.logic.core import and_, disjunction
from revet.logic.terms import FALSE, TRUE, Term
from revet.logic.values import Value
from revet.logic.walk import free_vars
from revet.model.cfa import Location

NAME = "cegar"


class Explorer:
    def __init__(
        self,
        graph: Graph,
        precision: Precision,
        abstraction: PredicateAbstraction,
        options: Options,
        context: Context,
    ) -> None:
        self.graph = graph
        self.precision = precision
        self.abstraction = abstraction
        self.tree = Tree(abstraction.entails)
        self._context = context
        self._with_values = options.domain != "predicates"
        self._max_values = options.max_values
        self._last_in_first_out = options.search == "depth"
        self._waiting: deque[tuple[Node, Step]] = deque()
        self._ticks = 0
        self._seen_values: dict[tuple[Location, Term], set[Value]] = {}
        self._start()

    def _start(self) -> None:
        start = self.graph.cfa.initial
        known = explicit.initial(self.graph.cfa.precondition, self.precision.tracked(start))
        region = self.abstraction.initial((), self.precision.predicates(start))
        if region is not None:
            self._add(Node(start, known, region, self.precision.stamp(start)))

    def explore(self) -> Node | None:
        """Go on until an error is reached (its node) or nothing is left to do (None)."""
        root = self.tree.root
        if root is not None and root.location in self.graph.errors:
            return root
        waiting = self._waiting
        while waiting:
            self._ticks += 1
            if self._ticks % 16 == 0:
                self._context.budget.poll()
            node, step = waiting.pop() if self._last_in_first_out else waiting.popleft()
            if node.removed or node.covered_by is not None:
                continue
            found = self._take(node, step)
            if found is not None and found.location in self.graph.errors:
                return found
        return None

    def _take(self, node: Node, step: Step) -> Node | None:
        values: dict[Term, Value] = {}
        if self._with_values:
            after = explicit.post(node.values, step, self.precision.tracked(step.target))
            if after is None:
                return None
            values = after
        predicates = self.precision.predicates(step.target)
        region: Region = ()
        if self._untouched(node, step, predicates):
            region = node.region
        elif predicates or node.region or self.precision.every_step:
            abstract = self.abstraction.post(node.values, node.region, step, predicates)
            if abstract is None:
                return None
            region = abstract
        stamp = self.precision.stamp(step.target)
        found = Node(step.target, values, region, stamp, node, step, node.depth + 1)
        self._add(found)
        return found

    def _untouched(self, node: Node, step: Step, predicates: list[Term]) -> bool:
        """Does the step leave alone whatever the predicates speak of? Then so does its image."""
        if self.precision.every_step or not node.region:
            return False
        before = self.precision.predicates(node.location)
        if predicates != before and not set(predicates) <= set(before):
            return False
        return not any(step.touched & free_vars(p) for p in (*node.region, *predicates))

    def _add(self, node: Node) -> None:
        self.tree.add(node)
        self._context.stats.counts["nodes"] += 1
        if node.covered_by is None:
            self._count_values(node)
            self._open(node)

    def _open(self, node: Node) -> None:
        steps = self.graph.leaving[node.location]
        # Depth first takes from the end: the first branch of the program is then taken first.
        self._waiting.extend((node, step) for step in (reversed(steps) if self._last_in_first_out else steps))

    def _count_values(self, node: Node) -> None:
        """A variable that takes value after value would unwind its loop: give it up."""
        for variable, value in node.values.items():
            if variable in self.graph.finite:
                continue
            seen = self._seen_values.setdefault((node.location, variable), set())
            seen.add(value)
            if len(seen) > self._max_values and variable in self.precision.candidates:
                self.precision.ban(variable)
                text = f"{variable.name} has too many values at {node.location}: not tracked any more"
                self._context.observe(Note(NAME, text))

    def cut(self, pivot: Node) -> None:
        """Explore again from ``pivot`` on: its state is computed anew, its subtree is dropped."""
        uncovered = self.tree.remove(pivot)
        if pivot.parent is None or pivot.step is None:
            self._waiting.clear()
            self._start()
        else:
            self._waiting.appendleft((pivot.parent, pivot.step))
            if self._last_in_first_out:
                self._waiting.rotate(-1)
        for node in uncovered:
            if not self.tree.settle(node):
                self._open(node)

    def invariants(self) -> dict[Location, Term]:
        """For each location, the disjunction of its abstract states."""
        found: dict[Location, _Groups] = {location: {} for location in self.graph.locations}
        for node in self.tree.nodes():
            if node.covered_by is None:
                group = found[node.location].setdefault((tuple(node.values), node.region), [])
                group.append(tuple(node.values.values()))
        states = [group for groups in found.values() for group in groups.items()]
        (variables, _), rows = max(states, key=lambda group: len(group[1]), default=(((), ()), []))
        rank = {x: number for number, x in enumerate(order(variables, rows))}
        states_here = {
            location: FALSE if location in self.graph.errors else _any_of(groups, rank)
            for location, groups in found.items()
        }
        return {**self.graph.aside, **states_here, **dict.fromkeys(self.graph.errors, FALSE)}


_Groups = dict[tuple[tuple[Term, ...], Region], list[tuple[Value, ...]]]
"""States by the variables whose value they know and by what the predicates say there."""


def _any_of(groups: _Groups, rank: dict[Term, int]) -> Term:
    """``rank``: the order of the variables in the diagrams, the same everywhere."""
    states = []
    for (variables, region), rows in groups.items():
        places = sorted(range(len(variables)), key=lambda n: (rank.get(variables[n], len(rank)), n))
        sorted_rows = [[row[n] for n in places] for row in rows]
        states.append(and_(any_of([variables[n] for n in places], sorted_rows), *region))
    return TRUE if TRUE in states else disjunction(states)
