"""All paths between two locations of an acyclic piece of program, as one relation.

The locations are visited in topological order. Each has

* an environment: for every variable assigned so far, its value as a term over the values at the
  head of the block and locals;
* a condition: the path taken goes through here (true for locations that all paths pass).

A value stays inline while it is small; a larger one gets a local with an equation, so that no
statement costs more than its own size and no term gets deep. Where two edges leave a location
under complementary assumptions the assumption itself decides; otherwise a free Boolean local, a
*choice*, does. Where paths meet, variables with different values become if-then-else terms over
the conditions of the edges. So everything but choices and drawn values is a function of the
state at the head, and the path taken can be read from a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from revet.errors import ModelError
from revet.logic.core import and_, conjunction, eq, implies, ite, not_, or_
from revet.logic.sorts import BOOL, Sort
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.values import Value, default_value
from revet.logic.walk import free_vars, substitute
from revet.model.cfa import Edge, Location
from revet.model.names import Fresh
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Block, Havoc

_INLINE = 12  # nodes, counted as a tree; not tuned (24 looked better in two single runs)

Environment = dict[Term, Term]


@dataclass(frozen=True, eq=False)
class Split:
    """How the path goes on from a location: the first edge if ``condition`` (the assumption it
    begins with) holds, else the second; or the first edge whose choice is true, else the last."""

    edges: tuple[Edge, ...]
    condition: Term | None = None
    choices: tuple[Term, ...] = ()


@dataclass(frozen=True, eq=False)
class Encoding:
    """A block's relation, and what is needed to find the run behind a model of it."""

    relation: Relation
    splits: Mapping[Location, Split]
    draws: Mapping[Edge, Sequence[Term]]
    _locals: frozenset[Term]

    def drawn(self, edge: Edge, given: Mapping[Term, Value]) -> list[Value]:
        """The values that the edge draws, in order."""
        return [self.value(local, given) for local in self.draws.get(edge, ())]

    def value(self, local: Term, given: Mapping[Term, Value]) -> Value:
        """A free local's value; any value is right for one that the relation does not mention."""
        if local not in self._locals:
            return default_value(local.sort)
        if local not in given:
            raise ModelError(f"the trace has no value for {local.name}")
        return given[local]


def encode(
    head: Location, target: Location, edges: Sequence[Edge], fresh: Fresh, *, with_updates: bool
) -> Encoding | None:
    """The relation of all paths from ``head`` to ``target``; None if it is plainly empty.

    ``edges`` are those on such paths, ordered so that the edges into a location (other than
    ``target``) come before the edges out of it. Without ``with_updates`` the relation only says
    whether ``target`` is reached.
    """
    return _Encoder(head, target, edges, fresh).encode(with_updates)


