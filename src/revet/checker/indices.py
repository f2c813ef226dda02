"""Elements of arrays at indices that are not constant but have few values: as cases of these.

A store at an index that is not known hides what the array holds elsewhere. Where the solver says that the
index is one of a few constants, ``store(a, i, v)`` is a store at each of them, of ``v`` where ``i`` is this
one and of what was there otherwise, and reading folds as before; likewise ``select(a, i)`` is a choice of
elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from revet.logic.arrays import known_places, select, store
from revet.logic.core import eq, ite
from revet.logic.terms import Op, Term
from revet.logic.walk import free_vars, rewrite, substitute, subterms

_FEW = 16


class Enumerates(Protocol):
    def values(self, term: Term, under: Term, most: int) -> Sequence[Term] | None:
        """Constants, one of which the term is wherever the formulas added so far and ``under`` hold; None if
        there may be more than ``most``."""
        ...


@dataclass(eq=False)
class Indices:
    solver: Enumerates
    _few: dict[tuple[Term, Term], Sequence[Term]] = field(default_factory=dict)
    _many: set[Term] = field(default_factory=set)
    _elements: dict[Term, bool] = field(default_factory=dict)

    def put(self, term: Term, values: Mapping[Term, Term], under: Term) -> Term:
        """The term with the values of its variables put in, or one that is equal wherever ``under`` holds."""
        mapping = {x: values[x] for x in free_vars(term) if x in values}
        if term.quantified or not self._has_elements(term):
            return substitute(term, mapping)

        def rule(node: Term) -> Term:
            if node.op == Op.STORE and not node.args[1].is_const:
                return self._store(node, under)
            if node.op == Op.SELECT and not node.args[1].is_const:
                return self._select(node, under)
            return node

        return rewrite(term, rule, mapping)

    def _has_elements(self, term: Term) -> bool:
        found = self._elements.get(term)
        if found is None:
            found = self._elements[term] = any(one.op in (Op.STORE, Op.SELECT) for one in subterms(term))
        return found

    def _store(self, node: Term, under: Term) -> Term:
        array, index, value = node.args
        found = self._values(index, under)
        made = array if found else node
        for one in found:
            made = store(made, one, ite(eq(index, one), value, select(array, one)))
        return made

    def _select(self, node: Term, under: Term) -> Term:
        array, index = node.args
        base, known = known_places(array)
        if not known and base.op != Op.CONST_ARRAY:
            return node  # nothing would fold
        found: Term | None = None
        for one in self._values(index, under):
            found = select(array, one) if found is None else ite(eq(index, one), select(array, one), found)
        return node if found is None else found

    def _values(self, index: Term, under: Term) -> Sequence[Term]:
        """All values of the index, or none if there are many."""
        if index in self._many:
            return ()
        few = self._few.get((index, under))
        if few is None:
            few = self.solver.values(index, under, _FEW)
            if few is None:
                self._many.add(index)
                return ()
            self._few[index, under] = few
        return few
