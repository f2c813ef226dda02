"""Tiny models with known verdicts: examples of the founding documents (docs/founding) and a few traps.

``MODELS`` drives tests of engines, passes and the checker. ``depth`` is the number of steps (edges)
of a shortest violation; ``certificate``, where given, is one that the checker must accept.
"""

from __future__ import annotations

from dataclasses import dataclass

from revet.logic import build as b
from revet.logic.sorts import BOOL, INT, BitVec
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.names import prime
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Havoc, Statement
from revet.model.system import TransitionSystem
from revet.result import Certificate, Exhausted, KInductive, LocationInvariants


@dataclass(frozen=True)
class Tiny:
    """A model, its verdict, and what is known about why."""

    name: str
    model: Cfa | TransitionSystem
    safe: bool
    depth: int | None = None
    certificate: Certificate | None = None


X, Y, Z, NEW, OLD, LOCK = (b.var(name, INT) for name in ("x", "y", "z", "n", "o", "l"))
P, Q, R = (b.var(name, BOOL) for name in ("x1", "x2", "x3"))


def automaton(
    variables: tuple[Term, ...],
    edges: list[tuple[str, str, list[Statement]]],
    initial: str,
    errors: tuple[str, ...],
    precondition: Term = b.TRUE,
    name: str = "cfa",
) -> Cfa:
    """An automaton from triples (source, target, statements)."""
    names = dict.fromkeys([initial, *(end for edge in edges for end in edge[:2]), *errors])
    at = {text: Location(text) for text in names}
    return Cfa(
        variables,
        tuple(at.values()),
        tuple(Edge(at[source], at[target], tuple(statements)) for source, target, statements in edges),
        at[initial],
        tuple(at[error] for error in errors),
        precondition,
        name,
    )


def invariants(cfa: Cfa, k: int = 1, **formulas: Term) -> LocationInvariants:
    return LocationInvariants({cfa.location(name): formula for name, formula in formulas.items()}, k)


def _graph(pairs: str, name: str) -> TransitionSystem:
    """Tegzes (2018), examples 7 and 9: states a … d as numbers, a initial, d unsafe."""
    edges = [b.and_(X.eq("abcd".index(s)), prime(X).eq("abcd".index(t))) for s, t in pairs.split()]
    return TransitionSystem.from_relation((X,), X.eq(0), b.or_(*edges), {"not-d": X.ne(3)}, name=name)


def _tegzes() -> list[Tiny]:
    eleven = TransitionSystem.from_relation(
        (P, Q),
        b.and_(b.not_(P), b.not_(Q)),
        b.or_(b.and_(b.not_(P), b.not_(Q), prime(P), b.not_(prime(Q))), b.and_(Q, b.not_(prime(Q)))),
        {"not-both": b.or_(b.not_(P), b.not_(Q))},
        name="example 11",
    )
    twelve = automaton(
        (X, Y),
        [
            ("a", "b", [Assign(X, b.integer(0))]),
            ("b", "c", [Havoc(Y)]),
            ("c", "d", [Assign(Y, X * Y)]),
            ("d", "b", [Assign(X, X + 1)]),
            ("d", "f", [Assume(Y > 20)]),
        ],
        "a", ("f",), name="example 12",
    )
    return [
        Tiny("Tegzes, example 7", _graph("ab ca cd db", "W"), True, None, KInductive(X < 2)),
        Tiny("Tegzes, example 9", _graph("ab ac cd db", "W'"), False, 2),
        Tiny("Tegzes, example 11", eleven, True, None, KInductive(b.not_(Q))),
        Tiny("Tegzes, example 12", twelve, False, 7),
    ]


def _werner() -> list[Tiny]:
    no = b.not_
    u = TransitionSystem.from_relation(
        (P, Q, R),
        b.and_(no(P), no(Q), no(R)),
        b.and_(b.iff(P, prime(Q)), b.iff(Q, prime(R))),
        {"p": b.not_(b.and_(P, Q, R))},
        name="U",
    )
    boolean = TransitionSystem.from_relation(
        (P, Q),
        b.and_(no(P), no(Q)),
        b.and_(
            b.or_(P, no(Q), prime(Q)), b.or_(P, Q, no(prime(P))), b.or_(no(P), prime(P)),
            b.or_(no(P), no(prime(Q))), b.or_(Q, no(prime(Q))),
        ),
        {"p": b.or_(no(P), Q)},
        name="B",
    )
    graph_a = automaton(
        (X,),
        [
            ("l0", "l1", [Assign(X, b.integer(0))]), ("l1", "l2", [Assign(X, X + 1)]),
            ("l2", "le", [Assume(X.eq(1))]), ("l2", "l3", [Assume(X.ne(1))]),
        ],
        "l0", ("le",), name="graph A",
    )
    graph_b = automaton(
        (X, Y),
        [
            ("l0", "l1", [Assign(X, b.integer(0)), Assign(Y, X)]),
            ("l1", "l1", [Assign(X, X + 1), Assign(Y, Y + 1)]),
            ("l1", "l2", [Assume(X.eq(Y))]), ("l1", "le", [Assume(X.ne(Y))]),
        ],
        "l0", ("le",), name="graph B",
    )
    return [
        Tiny("Werner, system U", u, False, 3),
        Tiny("Werner, system B", boolean, True, None, KInductive(b.and_(no(P), no(Q)))),
        Tiny("Werner, graph A", graph_a, False, 3),
        Tiny("Werner, graph B", graph_b, True, None, invariants(graph_b, l1=X.eq(Y))),
    ]


