"""Control flow, read off a system that was an automaton: where each selected edge starts and ends.

The step of such a system has a Boolean input for every edge, which selects it, and a variable for the
location (:mod:`revet.transform.to_system`). With that, levels count only the edges that close a cycle, as in
the engine ``pdr-cfa``: straight-line code costs no levels, however many statements it has.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from revet.engines.pdr_ia.abstraction import Cube, Literal, Predicate
from revet.engines.pdr_ia.lift import ConditionalDefinitions
from revet.logic import build as b
from revet.logic.terms import Op, Term
from revet.logic.walk import conjuncts, free_vars, free_vars_of
from revet.model.system import TransitionSystem
from revet.transform.graph import depth_first
from revet.transform.to_system import location_variable


@dataclass(frozen=True, eq=False)
class Control:
    """``first``: the location where runs start; ``step``: the step, taken apart by its selectors; ``rest``:
    what steps demand besides, but for selectors and locations; ``ends``: source and target of each selector;
    ``back``: the selectors of back edges; ``order``: the place of each location in a topological order of the
    other edges."""

    location: Term
    first: int
    step: ConditionalDefinitions
    rest: list[Term]
    ends: dict[Term, tuple[int, int]]
    back: frozenset[Term]
    order: dict[int, int]

    @property
    def bodies(self) -> dict[Term, list[Term]]:
        """What each selector demands."""
        return self.step.bodies

    def rank(self, cube: Cube) -> int:
        """The place of the cube's location; before all others if it has none."""
        number = self.location_of(cube)
        return self.order.get(number, 0) if number is not None else min(self.order.values(), default=0)

    def location_of(self, cube: Cube) -> int | None:
        """The location that the cube says it is at, if it does."""
        return next((number for each in cube.literals if (number := self.number(each)) is not None), None)

    def number(self, literal: Literal) -> int | None:
        """l if the literal says ``location = l``."""
        predicate = literal.predicate
        if predicate.equated is self.location and literal is predicate.positive:
            return int(predicate.formula.args[1].payload)
        return None

    def clauses(self, predicate: Predicate, selectors: Iterable[Term] | None = None) -> list[Term]:
        """``location = l`` before and after a step, by the step's selector: implied, but Boolean."""
        if predicate.equated is not self.location:
            return []
        number = predicate.formula.args[1].payload
        now, after = predicate.positive.now, predicate.positive.next
        found = []
        for selector in self.ends if selectors is None else selectors:
            source, target = self.ends[selector]
            found.append(b.implies(selector, now if source == number else b.not_(now)))
            found.append(b.implies(selector, after if target == number else b.not_(after)))
        return found


def control_of(system: TransitionSystem) -> Control | None:
    """None for a system without a location or a first one, or with steps whose selector leaves ends open."""
    location = location_variable(system)
    after = None if location is None else system.step.updates.get(location)
    if location is None or after is None:
        return None
    step = ConditionalDefinitions(system)
    bodies = step.bodies
    ends: dict[Term, tuple[int, int]] = {}
    for selector, body in bodies.items():
        source, target = _constant(body, location), _constant(body, after)
        if source is None or target is None:
            return None
        ends[selector] = source, target
    if not any(_is_among(part, bodies.keys()) for part in conjuncts(system.step.guard)):
        return None
    leaving: dict[int, list[tuple[Term, int]]] = {}
    for selector, (source, target) in ends.items():
        leaving.setdefault(source, []).append((selector, target))
    first = _constant(conjuncts(system.init), location)
    if first is None:
        return None
    back, order = depth_first([first, *leaving], lambda number: leaving.get(number, []))
    implied = frozenset((location, *ends))
    rest = [part for part in step.plain if not free_vars(part) <= implied]
    if not free_vars_of(rest).isdisjoint(ends):
        return None  # a condition on selectors that an edge need not imply
    return Control(location, first, step, rest, ends, frozenset(back), order)


def _constant(parts: list[Term], variable: Term) -> int | None:
    """The number that a conjunct says the variable is."""
    for part in parts:
        if part.op == Op.EQ and variable in part.args:
            other = part.args[1] if part.args[0] is variable else part.args[0]
            if other.is_const:
                return int(other.payload)
    return None


def _is_among(part: Term, selectors: Container[Term]) -> bool:
    """Does the conjunct say that one of the selectors is chosen?"""
    chosen = part.args if part.op == Op.OR else (part,)
    return all(each in selectors for each in chosen)
