"""Variables that only ever say *which one of several*: a program location, a flag, a state.

A *discrete* variable is compared and assigned, but never ordered and never computed with, and
neither is anything whose value it takes. For it ``x = 5`` is the right predicate and ``x <= 5`` is
noise.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.engines.common.components import Components
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.logic.walk import subterms

_BOOLEAN = (Op.NOT, Op.AND, Op.OR)
_TYPE_BOUNDS = frozenset(
    bound
    for width in (8, 16, 32, 64)
    for power in (1 << width, 1 << (width - 1))
    for bound in (power, power - 1, -power, -power - 1)
)


class Discrete:
    """Classes of numbers that are equated with each other, ordered ones marked."""

    def __init__(self, assignments: Iterable[tuple[Term, Term]], formulas: Iterable[Term]) -> None:
        self._classes = Components()
        self._ordered: set[Term] = set()
        self._constants: dict[Term, dict[Term, None]] = {}
        values = []
        for variable, value in assignments:
            values.append(value)
            if variable.sort in (INT, REAL):
                self._equate(variable, value)
        for node in subterms(*formulas, *values):
            self._visit(node)

    def _visit(self, node: Term) -> None:
        if node.op == Op.EQ and node.args[0].sort in (INT, REAL):
            self._equate(*node.args)
        elif node.op == Op.ITE:
            if node.sort in (INT, REAL):
                self._equate(node, node.args[1])
                self._equate(node, node.args[2])
        elif node.op in (Op.LE, Op.LT) and any(map(_is_type_bound, node.args)):
            return  # the range of a machine type says nothing about how a variable is used
        elif node.op not in _BOOLEAN:
            for arg in node.args:
                if arg.op != Op.CONST:
                    self._ordered.add(self._classes.find(arg))
            if node.args:
                self._ordered.add(self._classes.find(node))

    def _equate(self, left: Term, right: Term) -> None:
        if left.op == Op.CONST:
            left, right = right, left
        root = self._classes.find(left)
        if right.op == Op.CONST:
            self._constants.setdefault(root, {})[right] = None
            return
        other = self._classes.find(right)
        if other is root:
            return
        self._classes.join((root, other))
        self._constants.setdefault(root, {}).update(self._constants.pop(other, {}))
        if other in self._ordered:
            self._ordered.add(root)

    def is_discrete(self, variable: Term) -> bool:
        return variable.sort is INT and self._classes.find(variable) not in self._ordered

    def constants(self, variable: Term) -> list[Term]:
        """The constants that the variable is compared with or assigned."""
        return list(self._constants.get(self._classes.find(variable), ()))


def _is_type_bound(term: Term) -> bool:
    return term.op == Op.CONST and term.payload in _TYPE_BOUNDS
