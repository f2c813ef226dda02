"""Variables that only ever say *which one of several*: a program location, a flag, a state.

A *discrete* variable is compared and assigned, but never ordered and never computed with, and
neither is anything whose value it takes. For it ``x = 5`` is the right predicate and ``x <= 5`` is
noise. A discrete variable that the property speaks of, such as a program location, is an
*enumeration*: predicates for all its values are needed sooner or later and are given to the
abstraction at once.
"""

from __future__ import annotations

from revet.logic.core import eq
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars, subterms
from revet.model.system import TransitionSystem

_BOOLEAN = (Op.NOT, Op.AND, Op.OR)


class Discrete:
    """Classes of numbers that are equated with each other (union-find), ordered ones marked.

    The invariants of the system are not looked at: they bound the range of a location variable.
    """

    def __init__(self, system: TransitionSystem) -> None:
        self._system = system
        self._parent: dict[Term, Term] = {}
        self._ordered: set[Term] = set()
        self._constants: dict[Term, dict[Term, None]] = {}
        for variable, value in system.step.updates.items():
            if variable.sort in (INT, REAL):
                self._equate(variable, value)
        for node in subterms(
            system.init, system.step.guard, *system.step.updates.values(), system.property
        ):
            self._visit(node)

    def _visit(self, node: Term) -> None:
        if node.op == Op.EQ and node.args[0].sort in (INT, REAL):
            self._equate(*node.args)
        elif node.op == Op.ITE:
            if node.sort in (INT, REAL):
                self._equate(node, node.args[1])
                self._equate(node, node.args[2])
        elif node.op not in _BOOLEAN:
            for arg in node.args:
                if arg.op != Op.CONST:
                    self._ordered.add(self._find(arg))
            if node.args:
                self._ordered.add(self._find(node))

    def _find(self, term: Term) -> Term:
        parent = self._parent
        while (above := parent.get(term, term)) is not term:
            parent[term] = parent.get(above, above)
            term = above
        return term

    def _equate(self, left: Term, right: Term) -> None:
        if left.op == Op.CONST:
            left, right = right, left
        root = self._find(left)
        if right.op == Op.CONST:
            self._constants.setdefault(root, {})[right] = None
            return
        other = self._find(right)
        if other is root:
            return
        self._parent[other] = root
        self._constants.setdefault(root, {}).update(self._constants.pop(other, {}))
        if other in self._ordered:
            self._ordered.add(root)

    def is_discrete(self, variable: Term) -> bool:
        return variable.sort is INT and self._find(variable) not in self._ordered

    def value_predicates(self) -> list[Term]:
        """``x = c`` for the discrete variables of the property and all constants they meet."""
        found = []
        for variable in self._system.variables:
            if variable in free_vars(self._system.property) and self.is_discrete(variable):
                constants = self._constants.get(self._find(variable), {})
                found += [eq(variable, constant) for constant in constants]
        return found
