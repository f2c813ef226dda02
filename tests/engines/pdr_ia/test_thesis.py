"""The worked examples of Tegzes, *Applying incremental, inductive model checking to software* (2018)."""

import pytest

from revet.budget import Budget
from revet.engines import pdr_ia
from revet.engines.common.context import Context
from revet.events import FrameOpened, LemmaLearnt, ObligationOpened, PredicateFound
from revet.logic import build as b
from revet.logic.sorts import BOOL, INT
from revet.logic.terms import Term
from revet.model.names import prime
from revet.model.relation import Relation
from revet.model.system import TransitionSystem
from revet.result import KInductive, Safe, Unsafe
from revet.smt import Status, default_backend
from tests.engines.evidence import confirmed

STRATEGIES = ["this-path", "all-paths"]
S = b.var("s", INT)
A, B, C, D = range(4)


def explicit_system(transitions: list[tuple[int, int]]) -> TransitionSystem:
    """States a, b, c, d; a is initial, d is unsafe."""
    trans = b.disjunction(b.and_(S.eq(source), prime(S).eq(target)) for source, target in transitions)
    return TransitionSystem.from_relation((S,), S.eq(A), trans, {"not d": S.ne(D)})


def run(model: TransitionSystem, strategy: str, **more):
    verdict = pdr_ia.check(model, pdr_ia.Options(refinement=strategy, **more), Context(Budget(20)))
    confirmed(model, verdict)
    return verdict


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_examples_7_and_10(strategy: str) -> None:
    """Example 7's system is safe; Example 10: {a, b} is a safety invariant, {a, b, d} is not one."""
    model = explicit_system([(A, B), (C, A), (C, D), (D, B)])
    verdict = run(model, strategy)
    assert isinstance(verdict, Safe) and isinstance(verdict.certificate, KInductive)
    invariant = verdict.certificate.formula
    solver = default_backend().solver()
    for state, expected in ((A, Status.SAT), (B, Status.SAT), (D, Status.UNSAT)):
        assert solver.check([invariant, S.eq(state)]) is expected
    assert is_invariant(model, states(A, B)) and is_invariant(model, states(A, B, D))
    assert not implies(states(A, B, D), model.property) and implies(states(A, B), model.property)


def states(*numbers: int) -> Term:
    return b.disjunction(S.eq(number) for number in numbers)


def implies(left: Term, right: Term) -> bool:
    return default_backend().solver().check([left, b.not_(right)]) is Status.UNSAT


def is_invariant(model: TransitionSystem, formula: Term) -> bool:
    leaving = model.step.pre(b.not_(formula))
    return implies(model.init, formula) and implies(b.and_(formula, leaving), b.FALSE)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_examples_8_and_9(strategy: str) -> None:
    """Turning the transition (c, a) round makes acd a counterexample, and the only one."""
    model = explicit_system([(A, B), (A, C), (C, D), (D, B)])
    verdict = run(model, strategy)
    assert isinstance(verdict, Unsafe)
    assert [state[S] for state in verdict.trace.states] == [A, C, D]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_example_11(strategy: str) -> None:
    """Two variables over a domain of two values; p(x) is x itself here."""
    x, y = b.var("x", BOOL), b.var("y", BOOL)
    n = b.not_
    trans = b.or_(b.and_(n(x), n(y), prime(x), n(prime(y))), b.and_(y, n(prime(y))))
    model = TransitionSystem.from_relation((x, y), b.and_(n(x), n(y)), trans, {"not both": b.or_(n(x), n(y))})
    assert isinstance(run(model, strategy), Safe)


def example_12(factor_starts_at: int) -> TransitionSystem:
    """The automaton of Example 12 as the thesis's equivalent system, with a location variable.

    a --x := 0--> b --havoc y--> c --y := x*y--> d --x := x+1--> b,  d --assume y > 20--> f
    """
    location, x, y = (b.var(name, INT) for name in ("l", "x", "y"))
    drawn, leave = b.var("drawn", INT), b.var("leave", BOOL)
    a_, b_, c_, d_, f_ = range(5)

    def at(number: int) -> Term:
        return location.eq(number)

    guard = b.and_(location.ne(f_), b.implies(b.and_(at(d_), leave), y > 20))
    where = b.ite(at(a_), b.integer(b_), b.ite(at(b_), b.integer(c_), b.ite(at(c_), b.integer(d_),
            b.ite(leave, b.integer(f_), b.integer(b_)))))
    updates = {
        location: where,
        x: b.ite(at(a_), b.integer(factor_starts_at), b.ite(b.and_(at(d_), b.not_(leave)), x + 1, x)),
        y: b.ite(at(b_), drawn, b.ite(at(c_), x * y, y)),
    }
    return TransitionSystem(
        (location, x, y), at(a_), Relation(guard, updates, (drawn, leave)), {"f": location.ne(f_)}
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_example_12(strategy: str) -> None:
    """e1 e2 e3 e4 e2 e3 e5 is a shortest counterexample: seven steps; e1 e2 e3 e5 is infeasible."""
    verdict = run(example_12(0), strategy)
    assert isinstance(verdict, Unsafe) and len(verdict.trace) >= 7
    # Starting with x = 1 instead, the shorter path becomes feasible.
    verdict = run(example_12(1), strategy)
    assert isinstance(verdict, Unsafe) and len(verdict.trace) >= 4


def run_log(model: TransitionSystem) -> list[object]:
    events: list[object] = []
    options = pdr_ia.Options(seeds="property")
    pdr_ia.check(model, options, Context(Budget(20), observe=events.append))
    return events


def test_the_run_on_example_7() -> None:
    """d is blocked in F_1; its predecessor c has none in turn, so both are blocked in F_2 and up."""
    model = explicit_system([(A, B), (C, A), (C, D), (D, B)])
    events = run_log(model)
    assert [event.level for event in events if isinstance(event, FrameOpened)] == [1, 2, 3]
    assert [event.cube.formula() for event in events if isinstance(event, ObligationOpened)] == [S.eq(C)]
    lemmas = [(event.lemma, event.level) for event in events if isinstance(event, LemmaLearnt)]
    assert lemmas[:3] == [(S.ne(D), 1), (S.ne(C), 2), (S.ne(D), 2)]
    assert all(implies(model.init, lemma) for lemma, _ in lemmas)


def test_refinement_separates_b_from_c() -> None:
    """With d recognised by an inequality, the abstraction cannot tell b from c: c seems to be
    reached from a, one refinement separates them, and then c is blocked for good."""
    model = explicit_system([(A, B), (C, A), (C, D), (D, B)])
    model = TransitionSystem(model.variables, model.init, model.step, {"below d": S < D})
    events = run_log(model)
    assert (S <= B) in [event.predicate for event in events if isinstance(event, PredicateFound)]
    lemmas = {event.lemma: event.level for event in events if isinstance(event, LemmaLearnt)}
    assert lemmas[S <= B] is None  # at infinity
