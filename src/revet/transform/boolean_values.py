"""Which values Boolean terms can have: how a program counter in bits becomes locations or predicates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from revet.logic.core import boolean, conjunction, iff, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.logic.walk import atoms, free_vars_of, substitute
from revet.model.names import Fresh
from revet.smt import Solver, Status

Values = tuple[bool, ...]


class TooHard(Exception):
    """The solver does not know, or there are too many values."""


def boolean_values(solver: Solver, constraint: Term, terms: list[Term]) -> Iterator[Values]:
    """What the terms can be where the constraint holds. Raises :class:`TooHard`."""
    solver.push()
    try:
        solver.add(constraint)
        while (status := solver.check()) is not Status.UNSAT:
            if status is Status.UNKNOWN:
                raise TooHard
            model = solver.model()
            values = tuple(model.value(term) is True for term in terms)
            yield values
            solver.add(not_(conjunction(iff(t, boolean(v)) for t, v in zip(terms, values, strict=True))))
    finally:
        solver.pop()


def candidate_values(
    solver: Solver, constraint: Term, terms: list[Term], most: int, limit: int
) -> list[Values]:
    """What the terms can be, and perhaps more: atoms about numbers count as Boolean variables, which is much
    easier to solve. Where that is more than ``most``, exactly what they can be. Raises :class:`TooHard`, also
    where there are more than ``limit``."""
    if most and not constraint.quantified:
        fresh = Fresh(free_vars_of([constraint, *terms]))
        opaque = {atom: fresh("atom", BOOL) for atom in atoms(constraint, *terms) if not atom.is_var}
        memo: dict[Term, Term] = {}
        skeleton, *shapes = (substitute(term, opaque, memo) for term in (constraint, *terms))
        found = list(islice(boolean_values(solver, skeleton, shapes), most + 1))
        if len(found) <= most:
            return found
    exact = list(islice(boolean_values(solver, constraint, terms), limit + 1))
    if len(exact) > limit:
        raise TooHard
    return exact
