"""Random small models, and what explicit-state search says of them.

Variables are Booleans and integers in ``0 … TOP``; every assignment is clamped to that range, so
that all runs stay in a finite space and enumeration is exact. Values drawn by havoc (and by
inputs) are Booleans or any integer: models clamp them before use, and the search draws from
``0 … TOP`` only, which reaches the same states.

* :func:`random_cfa`, :func:`random_system`: by seed, reproducible; good for loops over seeds.
* :func:`cfas`, :func:`systems`: the same as hypothesis strategies (they draw the seed).
* :func:`search_cfa`, :func:`search_system`: breadth-first; gives a shortest run to a violation, with
  all values, and the set of reachable states.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from hypothesis import strategies as st

from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.execute import Stuck, draws, execute
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Havoc, Statement
from revet.model.system import TransitionSystem
from revet.result import CfaTrace, SystemTrace

TOP = 3

X, Y = b.var("x", INT), b.var("y", INT)
P, Q = b.var("p", BOOL), b.var("q", BOOL)


def domain(variable: Term) -> list[Any]:
    return [False, True] if variable.sort is BOOL else list(range(TOP + 1))


def clamp(term: Term) -> Term:
    """A number into ``0 … TOP``."""
    return b.ite(b.lt(term, b.integer(0)), b.integer(0), b.ite(term > TOP, b.integer(TOP), term))


class Terms:
    """Random terms over some variables."""

    def __init__(self, rng: random.Random, variables: Iterable[Term]) -> None:
        self.rng = rng
        self.numbers = [v for v in variables if v.sort is INT]
        self.booleans = [v for v in variables if v.sort is BOOL]

    def number(self, depth: int = 2) -> Term:
        roll = self.rng.random()
        if depth == 0 or roll < 0.35 or not self.numbers:
            if self.numbers and self.rng.random() < 0.7:
                return self.rng.choice(self.numbers)
            return b.integer(self.rng.randint(0, TOP))
        left, right = self.number(depth - 1), self.number(depth - 1)
        if roll < 0.6:
            return left + right
        if roll < 0.75:
            return left - right
        if roll < 0.85:
            return b.mod(left, b.integer(self.rng.randint(2, 3)))
        return b.ite(self.formula(depth - 1), left, right)

    def formula(self, depth: int = 2) -> Term:
        roll = self.rng.random()
        if depth == 0 or roll < 0.5:
            if self.booleans and (not self.numbers or self.rng.random() < 0.4):
                literal = self.rng.choice(self.booleans)
                return literal if self.rng.random() < 0.5 else b.not_(literal)
            left, right = self.number(1), self.number(1)
            return self.rng.choice([b.le, b.lt, b.eq])(left, right)
        if roll < 0.6:
            return b.not_(self.formula(depth - 1))
        make = self.rng.choice([b.and_, b.or_, b.iff])
        return make(self.formula(depth - 1), self.formula(depth - 1))

    def value(self, variable: Term) -> Term:
        return self.formula() if variable.sort is BOOL else clamp(self.number())


def random_cfa(seed: int, *, locations: int = 7, variables: tuple[Term, ...] = (X, Y, P)) -> Cfa:
    """A connected automaton with loops, branches, joins, skips, dead ends, and one or two errors."""
    rng = random.Random(seed)
    terms = Terms(rng, variables)
    count = rng.randint(2, locations)
    places = [Location(f"L{number}") for number in range(count)]
    errors = [Location(f"E{number}") for number in range(rng.choice([1, 1, 1, 2]))]
    edges: list[Edge] = []

    def statements() -> list[Statement]:
        found: list[Statement] = []
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
            variable = rng.choice(variables)
            roll = rng.random()
            if roll < 0.6:
                found.append(Assign(variable, terms.value(variable)))
            elif roll < 0.8:
                found.append(Assume(terms.formula()))
            else:
                found.append(Havoc(variable))
                if variable.sort is INT:
                    found.append(Assign(variable, clamp(variable)))
        return found

    def connect(source: Location, target: Location, *first: Statement) -> None:
        edges.append(Edge(source, target, (*first, *statements())))

    for number, place in enumerate(places):
        onward = places[rng.randint(number + 1, count - 1)] if number + 1 < count else rng.choice(errors)
        other = rng.choice([*places, *errors]) if rng.random() < 0.7 else rng.choice(places)
        if rng.random() < 0.5:  # an if: complementary assumptions
            condition = terms.formula()
            connect(place, onward, Assume(condition))
            connect(place, other, Assume(b.not_(condition)))
        else:
            connect(place, onward)
            for _ in range(rng.choice([0, 0, 1, 2])):
                connect(place, rng.choice([other, *places]))
    inside = [b.and_(x >= 0, x <= TOP) for x in variables if x.sort is INT]
    fixed = [x.eq(rng.choice(domain(x))) for x in variables if rng.random() < 0.6]
    return Cfa(
        variables, (*places, *errors), tuple(edges), places[0], tuple(errors),
        b.and_(*inside, *fixed), f"random-cfa-{seed}",
    )


def random_system(seed: int, *, variables: tuple[Term, ...] = (X, Y, P)) -> TransitionSystem:
    """Guarded updates with inputs, sometimes invariants; one or two properties."""
    rng = random.Random(seed)
    inputs = tuple(
        i for i in (b.var("i", BOOL), b.var("n", INT)) if rng.random() < 0.5
    )
    state, both = Terms(rng, variables), Terms(rng, (*variables, *inputs))
    updates = {x: both.value(x) for x in variables if rng.random() < 0.9}
    guard = both.formula() if rng.random() < 0.4 else b.TRUE
    inside = [b.and_(x >= 0, x <= TOP) for x in (*variables, *inputs) if x.sort is INT]
    guard = b.and_(guard, *(f for f in inside if not free_vars(f) <= set(variables)))
    init = b.and_(
        *(f for f in inside if free_vars(f) <= set(variables)),
        *(x.eq(rng.choice(domain(x))) for x in variables if rng.random() < 0.7),
    )

    def goal() -> Term:
        corner = b.and_(*(x.eq(rng.choice(domain(x))) for x in variables))
        return b.not_(corner) if rng.random() < 0.5 else b.or_(state.formula(), state.formula())

    properties = {f"p{number}": goal() for number in range(rng.choice([1, 1, 2]))}
    invariants = (b.or_(state.formula(), state.formula()),) if rng.random() < 0.2 else ()
    step = Relation(guard, {x: value for x, value in updates.items() if value is not x}, inputs)
    return TransitionSystem(variables, init, step, properties, invariants, f"random-system-{seed}")


def seeds() -> st.SearchStrategy[int]:
    return st.integers(min_value=0, max_value=2**32 - 1)


def cfas() -> st.SearchStrategy[Cfa]:
    return seeds().map(random_cfa)


def systems() -> st.SearchStrategy[TransitionSystem]:
    return seeds().map(random_system)


@dataclass
class Search:
    """What explicit-state search found.

    ``depth``: steps of a shortest run to a violation, None if there is none; ``trace``: such a run;
    ``states``: everything reachable, in layers flattened (for an automaton, with the location).
    """

    depth: int | None = None
    trace: Any = None
    states: list[Any] = field(default_factory=list)

    @property
    def safe(self) -> bool:
        return self.depth is None


@dataclass(frozen=True, eq=False)
class _Node:
    """A state, and how the search came to it."""

    state: dict[Term, Any]
    location: Location | None = None
    parent: _Node | None = None
    edge: Edge | None = None
    drawn: Any = ()

    def run(self) -> list[_Node]:
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


def valuations(variables: Iterable[Term]) -> Iterator[dict[Term, Any]]:
    """All valuations over the small domains."""
    names = list(variables)
    for chosen in product(*(domain(x) for x in names)):
        yield dict(zip(names, chosen, strict=True))


def search_cfa(cfa: Cfa) -> Search:
    """Breadth-first over (location, valuation); errors are not left again."""
    found = Search()
    errors = set(cfa.errors)
    layer = [
        _Node(state, cfa.initial) for state in valuations(cfa.variables) if Evaluator(state)(cfa.precondition)
    ]
    seen = {(cfa.initial, *node.state.values()) for node in layer}
    while layer:
        found.states += [(node.location, node.state) for node in layer]
        following = []
        for node in layer:
            if node.location in errors:
                if found.depth is None:
                    found.trace = _cfa_trace(cfa, node.run())
                    found.depth = len(found.trace)
                continue
            for edge in cfa.outgoing[node.location]:
                for after, drawn in steps(edge, node.state):
                    key = (edge.target, *(after[x] for x in cfa.variables))
                    if key not in seen:
                        seen.add(key)
                        following.append(_Node(after, edge.target, node, edge, drawn))
        layer = following
    return found


def _cfa_trace(cfa: Cfa, run: list[_Node]) -> CfaTrace:
    return CfaTrace(
        tuple(node.location for node in run),
        tuple(node.state for node in run),
        tuple(node.edge for node in run[1:]),
        tuple(dict(zip(cfa.relation(n.edge).locals, n.drawn, strict=True)) for n in run[1:]),
    )


def steps(edge: Edge, state: dict[Term, Any]) -> Iterator[tuple[dict[Term, Any], Any]]:
    """The states after an edge, each with the values drawn."""
    for drawn in product(*(domain(x) for x in draws(edge.statements))):
        try:
            yield execute(edge.statements, state, drawn), drawn
        except Stuck:
            continue


def search_system(system: TransitionSystem) -> Search:
    found = Search()
    init = b.and_(system.init, system.invariant)
    layer = [_Node(state) for state in valuations(system.variables) if Evaluator(state)(init)]
    seen = {tuple(node.state.values()) for node in layer}
    while layer:
        found.states += [node.state for node in layer]
        following = []
        for node in layer:
            evaluator = Evaluator(node.state)
            for name, formula in system.properties.items():
                if found.depth is None and not evaluator(formula):
                    run = node.run()
                    inputs = tuple(n.drawn for n in run[1:])
                    found.trace = SystemTrace(tuple(n.state for n in run), inputs, name)
                    found.depth = len(found.trace)
            for after, drawn in system_steps(system, node.state):
                key = tuple(after[x] for x in system.variables)
                if key not in seen:
                    seen.add(key)
                    following.append(_Node(after, None, node, None, drawn))
        layer = following
    return found


def system_steps(system: TransitionSystem, state: dict[Term, Any]) -> Iterator[tuple[dict[Term, Any], Any]]:
    """The states after one step, each with the inputs; invariants of the next state included."""
    for chosen in valuations(system.inputs):
        evaluator = Evaluator({**state, **chosen})
        if evaluator(system.step.guard):
            after = {x: evaluator(system.step.after(x)) for x in system.variables}
            if Evaluator(after)(system.invariant):
                yield after, chosen
