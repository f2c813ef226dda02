"""Unrolling: formulas over copies of the variables at time steps 0, 1, 2, …"""

from __future__ import annotations

from revet.logic.core import and_, eq
from revet.logic.terms import Term
from revet.logic.walk import Memo, substitute
from revet.model.names import at
from revet.model.system import TransitionSystem


class Unroller:
    """Formulas of a transition system at time steps; each is built once and shared."""

    def __init__(self, system: TransitionSystem) -> None:
        self.system = system
        self._maps: list[dict[Term, Term]] = []
        self._memos: list[Memo] = []

    def _at(self, step: int) -> Memo:
        while len(self._maps) <= step:
            number = len(self._maps)
            mapping = {x: at(x, number) for x in (*self.system.variables, *self.system.inputs)}
            self._maps.append(mapping)
            self._memos.append(dict(mapping))
        return self._memos[step]

    def at(self, formula: Term, step: int) -> Term:
        """A formula (or any term) over variables and inputs, moved to a time step."""
        memo = self._at(step)
        return substitute(formula, self._maps[step], memo)

    def init(self) -> Term:
        """I and the invariants at step 0."""
        return self.at(and_(self.system.init, self.system.invariant), 0)

    def step(self, step: int) -> Term:
        """T from ``step`` to ``step + 1``, and the invariants at ``step + 1``."""
        relation = self.system.step
        equations = [
            eq(self.at(x, step + 1), self.at(relation.after(x), step)) for x in self.system.variables
        ]
        return and_(
            self.at(relation.guard, step), *equations, self.at(self.system.invariant, step + 1)
        )