def _penelle() -> list[Tiny]:
    lock = automaton(
        (LOCK, NEW, OLD),
        [
            ("1", "2", [Assign(LOCK, b.integer(0))]),
            ("2", "3", [Assume(LOCK.eq(0))]), ("2", "bad", [Assume(LOCK.ne(0))]),
            ("3", "4", [Assign(LOCK, b.integer(1))]), ("4", "5", [Assign(OLD, NEW)]),
            ("5", "6", []), ("5", "7", [Assign(LOCK, b.integer(0)), Assign(NEW, NEW + 1)]), ("7", "6", []),
            ("6", "2", [Assume(NEW.ne(OLD))]), ("6", "8", [Assume(NEW.eq(OLD))]),
            ("8", "9", [Assume(LOCK.eq(1))]), ("8", "bad", [Assume(LOCK.ne(1))]),
        ],
        "1", ("bad",), name="lock",
    )
    return [
        Tiny("Penelle, lock", lock, True, None, invariants(lock, **{"2": LOCK.eq(0)})),
        Tiny("Penelle, lock, backward", lock, True, None, Exhausted(7, backward=True)),
    ]


def _notes() -> list[Tiny]:
    program = automaton(
        (X, Y, Z),
        [
            ("l1", "l2", [Assume(Y >= Z)]),
            ("l2", "l2", [Assume(X + 1 <= Y), Assign(X, X + 1)]),
            ("l2", "l3", [Assume(X >= Y)]),
            ("l3", "l4", [Assume(X >= Z)]),
            ("l3", "l5", [Assume(X + 1 <= Z)]),
        ],
        "l1", ("l5",), name="program",
    )
    proof = invariants(program, l2=Y >= Z, l3=b.and_(Y >= Z, X >= Y), l4=b.TRUE)
    return [Tiny("notes, program", program, True, None, proof)]


def _others() -> list[Tiny]:
    v = b.var("v", BitVec(8))
    count = TransitionSystem((X,), X.eq(0), Relation(b.TRUE, {X: X + 1}), {"small": X < 5}, name="count")
    swap = TransitionSystem(
        (X, Y), b.and_(X.eq(1), Y.eq(0)), Relation(b.TRUE, {X: Y, Y: X}),
        {"bits": b.or_(X.eq(0), X.eq(1))}, name="swap",
    )
    even = TransitionSystem((v,), v.eq(0), Relation(b.TRUE, {v: v + 2}), {"even": b.not_(b.bit(v, 0))})
    unreachable = automaton(
        (X,), [("a", "a", [Assign(X, X + 1)]), ("b", "e", [])], "a", ("e",), name="unreachable error"
    )
    at_once = automaton((X,), [], "a", ("a",), X > 3, name="initial error")
    empty = automaton((X,), [("a", "e", [])], "a", ("e",), b.and_(X > 3, X < 2), name="no initial state")
    return [
        Tiny("count to 5", count, False, 5),
        Tiny("swap", swap, True, None, KInductive(b.or_(X.eq(0), X.eq(1)), 2)),
        Tiny("even", even, True, None, KInductive(b.not_(b.bit(v, 0)))),
        Tiny("unreachable error", unreachable, True, None, LocationInvariants({})),
        Tiny("initial error", at_once, False, 0),
        Tiny("no initial state", empty, True, None, invariants(empty, a=b.FALSE)),
    ]


MODELS = [*_tegzes(), *_werner(), *_penelle(), *_notes(), *_others()]
AUTOMATA = [tiny for tiny in MODELS if isinstance(tiny.model, Cfa)]
SYSTEMS = [tiny for tiny in MODELS if isinstance(tiny.model, TransitionSystem)]
