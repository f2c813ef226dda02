"""Candidates from the program's text: its conditions, bounds, comparisons, equal speeds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from revet.invariants.templates import MACHINE, is_range
from revet.logic.arith import add, le, lt, mul
from revet.logic.core import const, eq, not_
from revet.logic.linear import linear_form, normalize_literal
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import FALSE, TRUE, Op, Term
from revet.logic.walk import atoms, free_vars, substitute, subterms
from revet.model.cfa import Cfa, Edge
from revet.model.definitions import inlined
from revet.model.relation import Relation

_BOUNDS = 12  # constants that variables are compared with
_PAIRED = 10  # variables that are compared with each other


class Candidates:
    """What is worth guessing about one automaton.

    ``parameters`` are numbers that no edge changes. ``steps`` are the edges' relations with the
    definitions of locals inlined.
    """

    def __init__(self, cfa: Cfa) -> None:
        self.cfa = cfa
        self.variables = frozenset(cfa.variables)
        self.steps: dict[Edge, Relation] = self._steps()
        changed = {x for step in self.steps.values() for x in step.updates}
        numbers = [x for x in cfa.variables if x.sort in (INT, REAL)]
        self.parameters = [x for x in numbers if x not in changed]
        self.numbers = [x for x in numbers if x in changed]
        self.constants = self._constants()

    def _steps(self) -> dict[Edge, Relation]:
        relations = {edge: self.cfa.relation(edge) for edge in self.cfa.edges}
        return {edge: inlined(relation, relation.locals) for edge, relation in relations.items()}

    def facts(self) -> list[Term]:
        """Candidates without conditions, the program's own first."""
        found: dict[Term, None] = {}
        for atom in self.program_atoms():
            found.update(dict.fromkeys(both_ways(atom)))
        for x in self.cfa.variables:
            if x.sort is BOOL:
                found.update({x: None, not_(x): None})
        found.update(dict.fromkeys(self._equal_speeds()))
        for x in self.numbers:
            for c in self.constants[:_BOUNDS]:
                found.update({le(x, const(c, x.sort)): None, le(const(c, x.sort), x): None})
        for x, y in combinations(self.numbers[:_PAIRED], 2):
            if x.sort is y.sort:
                found.update({le(x, y): None, le(y, x): None, lt(x, y): None, lt(y, x): None})
        return [c for c in dict.fromkeys(map(normalize_literal, found)) if c not in (TRUE, FALSE)]

    def program_atoms(self) -> list[Term]:
        """Atoms of guards and of conditional values that speak of the state alone."""
        found: dict[Term, None] = {}
        for step in self.steps.values():
            for atom in atoms(step.guard, *step.updates.values()):
                if free_vars(atom) <= self.variables and atom.op != Op.VAR and not is_range(atom):
                    found[atom] = None
        return list(found)

    def _constants(self) -> list[int]:
        found = {0: None, 1: None}
        for step in self.steps.values():
            for node in subterms(step.guard, *step.updates.values()):
                if node.op == Op.CONST and node.sort is INT and abs(node.payload) < MACHINE:
                    found[node.payload] = None
        return list(found)

    def _equal_speeds(self) -> Iterator[Term]:
        """``d*x - c*y`` does not change in a loop that adds c to x and d to y."""
        for location in self.cfa.locations:
            loops = [self.steps[e] for e in self.cfa.outgoing[location] if e.target is location]
            entries = [self.steps[e] for e in self.cfa.incoming[location] if e.source is not location]
            speeds = {x: s for x in self.numbers if (s := _speed(x, loops))}
            for x, y in combinations(speeds, 2):
                combined = add(mul(const(speeds[y], INT), x), mul(const(-speeds[x], INT), y))
                for entry in entries:
                    start = substitute(combined, entry.updates)
                    if not free_vars(start) or free_vars(start) <= set(self.parameters):
                        yield eq(combined, start)


def _speed(variable: Term, loops: list[Relation]) -> int:
    """What every turn adds to an integer; 0 if turns differ."""
    found = set()
    for step in loops:
        coefficients, constant = linear_form(step.after(variable)) if variable.sort is INT else ({}, 0)
        found.add(int(constant) if coefficients == {variable: 1} else 0)
    return found.pop() if len(found) == 1 else 0


def both_ways(atom: Term) -> list[Term]:
    """The atom and its negation; an equation of numbers as two inequalities, too."""
    if atom.op == Op.EQ and atom.args[0].sort in (INT, REAL):
        left, right = atom.args
        return [le(left, right), le(right, left), not_(atom)]
    return [atom, not_(atom)]
