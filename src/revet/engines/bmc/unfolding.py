"""The formula of all runs of length k, built depth by depth.

A :class:`Node` is a location at a depth. Its Boolean ``reached`` *implies* that a run leads
to it (backward: from it to an error): ``reached`` implies that one of its ``steps`` is taken, a
step taken implies its guard, its assignments and that the node before it is reached. Nothing
is said in the other direction, so a model in which ``reached`` is true contains a run, which
``traces.py`` reads off step by step, and asking for another node is only another assumption.

Versions of variables: a node's ``versions`` map each variable to a term. A variable that no step
changes keeps the version of the node before; where several steps bring different versions
together the node gets a new one, which each step equates with its own under its Boolean. Going
forward, an assigned constant or variable *is* the new version and no symbol is made for it: guards
over constants fold while they are instantiated, which is how ``i := 0; while (i < 10) …`` unwinds
without queries. Nodes that are reached unconditionally have ``reached`` = true.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

from revet.engines.bmc.relevance import relevant_locations
from revet.engines.bmc.steps import Instances, instantiate, stand_in
from revet.logic.arrays import compact
from revet.logic.core import and_, disjunction, eq, implies, not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import Memo, conjuncts, constants
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import at
from revet.smt import Solver


@dataclass(eq=False, slots=True)
class Node:
    """A location at a depth; see the module's text. ``feasible``: surely on some run."""

    location: Location
    versions: Mapping[Term, Term]
    reached: Term
    steps: tuple[Step, ...] = ()
    feasible: bool = False


@dataclass(eq=False, slots=True)
class Step:
    """One edge between ``neighbour`` (one step nearer to where the unfolding began) and a node."""

    edge: Edge
    neighbour: Node
    inputs: Mapping[Term, Term]  # the locals of the edge's relation → their copies
    guard: Term
    meaning: Term  # what ``taken`` implies
    free: bool  # can be taken from every state of the neighbour
    values: dict[Term, Term] = field(default_factory=dict)
    taken: Term = TRUE


class Unfolding(ABC):
    """Nodes of the current depth (``frontier``), and the assertions that give them meaning."""

    def __init__(self, cfa: Cfa, solver: Solver, versioning: bool) -> None:
        self.cfa = cfa
        self.instances = Instances(cfa)
        self.solver = solver
        self.versioning = versioning
        self.errors = frozenset(cfa.errors)
        self.relevant = relevant_locations(cfa)
        self.frontier: list[Node] = []
        self._numbers = count()

    @abstractmethod
    def goal(self) -> Term:
        """A formula: some run of exactly the current depth goes wrong."""

    @abstractmethod
    def goal_node(self, holds: Callable[[Term], bool]) -> Node:
        """After the goal was satisfied: the node at the far end of the faulty run."""

    @abstractmethod
    def refuted(self) -> None:
        """The goal was refuted: forget what it was made of."""

    @abstractmethod
    def advance(self) -> None:
        """Go to the next depth."""

    def drop(self, nodes: list[Node]) -> None:
        """These were refuted."""
        gone = set(nodes)
        self.frontier = [node for node in self.frontier if node not in gone]
        for node in nodes:
            self.solver.add(not_(node.reached))

    def _version(self, variable: Term) -> Term:
        return at(variable, next(self._numbers))

    def _assert(self, formulas: Iterable[Term]) -> None:
        for formula in formulas:
            self.solver.add(formula)

    def _literal(self, meaning: Term) -> Term:
        """A Boolean that implies ``meaning`` (true and variables stand for themselves)."""
        if meaning is TRUE or meaning.op == Op.VAR:
            return meaning
        literal = var(f"reach!{next(self._numbers)}", BOOL)
        for part in conjuncts(meaning):
            self.solver.add(implies(literal, part))
        return literal

    def _node(self, location: Location, versions: dict[Term, Term], steps: list[Step]) -> Node:
        """The node for steps whose ``meaning`` is complete."""
        for step in steps:
            step.taken = self._literal(step.meaning)
        if len(steps) == 1:
            reached = steps[0].taken
        else:
            reached = var(f"reach!{next(self._numbers)}", BOOL)
            self.solver.add(implies(reached, disjunction(step.taken for step in steps)))
        feasible = any(step.neighbour.feasible and step.free for step in steps)
        return Node(location, versions, reached, tuple(steps), feasible)


