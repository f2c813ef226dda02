"""Werner, *Property directed reachability in Ultimate* (2018), section 4.3: both examples, every table."""

from __future__ import annotations

import pytest

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.engines.common.context import Context
from revet.engines.pdr_cfa import Options, check
from revet.events import Event, Explained
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Statement
from revet.result import CfaTrace, LocationInvariants, Safe, Unsafe

X, Y = b.var("x", INT), b.var("y", INT)
AS_PUBLISHED = Options(
    levels="edges", unsat_cores=False, drop_literals=False, split_equalities=False,
    weaken_bounds=False, propagate=False, syntactic=False, interpolate="no", explain=True,
)


def automaton(*edges: tuple[str, str, tuple[Statement, ...]]) -> Cfa:
    names = list(dict.fromkeys(name for source, target, _ in edges for name in (source, target)))
    at = {name: Location(name) for name in sorted(names)}
    return Cfa(
        (X, Y),
        tuple(at.values()),
        tuple(Edge(at[source], at[target], statements) for source, target, statements in edges),
        at["l0"],
        (at["lE"],),
    )


GRAPH_A = automaton(
    ("l0", "l1", (Assign(X, b.integer(0)),)),
    ("l1", "l2", (Assign(X, X + 1),)),
    ("l2", "lE", (Assume(X.eq(1)),)),
    ("l2", "l3", (Assume(X.ne(1)),)),
)
GRAPH_B = automaton(
    ("l0", "l1", (Assign(X, b.integer(0)), Assign(Y, X))),
    ("l1", "l1", (Assign(X, X + 1), Assign(Y, Y + 1))),
    ("l1", "l2", (Assume(X.eq(Y)),)),
    ("l1", "lE", (Assume(X.ne(Y)),)),
)


def tables(cfa: Cfa) -> tuple[object, list[list[list[str]]]]:
    """The verdict and the tables reported on the way, split into cells."""
    notes: list[str] = []

    def observe(event: Event) -> None:
        if isinstance(event, Explained):
            notes.append(event.text)

    verdict = check(cfa, AS_PUBLISHED, Context(observe=observe))
    return verdict, [[_cells(line) for line in note.splitlines()[1:]] for note in notes]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_graph_a_reaches_its_error() -> None:
    verdict, shown = tables(GRAPH_A)
    assert isinstance(verdict, Unsafe) and isinstance(verdict.trace, CfaTrace)
    assert [location.name for location in verdict.trace.locations] == ["l0", "l1", "l2", "lE"]
    assert shown == [
        [["l0", "true"], ["l1", "false"], ["l2", "false"], ["l3", "false"]],
        [["l0", "true", "true"], ["l1", "false", "true"], ["l2", "false", "true"], ["l3", "false", "true"]],
        [
            ["l0", "true", "true"],
            ["l1", "false", "true"],
            ["l2", "false and x != 1", "true and x != 1"],
            ["l3", "false", "true"],
        ],
        [
            ["l0", "true", "true", "true"],
            ["l1", "false", "true", "true"],
            ["l2", "false and x != 1", "true and x != 1", "true"],
            ["l3", "false", "true", "true"],
        ],
    ]


def test_graph_b_is_safe_with_the_fixpoint_at_level_two() -> None:
    verdict, shown = tables(GRAPH_B)
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, LocationInvariants)
    formulas = {location.name: str(f) for location, f in verdict.certificate.formulas.items()}
    assert formulas == {"l0": "true", "l1": "x = y", "l2": "true", "lE": "false"}
    assert shown[-1] == [
        ["l0", "true", "true", "true"],
        ["l1", "false and x = y", "true and x = y", "true and x = y"],
        ["l2", "false", "true", "true"],
    ]
    assert shown[2] == [
        ["l0", "true", "true"],
        ["l1", "false and x = y", "true and x = y"],
        ["l2", "false", "true"],
    ]


def test_interpolants_bring_the_fact_that_no_precondition_has() -> None:
    """The lecture notes' program: x counts up to y >= z; without interpolation the bounds go on for ever."""
    z = b.var("z", INT)
    at = {name: Location(name) for name in ("l1", "l2", "l3", "l5")}
    cfa = Cfa(
        (X, Y, z),
        tuple(at.values()),
        (
            Edge(at["l1"], at["l2"], (Assume(z <= Y),)),
            Edge(at["l2"], at["l2"], (Assume(X + 1 <= Y), Assign(X, X + 1))),
            Edge(at["l2"], at["l3"], (Assume(X >= Y),)),
            Edge(at["l3"], at["l5"], (Assume(z >= X + 1),)),
        ),
        at["l1"],
        (at["l5"],),
    )
    for how in ("diverging", "always"):
        verdict = check(cfa, Options(interpolate=how), Context(Budget(60)))
        assert isinstance(verdict, Safe) and check_certificate(cfa, verdict.certificate).accepted
    with pytest.raises(OutOfBudget):
        check(cfa, Options(interpolate="no"), Context(Budget(2)))
