"""Exhaustion of automata against enumeration: constants that fold must neither lose runs nor add any."""

from __future__ import annotations

from revet.checker.certificate import check_certificate
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT, ArraySort
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
            expected = ended(cfa, depth)
            for one_by_one in (False, True):
                report = check_certificate(cfa, Exhausted(depth, one_by_one=one_by_one), backend=backend)
                assert report.status != "undecided"
                assert report.accepted == expected, (seed, depth, one_by_one, str(report))
            accepted += expected
            rejected += not expected
    assert accepted > 30 and rejected > 100


def test_rounds_agree_with_enumeration():
    """What is accepted has ended without an error; what ends within as many steps is accepted."""
    backend = default_backend()
    accepted = rejected = 0
    for seed in range(60):
        cfa = random_cfa(seed, locations=4)
        for depth in (1, 3):
            report = check_certificate(cfa, Exhausted(depth, by_rounds=True), backend=backend)
            assert report.status != "undecided"
            assert report.accepted or not ended(cfa, depth), (seed, depth, str(report))
            assert not report.accepted or ended(cfa, 100), (seed, depth, str(report))
            accepted += report.accepted
            rejected += not report.accepted
    assert accepted > 20 and rejected > 20


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
    for one_by_one in (False, True):
        report = check_certificate(counting(30, bad=True), Exhausted(40, one_by_one=one_by_one))
        assert report.status == "rejected"


def two_strings(bad: int | None = None) -> Cfa:
    """``a`` holds "12" or "3", as an input decides, and a number that is computed from it behind them; then
    ``i`` walks to the zero. An error if it passes place 2 (or is at ``bad``)."""
    i, x = (b.var(name, INT) for name in "ix")
    a = b.var("a", ArraySort(INT, INT))
    start, head, end, error = map(Location, ("start", "head", "end", "error"))

    def written(*elements):
        array = a
        for index, element in enumerate(elements):
            value = b.integer(element) if isinstance(element, int) else element
            array = b.store(array, b.integer(index), value)
        return Assign(a, array)

    edges = (
        Edge(start, head, (Havoc(x), Assume(x > 7), written(1, 2, 0, x * 2 + 1), Assign(i, b.integer(0)))),
        Edge(start, head, (Havoc(x), Assume(x <= 7), written(3, 0, 0, x * 3), Assign(i, b.integer(0)))),
        Edge(head, head, (Assume(b.select(a, i).ne(0)), Assign(i, i + 1))),
        Edge(head, end, (Assume(b.select(a, i).eq(0)),)),
        Edge(end, error, (Assume(i > 2 if bad is None else i.eq(bad)),)),
    )
    return Cfa((i, x, a), (start, head, end, error), edges, start, (error,), b.TRUE, "two strings")


def test_runs_that_know_different_things_are_followed_one_by_one():
    report = check_certificate(two_strings(), Exhausted(6, one_by_one=True))
    assert report.accepted and report.queries == 2  # both beginnings are possible; the rest folds
    assert check_certificate(two_strings(), Exhausted(6)).accepted


def test_one_run_of_several_that_is_bad_or_too_long_is_seen():
    for bad in (1, 2):
        report = check_certificate(two_strings(bad), Exhausted(6, one_by_one=True))
        assert (report.status, report.condition) == ("rejected", "safety")
        report = check_certificate(two_strings(bad), Exhausted(6, by_rounds=True))
        assert (report.status, report.condition) == ("rejected", "safety")
    for how in ({"one_by_one": True}, {"by_rounds": True}):
        report = check_certificate(two_strings(), Exhausted(2, **how))
        assert (report.status, report.condition) == ("rejected", "exhaustion")


def test_one_by_one_and_by_rounds_are_for_whole_runs_from_the_start():
    for other in ({"backward": True}, {"simple_path": True}):
        report = check_certificate(two_strings(), Exhausted(6, one_by_one=True, **other))
        assert (report.status, report.condition) == ("rejected", "form")
        report = check_certificate(two_strings(), Exhausted(6, by_rounds=True, **other))
        assert (report.status, report.condition) == ("rejected", "form")
