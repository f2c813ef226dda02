"""The disjunction so far: at each location, the images found, and how each was reached."""

from __future__ import annotations

from dataclasses import dataclass

from revet.budget import Budget
from revet.logic.core import not_
from revet.logic.terms import Term
from revet.model.cfa import Edge, Location
from revet.smt.protocol import Solver, SolverError, SolverFactory, Status


@dataclass(frozen=True, eq=False, slots=True)
class Image:
    """States at a location: the image of ``parent`` under ``edge`` (None: where runs start)."""

    location: Location
    states: Term
    layer: int
    parent: Image | None = None
    edge: Edge | None = None
    known: bool = False  # inside what was reached before: it brings nothing new

    def path(self) -> list[Edge]:
        """The edges that lead here."""
        edges: list[Edge] = []
        image: Image | None = self
        while image is not None and image.edge is not None:
            edges.append(image.edge)
            image = image.parent
        return edges[::-1]


class Reached:
    """One solver a location knows the negation of its disjuncts: is something left outside?"""

    def __init__(self, backend: SolverFactory, budget: Budget) -> None:
        self._backend = backend
        self._budget = budget
        self._outside: dict[Location, Solver] = {}
        self.images: list[Image] = []
        self.disjuncts: dict[Location, list[Term]] = {}

    def contains(self, location: Location, states: Term) -> bool:
        solver = self._outside.get(location)
        if solver is None:
            return False
        status = solver.check([states])
        if status is Status.UNKNOWN:
            raise SolverError(f"a query was not decided: {solver.reason_unknown}")
        return status is Status.UNSAT

    def add(self, image: Image) -> None:
        self.images.append(image)
        if image.known:
            return
        location = image.location
        if location not in self._outside:
            self._outside[location] = self._backend.solver(budget=self._budget)
        self._outside[location].add(not_(image.states))
        self.disjuncts.setdefault(location, []).append(image.states)
