"""Soundness of the domains: abstract operations contain what concrete ones yield."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revet.engines.absint.analysis import DOMAINS
from revet.engines.absint.domain import Domain, truth
from revet.engines.absint.intervals import Interval
from revet.engines.absint.states import State
from revet.engines.absint.states import to_formula as state_formula
from revet.engines.absint.transfer import Transfer
from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.semantics import apply_operator
from revet.logic.sorts import BOOL, INT, REAL
from revet.logic.terms import Op, Term
from revet.model.execute import Stuck, draws, execute
from revet.model.statements import Assign, Assume, Havoc

X, Y, P = b.var("x", INT), b.var("y", INT), b.var("p", BOOL)
R = b.var("r", REAL)
NAMES = sorted(DOMAINS)
small = st.integers(-12, 12)
sets = st.lists(st.one_of(small, st.integers(-(10**30), 10**30)), min_size=1, max_size=4)


def abstract(domain: Domain[Any], numbers: list[Any]) -> Any:
    value = domain.constant(numbers[0])
    for number in numbers[1:]:
        value = domain.join(value, domain.constant(number))
    return value


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(left=sets, right=sets)
def test_operators(name: str, left: list[int], right: list[int]) -> None:
    domain = DOMAINS[name]()
    a, c = abstract(domain, left), abstract(domain, right)
    operators = [(Op.ADD, domain.add), (Op.MUL, domain.mul), (Op.DIV, domain.div), (Op.MOD, domain.mod)]
    for x in left:
        for y in right:
            for op, operation in operators:
                expected = apply_operator(op, None, INT, [INT, INT], [x, y])
                assert domain.contains(operation(a, c), expected), op  # type: ignore[arg-type]
            fractions = apply_operator(Op.RDIV, None, REAL, [REAL, REAL], [Fraction(x), Fraction(y)])
            assert domain.contains(domain.rdiv(a, c), fractions)  # type: ignore[arg-type]
            assert domain.at_most(a, c) & truth(x <= y)
            assert domain.equal(a, c) & truth(x == y)
            for strict in (False, True):
                if x < y or (x == y and not strict):
                    assert domain.contains(domain.below(c, strict=strict, integer=True), x)
                    assert domain.contains(domain.above(a, strict=strict, integer=True), y)
            if x != y:
                rest = domain.without(a, c, integer=True)
                assert rest is not None and domain.contains(rest, x)
            if x == y:
                met = domain.meet(a, c)
                assert met is not None and domain.contains(met, x)
            if y != 0:
                rest = domain.quotient(domain.constant(x * y), y, integer=True)
                assert rest is not None and domain.contains(rest, x)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(old=sets, new=sets, thresholds=st.lists(small, max_size=4), probe=small)
def test_lattice(name: str, old: list[int], new: list[int], thresholds: list[int], probe: int) -> None:
    domain = DOMAINS[name]()
    a, c = abstract(domain, old), abstract(domain, new)
    widened = domain.widen(a, domain.join(a, c), sorted(thresholds))
    for number in (*old, *new):
        assert domain.contains(domain.join(a, c), number)
        assert domain.contains(widened, number)
    narrowed = domain.narrow(widened, a)
    assert all(domain.contains(narrowed, number) for number in old)
    # the formula means membership
    for number in (*old, probe):
        assert Evaluator({X: number})(domain.to_formula(X, a)) is domain.contains(a, number)


terms = st.recursive(
    st.one_of(st.sampled_from([X, Y]), small.map(b.integer)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, inner).map(lambda p: b.div(*p)),
        st.tuples(inner, inner).map(lambda p: b.mod(*p)),
        st.tuples(inner, inner).map(lambda p: b.ite(p[0] <= p[1], p[1], p[0])),
        st.tuples(inner, inner).map(lambda p: b.ite(P, p[0], b.neg(p[1]))),
        inner.map(lambda t: b.to_int(b.mul(b.real(Fraction(1, 3)), b.to_real(t)))),
    ),
    max_leaves=6,
)
atoms = st.one_of(
    st.tuples(terms, terms).map(lambda p: p[0] <= p[1]),
    st.tuples(terms, terms).map(lambda p: p[0] < p[1]),
    st.tuples(terms, terms).map(lambda p: p[0].eq(p[1])),
    st.just(P),
    terms.map(lambda t: b.iff(P, t <= X)),
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(b.conjunction),
        st.lists(inner, min_size=2, max_size=3).map(b.disjunction),
        inner.map(b.not_),
        st.tuples(inner, inner, inner).map(lambda p: b.ite(*p)),
    ),
    max_leaves=5,
)
statements = st.one_of(
    conditions.map(Assume),
    conditions.map(lambda c: Assign(P, c)),
    st.tuples(st.sampled_from([X, Y]), terms).map(lambda p: Assign(*p)),
    st.sampled_from([Havoc(X), Havoc(P)]),
)
valuations = st.fixed_dictionaries({X: small, Y: small, P: st.booleans()})


def abstracted(domain: Domain[Any], states: list[dict[Term, Any]]) -> State:
    found: dict[Term, Any] = {}
    for variable in (X, Y):
        value = abstract(domain, [state[variable] for state in states])
        if value != domain.top:
            found[variable] = value
    masks = {truth(state[P]) for state in states}
    if len(masks) == 1:
        found[P] = masks.pop()
    return found


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    program=st.lists(statements, min_size=1, max_size=3),
    starts=st.lists(valuations, min_size=1, max_size=3),
    drawn=st.lists(st.tuples(small, st.booleans()), min_size=3, max_size=3),
)
def test_statements(name: str, program: list[Any], starts: list[Any], drawn: list[Any]) -> None:
    """The abstract run of statements contains every concrete run of them."""
    domain = DOMAINS[name]()
    before = abstracted(domain, starts)
    after = Transfer(domain).run(program, before)
    formula = state_formula(domain, after)
    for start in starts:
        needed = zip(draws(program), drawn, strict=False)
        values = [boolean if variable is P else number for variable, (number, boolean) in needed]
        try:
            end = execute(program, start, values)
        except Stuck:
            continue
        assert Evaluator(end)(formula) is True, (after, end)


def test_refinement() -> None:
    """Conditions cut down what is known, through sums, products and choices."""
    transfer = Transfer(DOMAINS["intervals"]())
    state = transfer.assume(b.and_(X >= 0, X + Y * 2 <= 10, Y >= 1), {})
    assert state is not None and state[X] == (0, 8) and state[Y] == (1, 5)
    assert transfer.assume(b.and_(X < Y, Y < X + 1), {X: Interval(0, 0), Y: Interval(0, 5)}) is None
    signs = Transfer(DOMAINS["signs"]())
    assert signs.assume(X.ne(0), {}) == {X: 5}
    assert signs.assume(b.and_(X.ne(0), X >= 0), {}) == {X: 4}
    chosen = transfer.assume(b.ite(P, X, b.integer(-1)) >= 0, {})
    assert chosen is not None and chosen[P] == 2