class Forward(Unfolding):
    """From the initial location."""

    def __init__(self, cfa: Cfa, solver: Solver, versioning: bool) -> None:
        super().__init__(cfa, solver, versioning)
        if cfa.initial in self.relevant:
            versions = {x: self._version(x) for x in cfa.variables}
            if versioning:
                versions.update(constants(cfa.precondition))
            start = instantiate(cfa.precondition, dict(versions))
            solver.add(start)
            self.frontier = [Node(cfa.initial, versions, TRUE, feasible=start is TRUE)]

    def goal(self) -> Term:
        return disjunction(node.reached for node in self.frontier if node.location in self.errors)

    def goal_node(self, holds: Callable[[Term], bool]) -> Node:
        return next(
            node for node in self.frontier if node.location in self.errors and holds(node.reached)
        )

    def refuted(self) -> None:
        self.drop([node for node in self.frontier if node.location in self.errors])

    def advance(self) -> None:
        arriving: dict[Location, list[Step]] = {}
        for node in self.frontier:
            memo = dict(node.versions)
            for edge in self.cfa.outgoing[node.location]:
                if edge.target in self.relevant:
                    step = self._step(node, edge, memo)
                    if step.guard is not FALSE:
                        arriving.setdefault(edge.target, []).append(step)
        self.frontier = [
            self._single(location, steps[0]) if len(steps) == 1 else self._merge(location, steps)
            for location, steps in arriving.items()
        ]

    def _step(self, node: Node, edge: Edge, memo: Memo) -> Step:
        """``memo`` is shared by the edges of a node; their locals differ."""
        instance = self.instances.instance(edge, memo, self._version)
        guard = instance.guard
        step = Step(edge, node, instance.inputs, guard, and_(node.reached, guard), guard is TRUE)
        if guard is not FALSE:
            updates = self.cfa.relation(edge).updates
            step.values = {x: compact(instantiate(value, memo)) for x, value in updates.items()}
            self._assert(instance.definitions)
        return step

    def _single(self, location: Location, step: Step) -> Node:
        versions = dict(step.neighbour.versions)
        for x, value in step.values.items():
            if self.versioning:
                equations: list[Term] = []
                versions[x] = stand_in(x, value, self._version, equations)
                self._assert(equations)
            else:
                versions[x] = self._version(x)
                self.solver.add(eq(versions[x], value))
        if not self.versioning:
            for x in self.cfa.variables:
                if x not in step.values:
                    versions[x] = self._version(x)
                    self.solver.add(eq(versions[x], step.neighbour.versions[x]))
        return self._node(location, versions, [step])

    def _merge(self, location: Location, steps: list[Step]) -> Node:
        versions = {}
        equations: list[list[Term]] = [[] for _ in steps]
        for x in self.cfa.variables:
            arriving = [step.values.get(x, step.neighbour.versions[x]) for step in steps]
            first = arriving[0]
            if self.versioning and all(value is first for value in arriving):
                versions[x] = first
                continue
            versions[x] = self._version(x)
            for parts, value in zip(equations, arriving, strict=True):
                parts.append(eq(versions[x], value))
        for step, parts in zip(steps, equations, strict=True):
            step.meaning = and_(step.meaning, *parts)
        return self._node(location, versions, steps)


class Backward(Unfolding):
    """From the error locations: a node is reached if a run leads from it to an error."""

    def __init__(self, cfa: Cfa, solver: Solver, versioning: bool) -> None:
        super().__init__(cfa, solver, versioning)
        self.frontier = [
            Node(location, {x: self._version(x) for x in cfa.variables}, TRUE, feasible=True)
            for location in dict.fromkeys(cfa.errors)
            if location in self.relevant
        ]

    def _initial(self) -> Node | None:
        return next((node for node in self.frontier if node.location is self.cfa.initial), None)

    def goal(self) -> Term:
        node = self._initial()
        if node is None:
            return FALSE
        return and_(node.reached, instantiate(self.cfa.precondition, dict(node.versions)))

    def goal_node(self, holds: Callable[[Term], bool]) -> Node:
        node = self._initial()
        assert node is not None and holds(node.reached)
        return node

    def refuted(self) -> None:
        pass  # a longer run may pass through the initial location, so its node stays

    def advance(self) -> None:
        leaving: dict[Location, list[tuple[Edge, Node]]] = {}
        for node in self.frontier:
            for edge in self.cfa.incoming[node.location]:
                if edge.source in self.relevant and edge.source not in self.errors:
                    leaving.setdefault(edge.source, []).append((edge, node))
        nodes = (self._merge(location, steps) for location, steps in leaving.items())
        self.frontier = [node for node in nodes if node.steps]

    def _merge(self, location: Location, leaving: list[tuple[Edge, Node]]) -> Node:
        changed = {x for edge, _ in leaving for x in self.cfa.relation(edge).updates}
        first = leaving[0][1].versions
        versions = {}
        for x in self.cfa.variables:
            shared = self.versioning and x not in changed
            if shared and all(after.versions[x] is first[x] for _, after in leaving):
                versions[x] = first[x]
            else:
                versions[x] = self._version(x)
        memo = dict(versions)
        steps = [self._step(edge, after, memo, versions) for edge, after in leaving]
        return self._node(location, versions, [step for step in steps if step.guard is not FALSE])

    def _step(self, edge: Edge, after: Node, memo: Memo, versions: Mapping[Term, Term]) -> Step:
        relation = self.cfa.relation(edge)
        instance = self.instances.instance(edge, memo, self._version)
        equations = [
            eq(after.versions[x], instantiate(relation.after(x), memo))
            for x in self.cfa.variables
            if x in relation.updates or after.versions[x] is not versions[x]
        ]
        guard = and_(instance.guard, *equations)
        if guard is not FALSE:
            self._assert(instance.definitions)
        return Step(edge, after, instance.inputs, guard, and_(after.reached, guard), guard is TRUE)
