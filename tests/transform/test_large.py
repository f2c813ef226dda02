"""Long programs: linear time and size, small terms, no recursion."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from revet.checker.certificate import check_certificate
from revet.checker.replay import replay
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.walk import size
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import Fresh
from revet.model.statements import Assign, Assume, Havoc, relation_of
from revet.result import CfaTrace, LocationInvariants
from revet.smt import Status, default_backend
from revet.transform import chain
from revet.transform.blocks import large_blocks
from revet.transform.clean import clean
from revet.transform.slice import slice_cfa

LENGTH = 20_000
VARIABLES = tuple(b.var(f"v{number}", INT) for number in range(20))


def long_program(kind: str, guarantee: bool = False, length: int = LENGTH) -> Cfa:
    """Statements on 20 variables, and at the end an assertion about two of them."""
    rng = random.Random(1)
    places = [Location(f"L{number}") for number in range(length + 1)]
    error = Location("E")
    edges = [Edge(places[0], places[1], tuple(Assign(v, b.integer(1)) for v in VARIABLES))]
    for here, there in itertools.pairwise(places[1:]):
        x, y, z = (rng.choice(VARIABLES) for _ in range(3))
        if kind == "straight":
            value = rng.choice([y + z, y + 1, None, b.ite(y < z, y, z)])
            drawn = (Havoc(x), Assume(x > 0))
            edges.append(Edge(here, there, drawn if value is None else (Assign(x, value),)))
        else:
            edges.append(Edge(here, there, (Havoc(x), Assume(x > 0))))
            edges.append(Edge(here, there, (Assign(x, y + z),)))
    bad = VARIABLES[0] < 1 if guarantee else VARIABLES[0].ne(VARIABLES[1])
    edges.append(Edge(places[-1], error, (Assume(bad),)))
    return Cfa(VARIABLES, (*places, error), tuple(edges), places[0], (error,))


@pytest.mark.parametrize("kind", ["straight", "branches"])
def test_long_programs(kind):
    cfa = long_program(kind, length=LENGTH if kind == "straight" else LENGTH // 4)
    start = time.perf_counter()
    reduction = chain(cfa, [clean, slice_cfa, clean, large_blocks])
    seconds = time.perf_counter() - start
    assert seconds < 60  # generous: CI machines are busy; quadratic work would take much longer
    model = reduction.model
    (block,) = model.edges
    relation = model.relation(block)
    assert size(relation.guard) < 20 * LENGTH
    solver = default_backend().solver()
    solver.add(relation.guard)
    assert solver.check() is Status.SAT
    found = solver.model()
    state = found.valuation(model.variables)
    drawn = found.valuation(relation.locals)
    trace = CfaTrace((model.initial, block.target), (state, state), (block,), (drawn,))
    replay(cfa, reduction.trace_back(trace))


def test_long_proof():
    """The checker's own encoding of a long block."""
    cfa = long_program("straight", guarantee=True, length=3000)
    positive = b.and_(*(v > 0 for v in VARIABLES))
    assert check_certificate(cfa, LocationInvariants({cfa.locations[1]: positive})).accepted
    refused = check_certificate(cfa, LocationInvariants({cfa.locations[1]: VARIABLES[0].eq(2)}))
    assert refused.condition == "consecution"


def test_long_edge():
    """Many statements on one edge, over many variables."""
    variables = [b.var(f"w{number}", INT) for number in range(5000)]
    statements = [Assign(x, y + 1) for x, y in zip(variables[1:], variables, strict=False)] * 4
    start = time.perf_counter()
    relation = relation_of(statements, Fresh())
    assert time.perf_counter() - start < 30
    assert relation.updates[variables[2]] is variables[0] + 2
