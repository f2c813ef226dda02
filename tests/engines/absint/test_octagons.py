"""Octagons: closure against brute force, what they prove that values alone do not, both directions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import pytest

from revet.budget import Budget
from revet.checker.certificate import check_certificate
from revet.engines.absint import Options, analyse, check
from revet.engines.absint.octagon import Constraint, Octagon
from revet.engines.absint.packs import MOST, packs
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import INT, REAL
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import LocationInvariants, Safe, Unknown
from tests.generators import P, X, Y, random_cfa, search_cfa
from tests.models import automaton

N, Z = b.var("n", INT), b.var("z", INT)
R, S = b.var("r", REAL), b.var("s", REAL)
RANGE = range(-4, 5)


def value(node: int, point: tuple[int, ...]) -> int:
    return -point[node >> 1] if node & 1 else point[node >> 1]


def members(constraints: list[Constraint]) -> set[tuple[int, ...]]:
    """The points of a small cube that satisfy all constraints."""
    found = set()
    for point in product(RANGE, repeat=3):
        if all(value(a, point) - value(c, point) <= limit for a, c, limit in constraints):
            found.add(point)
    return found


def random_constraints(rng: random.Random, count: int) -> list[Constraint]:
    """Within the cube, so that the points of the cube are all there are."""
    limits = [(2 * k + side, 2 * k + 1 - side, 2 * 4) for k in range(3) for side in (0, 1)]
    more = []
    for _ in range(count):
        a, c = rng.sample(range(6), 2)
        more.append((a, c, rng.randint(-3, 5)))
    return limits + more


@pytest.mark.parametrize("seed", range(40))
def test_closure_is_exact_for_integers(seed: int) -> None:
    """Every bound of the closed octagon is reached by a point, and no point is lost."""
    rng = random.Random(seed)
    constraints = random_constraints(rng, rng.randint(1, 5))
    points = members(constraints)
    closed = Octagon({}, True, closed=True).meet(constraints)
    if closed is None:
        assert not points
        return
    assert points == members(closed.constraints())
    for a, c, limit in closed.constraints():
        assert limit == max(value(a, point) - value(c, point) for point in points)
    alone = [each for each in closed.constraints() if each[1] == each[0] ^ 1]
    assert members(alone + closed.essential()) == points


@pytest.mark.parametrize("seed", range(30))
def test_lattice(seed: int) -> None:
    rng = random.Random(seed)
    first, second = (
        Octagon({}, True, closed=True).meet(random_constraints(rng, rng.randint(0, 3))) for _ in range(2)
    )
    if first is None or second is None:
        return
    joined = first.join(second)
    assert first.below(joined) and second.below(joined)
    again = Octagon(joined.rows, True).closed()
    assert again == joined, "the join of closed octagons is closed"
    widened = first.widen(joined, [0, 4])
    closed = widened.closed()
    assert first.below(widened) and joined.below(widened) and closed is not None
    narrowed = widened.narrow(joined)
    assert joined.below(narrowed)
    met = first.meet(second.constraints())
    points = members(first.constraints()) & members(second.constraints())
    assert (met is None and not points) or (met is not None and members(met.constraints()) == points)


def test_reals_are_not_rounded() -> None:
    closed = Octagon({}, False, closed=True).meet([(0, 2, Fraction(1, 2)), (0, 3, Fraction(1, 3))])
    assert closed is not None and closed.half(0) == Fraction(5, 12)
    whole = Octagon({}, True, closed=True).meet([(0, 2, 0), (0, 3, 1)])  # x <= y, x + y <= 1
    assert whole is not None and whole.half(0) == 0


def proved(cfa: Cfa, **options: object) -> bool:
    found = check(cfa, Options(**options), Context(Budget(60)))  # type: ignore[arg-type]
    if isinstance(found, Safe):
        report = check_certificate(cfa, found.certificate)
        assert report.accepted, str(report)
    return isinstance(found, Safe)


def alike() -> Cfa:
    """x and y are counted up together to n: equal afterwards."""
    edges = [
        ("a", "l", [Assign(X, b.integer(0)), Assign(Y, b.integer(0))]),
        ("l", "l", [Assume(X < N), Assign(X, X + 1), Assign(Y, Y + 1)]),
        ("l", "e", [Assume(X >= N), Assume(X.ne(Y))]),
    ]
    return automaton((X, Y, N), edges, "a", ("e",))


def exit_by_difference() -> Cfa:
    """for (x = 0; x != n; x++) z = n - x, n not negative: z is at least 1."""
    edges = [
        ("a", "l", [Assume(N >= 0), Assign(X, b.integer(0))]),
        ("l", "m", [Assume(X.ne(N)), Assign(Z, N - X)]),
        ("m", "l", [Assume(Z >= 1), Assign(X, X + 1)]),
        ("m", "e", [Assume(Z < 1)]),
        ("l", "e", [Assume(X.eq(N)), Assume(X < 0)]),
    ]
    return automaton((X, Z, N), edges, "a", ("e",))


def against() -> Cfa:
    """x goes up as y goes down: their sum stays 10."""
    edges = [
        ("a", "l", [Assign(X, b.integer(0)), Assign(Y, 10 - X)]),
        ("l", "l", [Assume(Y > 0), Assign(X, X + 1), Assign(Y, Y - 1)]),
        ("l", "e", [Assume((X + Y).ne(10))]),
    ]
    return automaton((X, Y), edges, "a", ("e",))


def rationals() -> Cfa:
    """r and s grow by halves: r never passes s."""
    half = b.real(Fraction(1, 2))
    edges = [
        ("a", "l", [Havoc(R), Assign(S, R + half)]),
        ("l", "l", [Assign(R, R + half), Assign(S, S + half)]),
        ("l", "e", [Assume(R > S)]),
    ]
    return automaton((R, S), edges, "a", ("e",))


def choice() -> Cfa:
    """z is the greater of x and y."""
    edges = [("a", "b", [Assign(Z, b.ite(X < Y, Y, X))]), ("b", "e", [Assume(b.or_(Z < X, Z < Y))])]
    return automaton((X, Y, Z), edges, "a", ("e",))


@pytest.mark.parametrize("domain", ["octagons", "relational"])
@pytest.mark.parametrize("make", [alike, exit_by_difference, against, rationals, choice])
def test_relations_are_proved(make: object, domain: str) -> None:
    cfa = make()  # type: ignore[operator]
    assert proved(cfa, domain=domain)
    assert not proved(cfa, domain="product")


def test_values_and_relations_together() -> None:
    """y is x and x a multiple of three: so is y. Neither octagons with intervals nor values alone see it."""
    edges = [
        ("a", "l", [Assign(X, b.integer(0)), Assign(Y, b.integer(0))]),
        ("l", "l", [Assign(X, X + 3), Assign(Y, Y + 3)]),
        ("l", "e", [Assume(X.ne(Y))]),
        ("l", "e", [Assume(b.mod(Y, b.integer(3)).ne(0))]),
    ]
    cfa = automaton((X, Y), edges, "a", ("e",))
    assert proved(cfa)
    assert not proved(cfa, domain="product") and not proved(cfa, domain="octagons")


def test_shown() -> None:
    cfa = alike()
    analysis = analyse(cfa)
    assert analysis.show(cfa.location("l")) == "x >= 0, y >= 0, x = y"


@pytest.mark.parametrize("direction", ["forward", "backward", "both"])
@pytest.mark.parametrize("domain", ["octagons", "relational"])
def test_random_automata(direction: str, domain: str) -> None:
    """States contain what is reached; what is proved is so, and the checker agrees."""
    for seed in range(20):
        cfa = random_cfa(seed)
        search = search_cfa(cfa)
        assert search.safe or not proved(cfa, direction=direction, domain=domain), seed
        if search.safe:
            proved(cfa, direction=direction, domain=domain)
        if direction == "forward":
            analysis = analyse(cfa, domain)  # type: ignore[arg-type]
            for location, state in search.states:
                assert Evaluator(state)(analysis.formula(location)) is True


@pytest.mark.parametrize("seed", range(30))
def test_states_are_inductive(seed: int) -> None:
    """Random loops of unbounded integers: what is found is inductive, also where it proves nothing."""
    cfa = unbounded(seed)
    analysis = analyse(cfa)
    formulas = {at: analysis.formula(at) for at in cfa.locations}
    bad = Location("bad")
    ways = tuple(Edge(at, bad, (Assume(b.not_(formulas[at])),)) for at in cfa.locations)
    guarded = Cfa(cfa.variables, (*cfa.locations, bad), (*cfa.edges, *ways), cfa.initial, (bad,))
    report = check_certificate(guarded, LocationInvariants(formulas))
    assert report.accepted, str(report)


def unbounded(seed: int) -> Cfa:
    """Sums, differences, choices and comparisons of four unbounded integers, in a few locations."""
    rng = random.Random(seed)
    variables = (X, Y, Z, N)

    def number() -> Term:
        one, other = rng.choice(variables), rng.choice(variables)
        roll = rng.random()
        if roll < 0.3:
            return b.integer(rng.randint(-3, 3))
        if roll < 0.6:
            return one + rng.randint(-2, 2)
        if roll < 0.7:
            return b.ite(one < other, one, other)
        return one + rng.choice((1, -1, 2)) * other + rng.randint(-1, 1)

    def condition() -> Term:
        left, right = number(), number()
        either = b.or_(left < right, P)
        return rng.choice((left <= right, left < right, left.eq(right), left.ne(right), either))

    names = ["a", "b", "c", "d"]
    edges = [("a", "b", [Assign(v, b.integer(rng.randint(-2, 2))) for v in variables if rng.random() < 0.7])]
    for _ in range(7):
        statements = [
            Assume(condition()) if rng.random() < 0.5 else Assign(rng.choice(variables), number())
            for _ in range(rng.randint(1, 3))
        ]
        edges.append((rng.choice(names), rng.choice(names), statements))
    return automaton((*variables, P), edges, "a", ())


def test_packs() -> None:
    edges = [
        ("a", "b", [Assign(X, Y + 1), Assume(N < 3)]),
        ("b", "c", [Assume(b.or_(P, Y <= Z)), Assign(R, S)]),
    ]
    cfa = automaton((X, Y, Z, N, R, S, P), edges, "a", ("c",))
    assert packs(cfa) == ((X, Y, Z), (R, S))
    many = tuple(b.var(f"v{n}", INT) for n in range(3 * MOST))
    chain = [("a", "b", [Assume(one <= other) for one, other in pairwise(many)])]
    (pack,) = packs(automaton(many, chain, "a", ("b",)))
    assert len(pack) == MOST


def test_unknown_says_which_domain() -> None:
    edges = [("a", "b", [Assume(X < Y)]), ("b", "e", [])]
    found = check(automaton((X, Y), edges, "a", ("e",)), Options(), Context())
    assert isinstance(found, Unknown) and found.reason.endswith("e: x <= y - 1")
