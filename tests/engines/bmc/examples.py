"""Automata of the seed texts, and their verdicts."""

from __future__ import annotations

from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Statement

x, y, z = (b.var(name, INT) for name in "xyz")


def automaton(
    variables: tuple[Term, ...], initial: str, error: str, edges: list[tuple[str, list[Statement], str]]
) -> Cfa:
    names = dict.fromkeys([initial, error, *(n for s, _, t in edges for n in (s, t))])
    at = {name: Location(name) for name in names}
    return Cfa(
        variables,
        tuple(at.values()),
        tuple(Edge(at[s], at[t], tuple(statements)) for s, statements, t in edges),
        at[initial],
        (at[error],),
    )


def lock() -> Cfa:
    """The lock process of 4.1.3: runs are infinite, but nothing leads far back from the error.

    L is the lock, n and o the new and old counters; the loop ends when no new data came.
    """
    lock, n, o = b.var("L", INT), b.var("n", INT), b.var("o", INT)
    return automaton(
        (lock, n, o),
        "1",
        "bad",
        [
            ("1", [Assign(lock, b.integer(0))], "2"),
            ("2", [Assume(lock.ne(0))], "bad"),
            ("2", [Assume(lock.eq(0))], "3"),
            ("3", [Assign(lock, b.integer(1))], "4"),
            ("4", [Assign(o, n)], "5"),
            ("5", [], "6"),
            ("5", [], "8"),
            ("6", [Assign(lock, b.integer(0))], "7"),
            ("7", [Assign(n, n + 1)], "8"),
            ("8", [Assume(n.ne(o))], "2"),
            ("8", [Assume(n.eq(o))], "9"),
            ("9", [Assume(lock.eq(0))], "bad"),
            ("9", [Assume(lock.ne(0))], "10"),
        ],
    )


def graph_a() -> Cfa:
    """Seed 002, figure 4.1: x := 0; x := x + 1; the error needs x = 1."""
    return automaton(
        (x,),
        "l0",
        "lE",
        [
            ("l0", [Assign(x, b.integer(0))], "l1"),
            ("l1", [Assign(x, x + 1)], "l2"),
            ("l2", [Assume(x.eq(1))], "lE"),
            ("l2", [Assume(x.ne(1))], "l3"),
        ],
    )


def graph_b() -> Cfa:
    """Seed 002, figure 4.2: x and y count together; the error needs x != y."""
    return automaton(
        (x, y),
        "l0",
        "lE",
        [
            ("l0", [Assign(x, b.integer(0)), Assign(y, x)], "l1"),
            ("l1", [Assign(x, x + 1), Assign(y, y + 1)], "l1"),
            ("l1", [Assume(x.eq(y))], "l2"),
            ("l1", [Assume(x.ne(y))], "lE"),
        ],
    )


def lectures() -> Cfa:
    """Seed 004: assume y >= z; while (x < y) x++; assert x >= z, as ρ1 … ρ5."""
    return automaton(
        (x, y, z),
        "l1",
        "l5",
        [
            ("l1", [Assume(y >= z)], "l2"),
            ("l2", [Assume(x + 1 <= y), Assign(x, x + 1)], "l2"),
            ("l2", [Assume(x >= y)], "l3"),
            ("l3", [Assume(x >= z)], "l4"),
            ("l3", [Assume(x + 1 <= z)], "l5"),
        ],
    )
