"""Invariants for people: lemmas that follow from the others are left out.

The conjunction stays equivalent, so it stays inductive.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.engines.pdr_cfa.frames import Cube, clause_of
from revet.logic.core import implies, not_, var
from revet.logic.sorts import BOOL
from revet.logic.terms import Term
from revet.smt.protocol import SolverFactory, Status

_MOST_LEMMAS = 150  # beyond, nobody reads it anyway


def without_implied(cubes: list[Cube], backend: SolverFactory, budget: Budget) -> list[Term]:
    """The lemmas that block the cubes, less those implied by the rest; long ones go first."""
    clauses = [clause_of(cube) for cube in cubes]
    if not 1 < len(clauses) <= _MOST_LEMMAS:
        return clauses
    solver = backend.solver(budget=budget)
    switches = {clause: var(f"lemma!{number}", BOOL) for number, clause in enumerate(clauses)}
    for clause, switch in switches.items():
        solver.add(implies(switch, clause))
    kept = dict(switches)
    for clause in sorted(switches, key=lambda clause: -len(clause.args)):
        others = [switch for other, switch in kept.items() if other is not clause]
        if solver.check([*others, not_(clause)]) is Status.UNSAT:
            del kept[clause]
    return list(kept)
