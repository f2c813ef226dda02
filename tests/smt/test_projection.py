"""Projections hold in the model and imply the quantified formula; eliminations are equivalent."""

import contextlib
from random import Random

import pytest

from revet.budget import Budget, OutOfBudget
from revet.logic import build as b
from revet.logic.sorts import INT, REAL, Array, BitVec
from revet.logic.walk import free_vars
from revet.smt import SolverError, Status
from revet.smt.z3 import Z3

x, y, z = (b.var(name, INT) for name in "xyz")
r, s = b.var("r", REAL), b.var("s", REAL)
u, v = b.var("u", BitVec(4)), b.var("v", BitVec(4))
a = b.var("a", Array(INT, INT))

ATOMS = {
    "int": [x + 2 * y <= z, z - 3 * x <= 4, b.eq(b.mod(x + y, b.integer(3)), b.integer(1)), b.div(x, y) <= z,
            b.ite(x <= y, z, x + 1) <= 2 * y, b.eq(b.mod(x, y), z), 2 * y <= 3 * z + 1],
    "real": [r + s <= 1, b.lt(s, 3 * r), b.rdiv(r, s) <= r, b.ite(r <= s, r, s) <= 2],
    "bits": [b.bvult(u, v), b.eq(b.bvmul(u, v), b.bv(6, 4)), b.bvsle(b.bvudiv(u, v), v)],
    "array": [b.select(a, x) <= y, b.select(b.store(a, x, y), y) <= 3, x <= y + 1],
}


def formulas(kind, count):
    random = Random(7)
    for _ in range(count):
        literals = [atom if random.random() < 0.6 else b.not_(atom) for atom in ATOMS[kind]]
        random.shuffle(literals)
        middle = len(literals) // 2
        yield b.and_(b.or_(*literals[:middle]), b.or_(*literals[middle:])), random


@pytest.mark.parametrize("kind", ATOMS)
def test_projection_and_elimination(kind):
    backend = Z3()
    tried = 0
    for formula, random in formulas(kind, 12):
        solver = backend.solver(budget=Budget(2))
        try:
            if solver.check([formula]) is not Status.SAT:
                continue
            model = solver.model()
            gone = random.sample(sorted(free_vars(formula), key=lambda term: term.id), 1)
            result = backend.project(gone, formula, model, Budget(2))
        except (OutOfBudget, SolverError):
            continue
        tried += 1
        assert free_vars(result).isdisjoint(gone)
        assert model.holds(result)
        claims = [b.and_(result, b.not_(b.exists(gone, formula)))]
        with contextlib.suppress(OutOfBudget, SolverError):
            claims.append(b.xor(backend.eliminate(gone, formula, Budget(1)), b.exists(gone, formula)))
        for claim in claims:
            with contextlib.suppress(OutOfBudget):
                assert backend.solver(budget=Budget(1)).check([claim]) is not Status.SAT
    assert tried >= 3


def test_projection_of_division_by_a_variable_holds_in_the_model():
    # z3 alone gave a formula that is false in the model here.
    formula = b.and_(
        b.or_(b.not_(b.eq(b.mod(y - 2 * z + 3, b.integer(3)), b.integer(1))), b.eq(z, b.mod(x, y))),
        b.not_(b.eq(3 * y + 3 * z + 1, b.integer(0))), 3 * z + 3 * y - 1 <= 0,
    )
    backend = Z3()
    solver = backend.solver()
    assert solver.check([formula]) is Status.SAT
    model = solver.model()
    result = backend.project([z], formula, model)
    assert model.holds(result) and z not in free_vars(result)


def test_projection_needs_a_model_of_the_formula():
    backend = Z3()
    solver = backend.solver()
    assert solver.check([x <= 0]) is Status.SAT
    with pytest.raises(SolverError):
        backend.project([x], b.and_(x >= 1, x <= y), solver.model())
