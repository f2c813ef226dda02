"""Random automata over a tiny domain, and their runs by explicit enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from revet.engines.bmc.relevance import relevant_locations
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Block, Havoc, Statement

DOMAIN = 3
State = tuple[object, ...]
Configuration = tuple[Location, State]


def random_automaton(seed: int) -> Cfa:
    """Two integers in ``range(DOMAIN)`` and a Boolean; edges keep them in their range."""
    random = Random(seed)
    variables = (b.var("x", INT), b.var("y", INT), b.var("p", BOOL))
    locations = tuple(Location(f"q{n}") for n in range(random.randint(3, 6)))
    edges = []
    for source in locations[:-1] if random.random() < 0.8 else locations:
        for _ in range(random.choice((1, 1, 2, 2, 3))):
            target = random.choice(locations)
            # few ways into the error, so that not every automaton is unsafe at once
            statements: list[Statement] = []
            if target is locations[-1]:
                statements += (Assume(_condition(random, variables)) for _ in range(3))
            for _ in range(random.randint(0, 2)):
                statements += _statement(random, variables)
            edges.append(Edge(source, target, tuple(statements)))
    bounds = b.conjunction(_in_range(v) for v in variables[:2])
    start = random.choice((b.TRUE, variables[0].eq(0), _condition(random, variables)))
    errors = (locations[-1],) if random.random() < 0.8 else (locations[-1], random.choice(locations[1:-1]))
    return Cfa(variables, locations, tuple(edges), locations[0], errors, b.and_(bounds, start))


def _in_range(variable: Term) -> Term:
    return b.and_(variable >= 0, variable < DOMAIN)


def _number(random: Random, variables: tuple[Term, ...]) -> Term:
    x, y, p = variables
    return random.choice((x, y, x + y, x + 1, y + 2, b.integer(random.randrange(DOMAIN)), b.ite(p, x, y)))


def _condition(random: Random, variables: tuple[Term, ...]) -> Term:
    left, right = _number(random, variables), _number(random, variables)
    atom = random.choice((left <= right, left.eq(right), left < right, variables[2]))
    return random.choice((atom, b.not_(atom)))


def _statement(random: Random, variables: tuple[Term, ...]) -> list[Statement]:
    match random.randrange(6):
        case 0 | 1:
            value = b.mod(_number(random, variables), b.integer(DOMAIN))
            return [Assign(random.choice(variables[:2]), value)]
        case 2:
            return [Assign(variables[2], _condition(random, variables))]
        case 3:
            variable = random.choice(variables)
            return [Havoc(variable), Assume(b.TRUE if variable.sort is BOOL else _in_range(variable))]
        case 4:
            local = b.var(f"l!{random.randrange(10**9)}", INT)
            copy = b.var(f"m!{random.randrange(10**9)}", INT)
            guard = b.and_(copy.eq(b.mod(local + 1, b.integer(DOMAIN))), _in_range(local))
            return [Block(Relation(guard, {variables[0]: copy}, (local, copy)))]
        case _:
            return [Assume(_condition(random, variables))]


def successors(cfa: Cfa, state: State, edge: Edge) -> Iterator[State]:
    relation = cfa.relation(edge)
    ranges = [(False, True) if v.sort is BOOL else range(DOMAIN) for v in relation.locals]
    for drawn in product(*ranges):
        names = (*cfa.variables, *relation.locals)
        evaluate = Evaluator(dict(zip(names, (*state, *drawn), strict=True)))
        if evaluate(relation.guard):
            yield tuple(evaluate(relation.after(x)) for x in cfa.variables)


def layers(cfa: Cfa, steps: int) -> list[set[Configuration]]:
    """Configurations after exactly 0 … ``steps`` steps, through relevant locations, errors last."""
    relevant = relevant_locations(cfa)
    everything = product(range(DOMAIN), range(DOMAIN), (False, True))
    found: list[set[Configuration]] = [
        {
            (cfa.initial, state)
            for state in everything
            if cfa.initial in relevant
            and Evaluator(dict(zip(cfa.variables, state, strict=True)))(cfa.precondition)
        }
    ]
    for _ in range(steps):
        found.append(
            {
                (edge.target, after)
                for location, state in found[-1]
                if location not in cfa.errors
                for edge in cfa.outgoing[location]
                if edge.target in relevant
                for after in successors(cfa, state, edge)
            }
        )
    return found
