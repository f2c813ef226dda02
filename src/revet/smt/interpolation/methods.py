"""Three ways to interpolate a sequence of formulas.

All work on a chain ``A_0 … A_n`` that an unsat core has already sliced.

``wp``    backwards: ``not I_k`` is what remains of ``A_(k+1) and … and A_n`` when all variables
          but the common ones are eliminated (for a run: the states from which it goes on to the
          end, the dual of the weakest precondition). At each cut, conjuncts that are not needed
          against the front are dropped, which keeps the predicates few.
``sp``    forwards: ``I_k`` is what remains of ``A_0 and … and A_k`` (the strongest postcondition),
          less the conjuncts that are not needed against the rest.
``horn``  unknown predicates I_k and the clauses ``I_(k-1) and A_k -> I_k``, solved by Spacer in
          one query.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.logic.core import conjunction, not_
from revet.logic.terms import Term
from revet.logic.walk import free_vars_of
from revet.smt.interpolation.elimination import eliminate
from revet.smt.interpolation.problem import Chain
from revet.smt.protocol import Solver, SolverError, Status
from revet.smt.z3 import Z3


def backwards(chain: Chain, backend: Z3, budget: Budget | None) -> list[Term]:
    found: list[Term] = []
    tail = list(chain.parts[-1])
    for cut in range(len(chain.parts) - 2, -1, -1):
        away = free_vars_of(tail) - chain.common[cut]
        tail = eliminate(away, tail, backend, budget)
        front = [part for parts in chain.parts[: cut + 1] for part in parts]
        tail = needed(tail, front, backend, budget)
        found.append(not_(conjunction(tail)))
        tail = [*chain.parts[cut], *tail]
    return list(reversed(found))


def forwards(chain: Chain, backend: Z3, budget: Budget | None) -> list[Term]:
    found: list[Term] = []
    front = list(chain.parts[0])
    for cut in range(len(chain.parts) - 1):
        away = free_vars_of(front) - chain.common[cut]
        front = eliminate(away, front, backend, budget)
        rest = [part for parts in chain.parts[cut + 1 :] for part in parts]
        front = needed(front, rest, backend, budget)
        found.append(conjunction(front))
        front = [*front, *chain.parts[cut + 1]]
    return found


def horn(chain: Chain, backend: Z3, budget: Budget | None) -> list[Term]:
    from revet.smt.interpolation.horn import solve

    return solve(chain, budget)


def needed(formulas: list[Term], against: list[Term], backend: Z3, budget: Budget | None) -> list[Term]:
    """Those of ``formulas`` that contradict ``against``; raises if they do not."""
    if len(formulas) <= 1:
        return formulas
    solver = backend.solver(budget=budget)
    for part in against:
        solver.add(part)
    if solver.check(formulas) is not Status.UNSAT:
        raise SolverError("elimination lost the contradiction")
    core = smaller_core(solver)
    return [formula for formula in formulas if formula in core]


# Larger cores are not minimised: a query for each formula costs more than it gains.
_SMALL = 24


def smaller_core(solver: Solver) -> frozenset[Term]:
    """The core of the last query, from which single formulas were dropped while that worked."""
    current = solver.core()
    if len(current) <= _SMALL:
        for formula in list(current):
            if formula not in current:
                continue
            rest = [other for other in current if other is not formula]
            if solver.check(rest) is Status.UNSAT:
                kept = frozenset(solver.core())
                current = [other for other in rest if other in kept]
    return frozenset(current)