class _Encoder:
    def __init__(self, head: Location, target: Location, edges: Sequence[Edge], fresh: Fresh) -> None:
        self.head = head
        self.target = target
        self.fresh = fresh
        self.leaving: dict[Location, list[Edge]] = {}
        for edge in edges:
            self.leaving.setdefault(edge.source, []).append(edge)
        self.entering: dict[Location, int] = {}
        for edge in edges:
            self.entering[edge.target] = self.entering.get(edge.target, 0) + 1
        self.guards: list[Term] = []
        self.definitions: dict[Term, Term] = {}
        self.free: list[Term] = []  # drawn values and choices
        self.splits: dict[Location, Split] = {}
        self.draws: dict[Edge, list[Term]] = {}

    def encode(self, with_updates: bool) -> Encoding | None:
        arrived = self._walk()
        updates: dict[Term, Term] = {}
        if with_updates:
            _, environment = self._join(arrived)
            updates = {x: value for x, value in environment.items() if value is not x}
        relation = self._relation(updates)
        if relation.guard is FALSE:
            return None
        return Encoding(relation, self.splits, self.draws, frozenset(relation.locals))

    def _walk(self) -> list[tuple[Term, Environment]]:
        """Visit the locations in order; what arrives at the target."""
        pending: dict[Location, list[tuple[Term, Environment]]] = {self.head: [(TRUE, {})]}
        arrived: list[tuple[Term, Environment]] = []
        crossing = 0  # edges whose source was visited and whose target was not
        for location, leaving in self.leaving.items():
            incoming = pending.pop(location)
            condition, environment = self._join(incoming)
            if location is not self.head:
                if crossing == self.entering[location]:
                    condition = TRUE  # all paths meet here
                crossing -= self.entering[location]
            crossing += len(leaving)
            split, conditions = self._split(leaving, condition, environment)
            self.splits[location] = split
            for position, edge in enumerate(leaving):
                # the last edge may keep the environment, the others need their own
                mine = environment if position == len(leaving) - 1 else dict(environment)
                self._run(edge, conditions[position], mine, 0 if split.condition is None else 1)
                at = arrived if edge.target is self.target else pending.setdefault(edge.target, [])
                at.append((conditions[position], mine))
        return arrived

    def _split(
        self, edges: Sequence[Edge], condition: Term, environment: Environment
    ) -> tuple[Split, list[Term]]:
        """How to go on, and the condition of each edge."""
        if len(edges) == 1:
            return Split(tuple(edges)), [condition]
        if len(edges) == 2:
            first, second = (_assumption(edge) for edge in edges)
            if first is not None and second is not None and not_(first) is second:
                test = self._named(self._value(first, environment), "if")
                both = [and_(condition, test), and_(condition, not_(test))]
                return Split(tuple(edges), first), [self._named(c, "at") for c in both]
        choices = [self._free("choice", BOOL) for _ in edges[1:]]
        conditions = []
        for choice in choices:
            conditions.append(self._named(and_(condition, choice), "at"))
            condition = self._named(and_(condition, not_(choice)), "at")
        return Split(tuple(edges), None, tuple(choices)), [*conditions, condition]

    def _run(self, edge: Edge, condition: Term, environment: Environment, first: int) -> None:
        """Execute the edge's statements, from number ``first`` on, in the environment."""
        drawn = self.draws.setdefault(edge, [])
        for statement in edge.statements[first:]:
            match statement:
                case Assign(variable, value):
                    environment[variable] = self._named(self._value(value, environment), variable.name)
                case Assume(formula):
                    self._require(implies(condition, self._value(formula, environment)))
                case Havoc(variable):
                    environment[variable] = self._free(variable.name, variable.sort)
                    drawn.append(environment[variable])
                case Block(relation):
                    inner = {name: self._free(name.name, name.sort) for name in relation.locals}
                    drawn += inner.values()
                    before = {**environment, **inner}
                    self._require(implies(condition, self._value(relation.guard, before)))
                    for variable, value in relation.updates.items():
                        environment[variable] = self._named(self._value(value, before), variable.name)
        if not drawn:
            del self.draws[edge]

    def _join(self, incoming: list[tuple[Term, Environment]]) -> tuple[Term, Environment]:
        """Where paths meet: the condition, and the environment with different values merged."""
        condition, environment = incoming[-1]
        if len(incoming) == 1:
            return condition, environment
        others = incoming[:-1]
        # in order of first assignment; a variable may be assigned on some of the paths only
        for variable in dict.fromkeys(x for _, other in incoming for x in other):
            value = environment.get(variable, variable)
            merged = value
            for reached, other in others:
                theirs = other.get(variable, variable)
                if theirs is not value:
                    merged = self._named(ite(reached, theirs, merged), variable.name)
            environment[variable] = merged
        return self._named(or_(*(reached for reached, _ in incoming)), "at"), environment

    def _value(self, term: Term, environment: Mapping[Term, Term]) -> Term:
        occurring = free_vars(term)
        return substitute(term, {x: environment[x] for x in occurring if x in environment})

    def _require(self, formula: Term) -> None:
        if formula is not TRUE:
            self.guards.append(formula)

    def _free(self, stem: str, sort: Sort) -> Term:
        local = self.fresh(stem, sort)
        self.free.append(local)
        return local

    def _named(self, value: Term, stem: str) -> Term:
        """``value`` itself while it is small, else a local that equals it."""
        if not _exceeds(value, _INLINE):
            return value
        positive = value.args[0] if value.op == Op.NOT else value
        local = self.fresh(stem, positive.sort)
        self.definitions[local] = positive
        return local if positive is value else not_(local)

    def _relation(self, updates: Environment) -> Relation:
        """With only those definitions and locals that are used."""
        used: set[Term] = set()
        for term in (*self.guards, *updates.values()):
            used |= free_vars(term)
        equations: list[Term] = []
        defined: list[Term] = []
        for local, value in reversed(self.definitions.items()):
            if local in used:
                used |= free_vars(value)
                equations.append(eq(local, value))
                defined.append(local)
        guard = conjunction([*reversed(equations), *self.guards])
        locals_ = (*(local for local in self.free if local in used), *reversed(defined))
        return Relation(guard, updates, locals_)


def _assumption(edge: Edge) -> Term | None:
    """The assumption that the edge begins with."""
    if edge.statements and isinstance(edge.statements[0], Assume):
        return edge.statements[0].condition
    return None


def _exceeds(term: Term, limit: int) -> bool:
    """Has the term, spelt out as a tree, more than ``limit`` nodes?"""
    stack: list[Iterable[Term]] = [(term,)]
    count = 0
    while stack:
        for node in stack.pop():
            count += 1
            if count > limit:
                return True
            stack.append(node.args)
    return False
