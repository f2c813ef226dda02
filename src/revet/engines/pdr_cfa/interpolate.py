"""Generalisation by interpolation between the frame before an edge and the obligation after it.

``F and edge`` contradicts the cube; an interpolant is a fact that the step establishes and the
cube denies. Unlike a sub-cube it may speak in other atoms (``y >= z`` against the cube
``x >= y and x < z``), which is what loops need whose invariant is in no precondition.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.engines.pdr_cfa.frames import Cube, Frames, clause_of
from revet.engines.pdr_cfa.graph import Step
from revet.logic.core import conjunction, eq, not_
from revet.logic.dnf import cubes_of
from revet.logic.terms import Term
from revet.logic.walk import conjuncts, substitute
from revet.model.names import prime
from revet.smt.interpolation import InterpolationService
from revet.smt.z3 import Z3

_MOST_LEMMAS = 40  # a frame with more is left to unsat cores


class Interpolation:
    def __init__(self, frames: Frames, backend: Z3, budget: Budget) -> None:
        self._frames = frames
        self._budget = budget
        self._service = InterpolationService(["sp", "wp"], backend=backend)

    def against(self, step: Step, level: int, cube: Cube) -> Cube | None:
        """A weaker cube that the step from F[level] cannot reach either; None if none was found."""
        lemmas = list(self._frames.above(step.source, level))
        if len(lemmas) > _MOST_LEMMAS:
            return None
        after = {x: prime(x) for x in step.relation.updates}
        before = [
            *map(clause_of, lemmas),
            *conjuncts(step.relation.guard),
            *(eq(after[x], value) for x, value in step.relation.updates.items()),
        ]
        wanted = [substitute(literal, after) for literal in cube]
        found = self._service.sequence([conjunction(before), conjunction(wanted)], self._budget)
        if not found:
            return None
        return self._as_cube(substitute(found[0], {after[x]: x for x in after}))

    def _as_cube(self, interpolant: Term) -> Cube | None:
        """The negated interpolant, if that is one cube (a lemma is one clause)."""
        cubes = cubes_of(not_(interpolant), 2)
        return cubes[0] if cubes is not None and len(cubes) == 1 else None
