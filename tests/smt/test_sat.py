"""SAT solvers against trying everything: clauses come in between searches, assumptions change."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from revet.budget import Budget, OutOfBudget
from revet.smt.sat import Sat, SatName

NAMES = ["minisat22", "glucose4", "maplechrono", "cadical195"]


def _satisfiable(clauses: list[list[int]], assumptions: list[int], variables: int) -> bool:
    every = [*clauses, *([x] for x in assumptions)]
    return any(
        all(any((values[abs(x) - 1] > 0) == (x > 0) for x in clause) for clause in every)
        for values in product((0, 1), repeat=variables)
    )


@pytest.mark.parametrize("name", NAMES)
def test_answers_models_and_cores(name: SatName) -> None:
    random, variables = Random(3), 6
    seen = {True: 0, False: 0}
    for _ in range(40):
        solver, clauses = Sat([[6, -6]], name=name), list[list[int]]()
        for _ in range(6):
            new = [[random.choice((1, -1)) * random.randint(1, 6) for _ in range(3)] for _ in range(4)]
            clauses += new
            for clause in new:
                solver.add(clause)
            assumptions = [random.choice((1, -1)) * x for x in random.sample(range(1, variables + 1), 2)]
            found = solver.solve(assumptions)
            assert found == _satisfiable(clauses, assumptions, variables)
            seen[found] += 1
            if found:
                model = solver.model()
                assert all(any(model[abs(x) - 1] == x for x in clause) for clause in clauses)
                assert all(model[abs(x) - 1] == x for x in assumptions)
            else:
                core = solver.core()
                assert set(core) <= set(assumptions) and not _satisfiable(clauses, core, variables)
    assert min(seen.values()) > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_search_ends_with_its_budget(name: SatName) -> None:
    pigeons, holes = 12, 11

    def inside(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    solver = Sat([[inside(p, h) for h in range(holes)] for p in range(pigeons)], Budget(0.0), name=name)
    for h in range(holes):
        for p in range(pigeons):
            for q in range(p):
                solver.add([-inside(p, h), -inside(q, h)])
    with pytest.raises(OutOfBudget):
        solver.solve()
