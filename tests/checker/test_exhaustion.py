"""Exhaustion of automata against enumeration: constants that fold must neither lose runs nor add any."""

from __future__ import annotations

from revet.checker.certificate import check_certificate
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Exhausted
from revet.smt import default_backend
from tests.checker.oracle import relevant
from tests.generators import random_cfa, steps, valuations


def ended(cfa: Cfa, depth: int) -> bool:
    """Have all runs ended before ``depth`` steps, none of them in an error? By sets of states."""
    edges = relevant(cfa, set(cfa.errors))
    layer = [(cfa.initial, s) for s in valuations(cfa.variables) if Evaluator(s)(cfa.precondition)]
    for _ in range(depth):
        if any(location in cfa.errors for location, _ in layer):
            return False
        found = {}
        for location, state in layer:
            for edge in edges:
                if edge.source is location:
                    for after, _ in steps(edge, state):
                        found[edge.target, *after.values()] = edge.target, after
        layer = list(found.values())
    return not layer


def test_exhaustion_agrees_with_enumeration():
    backend = default_backend()
    accepted = rejected = 0
    for seed in range(120):
        cfa = random_cfa(seed, locations=4)
        for depth in (1, 2, 4):
            report = check_certificate(cfa, Exhausted(depth), backend=backend)
            assert report.status != "undecided"
            assert report.accepted == ended(cfa, depth), (seed, depth, str(report))
            accepted += report.accepted
            rejected += not report.accepted
    assert accepted > 30 and rejected > 100


def counting(turns: int, bad: bool) -> Cfa:
    """``i := 0; while (i < turns) { x := any; s := s + x; i := i + 1 }; if (i > turns) error``"""
    i, s, x = (b.var(name, INT) for name in "isx")
    start, head, end, error = map(Location, ("start", "head", "end", "error"))
    edges = (
        Edge(start, head, (Assign(i, b.integer(0)),)),
        Edge(head, head, (Assume(i < turns), Havoc(x), Assign(s, s + x), Assign(i, i + 1))),
        Edge(head, end, (Assume(i >= turns),)),
        Edge(end, error, (Assume(i >= turns if bad else i > turns),)),
    )
    return Cfa((i, s, x), (start, head, end, error), edges, start, (error,), b.TRUE, "counting")


def test_loops_over_constants_are_unwound_without_queries():
    report = check_certificate(counting(200, bad=False), Exhausted(203))
    assert report.accepted
    assert report.queries == 0


def test_an_error_behind_constants_is_seen():
    report = check_certificate(counting(30, bad=True), Exhausted(40))
    assert report.status == "rejected"
