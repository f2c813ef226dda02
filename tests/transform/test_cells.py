"""Array cells: more runs than the program, never fewer; and what it carries back is checked."""

from __future__ import annotations

import random

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.driver.prepare import Preparation, prepare
from revet.engines import bmc, spacer
from revet.engines.common.context import Context
from revet.engines.registry import engine
from revet.logic import build as b
from revet.logic.sorts import INT, ArraySort
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc, Statement
from revet.result import Safe, Unknown, Unsafe
from revet.transform.cells import array_cells

WORDS = ArraySort(INT, INT)
X, Y = b.var("x", INT), b.var("y", INT)
A, B = b.var("a", WORDS), b.var("b", WORDS)


def random_program(seed: int) -> Cfa:
    """Locations in a line with some edges back; small indices, so that places meet."""
    choose = random.Random(seed)
    places = [Location(f"l{n}") for n in range(5)]
    error = Location("error")

    def index() -> Term:
        return choose.choice([X, Y, number(0), X + 1, number(2)])

    def value() -> Term:
        return choose.choice([X, number(choose.randint(0, 2)), b.select(A, index()), b.select(B, index())])

    def statement() -> Statement:
        kind = choose.randrange(6)
        if kind == 0:
            return Assign(A, b.store(A, index(), value()))
        if kind == 1:
            return Assign(B, choose.choice([A, b.store(B, index(), value())]))
        if kind == 2:
            return Assign(X, choose.choice([X + 1, number(0), b.select(A, Y)]))
        if kind == 3:
            return Assign(Y, choose.choice([X, number(1)]))
        if kind == 4:
            return Assume(b.select(A, index()) <= value())
        return Havoc(choose.choice([X, Y]))

    edges = [
        Edge(places[0], places[1], start())
    ]
    for n in range(1, 4):
        edges.append(Edge(places[n], places[n + 1], tuple(statement() for _ in range(2))))
        if choose.random() < 0.5:
            edges.append(Edge(places[n], places[choose.randint(1, n)], (statement(),)))
    wrong = b.not_(b.select(A, index()).eq(b.select(B, index())))
    edges.append(Edge(places[4], error, (Assume(wrong),)))
    return Cfa((X, Y, A, B), (*places, error), tuple(edges), places[0], (error,))


def number(value: int) -> Term:
    return b.const(value, INT)


def start() -> tuple[Statement, ...]:
    zero = number(0)
    return (Assign(X, zero), Assign(Y, zero), Assign(A, b.const_array(WORDS, zero)), Assign(B, A))


def agree(seed: int, blocks: bool) -> None:
    """What is proved of the cells is accepted for the program; what has a violation is never proved."""
    cfa = random_program(seed)
    how = Preparation(large_blocks=blocks, array_cells=True)
    reduction = prepare(cfa, engine("spacer"), how)
    try:
        verdict = reduction.verdict_back(spacer.check(reduction.model, spacer.Options(), Context(Budget(5))))
    except OutOfBudget:
        return  # Spacer diverges on some of these
    assert not isinstance(verdict, Unsafe)
    if isinstance(verdict, Safe):
        report = check_certificate(cfa, verdict.certificate, budget=Budget(20))
        assert report.accepted or report.status == "undecided", report
        plain = prepare(cfa, engine("bmc"), Preparation())
        found = bmc.check(plain.model, bmc.Options(bound=6), Context(Budget(20)))
        assert not isinstance(found, Unsafe), "the abstraction lost a run"


@pytest.mark.parametrize("seed", range(25))
def test_no_run_is_lost(seed: int) -> None:
    agree(seed, blocks=seed % 2 == 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(25, 300))
def test_no_run_is_lost_long(seed: int) -> None:
    agree(seed, blocks=seed % 2 == 0)


def test_no_array_is_left() -> None:
    made = array_cells(random_program(3)).model
    assert not any(isinstance(x.sort, ArraySort) for x in made.variables)
    for edge in made.edges:
        relation = made.relation(edge)
        for term in (relation.guard, *relation.updates.values(), *relation.locals):
            assert not any(isinstance(x.sort, ArraySort) for x in free_vars(term))


def test_a_violation_of_the_abstraction_is_unknown() -> None:
    start, error = Location("start"), Location("error")
    cfa = Cfa((X, A), (start, error), (Edge(start, error, (Assume(b.select(A, X) <= 0),)),), start, (error,))
    reduction = array_cells(cfa)
    verdict = reduction.verdict_back(spacer.check(reduction.model, spacer.Options(), Context(Budget(20))))
    assert isinstance(verdict, Unknown) and "too coarse" in verdict.reason
