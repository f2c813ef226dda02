"""Induction relative to a frame, and lemma tightening, posed by hand.

J. Laurent's slides on IC3 (*An insight into SMT-based model checking techniques …*, 2014) ask two things of a
transition system (I, T): whether a formula P is inductive relative to a frame R, that is, whether
``R and P and T`` implies ``P'``; and, for a cube B of bad states whose negation is so, which of its literals
are needed: fewer literals exclude more states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.images.api import space_of
from revet.logic.core import conjunction, not_
from revet.logic.walk import conjuncts, substitute
from revet.smt.protocol import SolverError, Status
from revet.smt.z3 import Z3

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from revet.images.space import Space
    from revet.logic.terms import Term
    from revet.logic.values import Value


@dataclass(frozen=True)
class Induction:
    """``counterexample``: a state with R and P from which a step leaves P (a *CTI*), by the variables' names;
    None if P is inductive relative to R. ``initial``: P holds in all initial states."""

    initial: bool
    counterexample: dict[str, Value] | None

    def __bool__(self) -> bool:
        return self.initial and self.counterexample is None


def relative_induction(claim: str, model: Any, *, frame: str = "true", **given: Any) -> Induction:
    """Is the claim inductive relative to the frame? ``model``: a transition system, or a file with one."""
    asked = _Asked(space_of(model, **given), frame)
    formula = asked.formula(claim)
    starts = not asked.satisfiable([asked.init, not_(formula)])
    return Induction(starts, asked.step_out(formula))


def tightened(cube: str, model: Any, *, frame: str = "true", **given: Any) -> list[str]:
    """The literals of the cube that are needed for its negation to hold initially and to be inductive
    relative to the frame; their negation is the tightened lemma.

    :class:`UsageError` if the whole cube's negation is not so to begin with.
    """
    space = space_of(model, **given)
    asked = _Asked(space, frame)
    literals = conjuncts(asked.formula(cube))
    if not asked.excluded(literals):
        raise UsageError("the cube has an initial state, or can be reached from the frame")
    kept = list(literals)
    for literal in reversed(literals):
        fewer = [other for other in kept if other is not literal]
        if fewer and asked.excluded(fewer):
            kept = fewer
    return [space.writer.formula(literal) for literal in kept]


class _Asked:
    """Questions about one system and one frame."""

    def __init__(self, space: Space, frame: str) -> None:
        if space.named:
            raise UsageError("relative induction is asked of transition systems, not of automata")
        self._space = space
        self._solver = Z3().solver(budget=space.budget)
        self._relation = space.cfa.relation(space.steps[0])
        self.init = space.cfa.precondition
        self._frame = self.formula(frame)

    def formula(self, text: str) -> Term:
        return self._space.names.formula(text, "formula")

    def satisfiable(self, formulas: Sequence[Term]) -> bool:
        status = self._solver.check(formulas)
        if status is Status.UNKNOWN:
            raise SolverError(f"a query was not decided: {self._solver.reason_unknown}")
        return status is Status.SAT

    def step_out(self, formula: Term) -> dict[str, Value] | None:
        """A state of the frame with the formula from which a step leads to one without."""
        after = substitute(not_(formula), self._relation.updates)
        if not self.satisfiable([self._frame, formula, self._relation.guard, after]):
            return None
        model = self._solver.model()
        return {x.name: model.value(x) for x in self._space.cfa.variables}

    def excluded(self, literals: Sequence[Term]) -> bool:
        """No initial state in the cube, and no step into it from the frame without it."""
        cube = conjunction(literals)
        return not self.satisfiable([self.init, cube]) and self.step_out(not_(cube)) is None
