"""The divergence guard: is an interpolation method enumerating values?

A bad sequence of refinements finds ``x <= 79``, then ``x <= 80``, ``x <= 81``, … : always the same
linear form with another constant. The guard counts the constants of each form over successive
refinements and raises its hand when one form has got too many.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.logic.sorts import INT, REAL
from revet.logic.terms import Op, Term
from revet.smt.interpolation.predicates import predicates


class Divergence:
    """``limit`` is how many constants one linear form may collect before the guard trips;
    ``tripped`` counts how often it did."""

    def __init__(self, limit: int = 4) -> None:
        self.limit = limit
        self.tripped = 0
        self._constants: dict[Term, set[object]] = {}

    def seen(self, formulas: Iterable[Term]) -> bool:
        """Take note of the predicates of an interpolant; True if a form has too many constants.

        The form's count then starts again, so the next method gets its chance.
        """
        tripped = False
        for atom in predicates(formulas):
            if atom.op not in (Op.LE, Op.LT, Op.EQ) or atom.args[0].sort not in (INT, REAL):
                continue
            form, constant = atom.args
            if not constant.is_const:
                continue
            constants = self._constants.setdefault(form, set())
            constants.add(constant.value)
            if len(constants) > self.limit:
                constants.clear()
                tripped = True
        self.tripped += tripped
        return tripped
