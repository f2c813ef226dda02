"""Path compression: a shortest counterexample repeats no state and only starts initially.

The constraints are pairwise, so asserting all of them at depth k costs k²/2 disjunctions. They
are added lazily: only those that a model found by the solver violates.
"""

from __future__ import annotations

from revet.logic.core import and_, disjunction, eq, not_
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.smt import Model


class Compression:
    """Finds which constraints of C_k a path violates."""

    def __init__(self, system: TransitionSystem, unroller: Unroller) -> None:
        self.system = system
        self.unroller = unroller
        self._initial = and_(system.init, system.invariant)

    def violated(self, model: Model, depth: int) -> list[Term]:
        """Constraints for the path in the model; empty when it is compressed already."""
        constraints = []
        first_seen: dict[tuple[object, ...], int] = {}
        for step in range(depth + 1):
            state = {x: model.value(self.unroller.at(x, step)) for x in self.system.variables}
            key = tuple(state.values())
            earlier = first_seen.setdefault(key, step)
            if earlier != step:
                constraints.append(self._different(earlier, step))
            if step > 0 and Evaluator(state)(self._initial) is True:
                constraints.append(not_(self.unroller.at(self._initial, step)))
        return constraints

    def _different(self, first: int, second: int) -> Term:
        at = self.unroller.at
        return disjunction(not_(eq(at(x, first), at(x, second))) for x in self.system.variables)
