"""The parts on their own: three-valued evaluation, values, cubes, the tree, precision."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from revet.budget import Budget
from revet.engines.cegar import Options, check
from revet.engines.cegar.compile import compiled, partial_value
from revet.engines.cegar.explicit import initial, post
from revet.engines.cegar.graph import Graph, Step
from revet.engines.cegar.predicates import _combination
from revet.engines.cegar.tree import Node, Tree
from revet.engines.common.context import Context
from revet.events import Event, Note, PredicateFound
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, Array
from revet.logic.terms import Term
from revet.logic.walk import free_vars
from revet.model.cfa import Cfa, Edge, Location
from revet.model.relation import Relation
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Safe, Unknown, Unsafe
from tests.generators import P, Terms, domain
from tests.models import automaton

X, Y = b.var("x", INT), b.var("y", INT)


@pytest.mark.parametrize("seed", range(40))
def test_partial_evaluation_says_what_every_completion_says(seed: int) -> None:
    rng = random.Random(seed)
    variables = (X, Y, P)
    term = Terms(rng, variables).formula(3)
    names = sorted(free_vars(term), key=lambda x: x.id)
    for known in product(*([None, *domain(x)] for x in names)):
        values = {x: value for x, value in zip(names, known, strict=True) if value is not None}
        found = compiled(term)(values)
        if len(values) == len(names):
            assert found is Evaluator(values)(term)
        rest = [x for x in names if x not in values]
        full = [dict(zip(rest, chosen, strict=True)) for chosen in product(*(domain(x) for x in rest))]
        for answer in (found, partial_value(term, values)):
            if answer is not None:
                assert all(Evaluator({**values, **more})(term) is answer for more in full)


def test_a_deep_term_is_evaluated_without_recursion() -> None:
    term = X
    for number in range(5000):
        term = b.ite(Y.eq(number), b.integer(number), term + 1)
    assert compiled(term)({X: 0, Y: 5000}) == 5000
    assert compiled(term)({X: 0}) is None


def step(guard: Term, updates: dict[Term, Term] | None = None, locals_: tuple[Term, ...] = ()) -> Step:
    return Step(Location("a"), Location("b"), (), Relation(guard, updates or {}, locals_))


def test_guards_teach_values() -> None:
    assert post({}, step(X.eq(3)), [X, Y]) == {X: 3}
    assert post({X: 4}, step(X.eq(3)), [X]) is None
    assert post({X: 3}, step(b.not_(X.eq(3))), [X]) is None
    assert post({Y: 1}, step(b.or_(Y.eq(2), X.eq(3))), [X, Y]) == {X: 3, Y: 1}
    assert post({}, step(b.not_(P)), [P]) == {P: False}
    assert post({Y: 2}, step(X.eq(Y + 1)), [X]) == {X: 3}
    assert post({}, step(b.and_(X.eq(3), Y.eq(X + 1), Y.eq(5))), [X, Y]) is None


def test_updates_are_simultaneous_and_unknowns_stay_unknown() -> None:
    drawn = b.var("x!1", INT)
    assert post({X: 1, Y: 2}, step(b.TRUE, {X: Y, Y: X}), [X, Y]) == {X: 2, Y: 1}
    assert post({X: 1}, step(b.TRUE, {X: drawn}, (drawn,)), [X]) == {}
    assert post({X: 1}, step(b.TRUE, {Y: X + 1}), [X, Y]) == {X: 1, Y: 2}
    assert post({X: 1}, step(b.TRUE), []) == {}
    assert initial(b.and_(X.eq(2), Y >= 0), [X, Y]) == {X: 2}


def test_cubes_are_merged() -> None:
    p, q, r = (b.var(name, BOOL) for name in "pqr")
    assert _combination([p, q], [(True, True), (True, False)]) == [p]
    every = list(product([False, True], repeat=3))
    assert _combination([p, q, r], every) == []
    found = b.and_(*_combination([p, q, r], [(True, True, False), (False, False, False)]))
    for values in every:
        state = dict(zip((p, q, r), values, strict=True))
        assert Evaluator(state)(found) is (values in [(True, True, False), (False, False, False)])


def test_removing_a_cover_gives_its_nodes_back() -> None:
    tree = Tree(lambda region, other: set(other) <= set(region))
    place, stamp = Location("l"), ((), 0, False)
    root = Node(Location("r"), {}, (), stamp)
    weak = Node(place, {X: 1}, (), stamp, root)
    strong = Node(place, {X: 1, Y: 2}, (P,), stamp, root)
    other = Node(place, {X: 2}, (), stamp, root)
    for node in (root, weak, strong, other):
        tree.add(node)
    assert strong.covered_by is weak and other.covered_by is None and tree.size == 4
    assert tree.remove(weak) == [strong]
    assert strong.covered_by is None and weak.removed and tree.size == 3
    assert not tree.settle(strong)
    assert [node for node in tree.nodes() if node.location is place] == [strong, other]


def test_dead_variables_are_not_tracked() -> None:
    cfa = automaton(
        (X, Y),
        [("a", "b", [Assign(X, b.integer(1)), Assign(Y, b.integer(2))]),
         ("b", "b", [Assume(X.eq(1)), Havoc(Y)]),
         ("b", "e", [Assume(X.eq(2))])],
        "a", ("e",),
    )
    assert Graph(cfa).live[cfa.location("b")] == {X}


def run(cfa: Cfa, options: Options) -> tuple[object, list[Event]]:
    events: list[Event] = []
    return check(cfa, options, Context(Budget(60), events.append)), events


def two_loops() -> Cfa:
    """Each loop needs a predicate of its own: x >= 0 at the first, y >= 0 at the second."""
    return automaton(
        (X, Y),
        [("a", "b", [Assign(X, b.integer(0))]), ("b", "b", [Assign(X, X + 1)]),
         ("b", "bad", [Assume(X < 0)]), ("b", "c", [Assign(Y, b.integer(0))]),
         ("c", "c", [Assign(Y, Y + 1)]), ("c", "bad", [Assume(Y < 0)])],
        "a", ("bad",),
    )


def test_predicates_belong_to_locations() -> None:
    verdict, events = run(two_loops(), Options(domain="predicates", blocks="false"))
    assert isinstance(verdict, Safe)
    found = [(event.location, event.predicate) for event in events if isinstance(event, PredicateFound)]
    assert {x.name for location, p in found if location == "c" for x in free_vars(p)} == {"y"}
    assert {x.name for location, p in found if location == "b" for x in free_vars(p)} == {"x"}


def test_a_variable_with_many_values_is_given_up() -> None:
    cfa = automaton(
        (X, Y),
        [("a", "b", [Assign(X, b.integer(0))]), ("b", "b", [Assume(X < 1000), Assign(X, X + 1)]),
         ("b", "bad", [Assume(X > 1000)])],
        "a", ("bad",),
    )
    verdict, events = run(cfa, Options(max_values=10))
    assert isinstance(verdict, Safe)
    assert any(isinstance(event, Note) and "x has too many values" in event.text for event in events)


def test_when_interpolants_enumerate_the_program_has_the_bound() -> None:
    cfa = automaton(
        (X,),
        [("a", "b", [Assign(X, b.integer(0))]), ("b", "b", [Assume(X.ne(100000)), Assign(X, X + 1)]),
         ("b", "bad", [Assume(X > 100000)])],
        "a", ("bad",),
    )
    verdict, events = run(cfa, Options(domain="predicates"))
    assert isinstance(verdict, Safe)
    assert len([event for event in events if isinstance(event, PredicateFound)]) < 20


def test_five_thousand_locations() -> None:
    """A chain of branches, each followed by a test of what it assigned: linear in nodes."""
    size = 1250
    edges = []
    places = [Location(f"l{number}") for number in range(size + 1)]
    bad = Location("bad")
    inner: list[Location] = []
    for number, (here, there) in enumerate(pairwise(places)):
        left, right, after = (Location(f"{side}{number}") for side in ("left", "right", "after"))
        inner += [left, right, after]
        edges += [
            Edge(here, left, (Assume(number < Y),)), Edge(here, right, (Assume(b.not_(number < Y)),)),
            Edge(left, after, (Assign(X, b.integer(number)),)),
            Edge(right, after, (Assign(X, b.integer(number)),)),
            Edge(after, there, (Assume(X.eq(number)),)), Edge(after, bad, (Assume(b.not_(X.eq(number))),)),
        ]
    cfa = Cfa((X, Y), (*places, *inner, bad), tuple(edges), places[0], (bad,))
    context = Context(Budget(60))
    verdict = check(cfa, Options(), context)
    assert isinstance(verdict, Safe)
    assert context.stats.counts["nodes"] < 8 * len(cfa.locations)


def test_what_cannot_be_handled_is_unknown_at_once() -> None:
    store = b.var("m", Array(INT, INT))
    all_zero = b.forall([Y], b.select(store, Y).eq(0))
    cfa = automaton((X, store), [("a", "e", [Assume(all_zero)])], "a", ("e",))
    verdict, _ = run(cfa, Options())
    assert isinstance(verdict, Unknown) and "a quantifier" in verdict.reason


def test_arrays_are_left_to_the_solver() -> None:
    store = b.var("m", Array(INT, INT))
    cfa = automaton(
        (X, store),
        [("a", "b", [Assign(store, b.store(store, X, b.integer(1)))]),
         ("b", "e", [Assume(b.select(store, X).eq(1))])],
        "a", ("e",),
    )
    verdict, _ = run(cfa, Options())
    assert isinstance(verdict, Unsafe)
