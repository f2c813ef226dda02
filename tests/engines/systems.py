"""Tiny transition systems with their verdicts, random ones, and explicit-state search."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product

from revet.logic import build as b
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL, INT, BitVec
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.logic.walk import substitute
from revet.model.relation import Relation
from revet.model.system import TransitionSystem


@dataclass(frozen=True)
class Case:
    name: str
    system: TransitionSystem
    safe: bool
    depth: int | None = None  # of the shortest counterexample


X, Y, Z = (b.var(n, INT) for n in "xyz")
P, Q = b.var("p", BOOL), b.var("q", BOOL)
INPUT = b.var("in", BOOL)


def system(
    init: Term, updates: dict[Term, Term], prop: Term, *, guard: Term = b.TRUE,
    inputs: tuple[Term, ...] = (), invariants: tuple[Term, ...] = (), variables: tuple[Term, ...] = (),
) -> TransitionSystem:
    names = variables or tuple(updates)
    step = Relation(guard, {x: v for x, v in updates.items() if v is not x}, inputs)
    return TransitionSystem(names, init, step, {"p": prop}, invariants)


def inc(x: Term) -> Term:
    return x + 1


CASES = [
    Case("x-not-zero", system(X.eq(1), {X: X + 1}, X.ne(0)), True),
    Case("y-not-negative", system(b.and_(X.eq(0), Y.eq(1)), {X: X + 1, Y: X + Y}, Y >= 0), True),
    Case("swap", system(b.and_(X.eq(1), Y.eq(0)), {X: Y, Y: X}, b.or_(X.eq(0), X.eq(1))), True),
    Case("periodic", system(X.eq(4), {X: b.ite(X.eq(10), b.integer(0), X + 2)}, X < 11), True),
    Case("counter-bug", system(X.eq(0), {X: X + 1}, X < 5), False, 5),
    Case("initially-bad", system(X.eq(0), {X: X + 1}, X > 0), False, 0),
    Case("toggle", system(P, {P: b.not_(P), Q: P}, b.or_(P, Q), variables=(P, Q)), True),
    Case("input-bug", system(X.eq(0), {X: b.ite(INPUT, X + 3, X)}, X.ne(6), inputs=(INPUT,)), False, 2),
    Case("guarded", system(X.eq(0), {X: X + 1}, X <= 10, guard=X < 10), True),
    Case("assumed", system(X.eq(0), {X: X + 1}, X <= 3, invariants=(X <= 3,)), True),
    Case("no-initial-state", system(b.FALSE, {X: X + 1}, X < 0, variables=(X,)), True),
    Case("deadlock", system(X.eq(0), {X: X + 1}, X.ne(5), guard=X < 2), True),
    Case("two-counters", system(b.and_(X.eq(0), Y.eq(0)), {X: X + 1, Y: Y + 1}, X.eq(Y)), True),
]
BV = b.var("v", BitVec(8))
CASES += [
    Case("bits-even", system(BV.eq(0), {BV: BV + 2}, b.not_(b.bit(BV, 0))), True),
    Case("bits-wrap", system(BV.eq(250), {BV: BV + 1}, b.not_(BV.eq(1))), False, 7),
]


def random_system(seed: int) -> TransitionSystem:
    """Booleans and small bounded integers with random guarded updates, safe or not."""
    rng = random.Random(seed)
    top = rng.randint(2, 4)
    ints = [X, Y][: rng.randint(0, 2)]
    bools = [P, Q][: rng.randint(0 if ints else 1, 2)]
    inputs = (INPUT,) if rng.random() < 0.5 else ()

    def number(depth: int = 0) -> Term:
        roll = rng.random()
        if depth > 1 or roll < 0.3:
            return b.integer(rng.randint(0, top))
        if roll < 0.7 and ints:
            return rng.choice(ints)
        if roll < 0.85:
            return number(depth + 1) + number(depth + 1)
        return b.ite(formula(depth + 1), number(depth + 1), number(depth + 1))

    def formula(depth: int = 0) -> Term:
        roll = rng.random()
        if roll < 0.3 and (bools or inputs):
            return rng.choice([*bools, *inputs])
        if (roll < 0.6 and ints) or depth > 2:
            left, right = number(depth + 1), number(depth + 1)
            return rng.choice([left <= right, left < right, left.eq(right)])
        if roll < 0.7:
            return b.not_(formula(depth + 1))
        make = rng.choice([b.and_, b.or_, b.iff])
        return make(formula(depth + 1), formula(depth + 1))

    def clamp(term: Term) -> Term:
        return b.ite(term > top, b.integer(rng.randint(0, top)), term)

    updates: dict[Term, Term] = {x: clamp(x + 1 if rng.random() < 0.5 else number()) for x in ints}
    updates.update({p: formula() for p in bools})
    drop = {i: b.boolean(rng.random() < 0.5) for i in inputs}

    def state_formula() -> Term:
        return substitute(formula(), drop)

    bounds = b.conjunction(b.and_(x >= 0, x <= top) for x in ints)
    init = b.and_(bounds, *(x.eq(rng.randint(0, top)) for x in ints if rng.random() < 0.8),
                  *(p for p in bools if rng.random() < 0.7))
    guard = formula() if rng.random() < 0.3 else b.TRUE
    invariants = (state_formula(),) if rng.random() < 0.15 else ()
    # Forbidding single states gives deeper counterexamples than random formulas.
    corner = b.and_(
        *(x.eq(rng.randint(0, top)) for x in ints),
        *(b.iff(p, b.boolean(rng.random() < 0.5)) for p in bools),
    )
    prop = b.not_(corner) if rng.random() < 0.7 else b.or_(state_formula(), state_formula())
    step = Relation(guard, {x: v for x, v in updates.items() if v is not x}, inputs)
    return TransitionSystem((*ints, *bools), init, step, {"p": prop}, invariants, f"random-{seed}")


def explicit(system: TransitionSystem, top: int = 8) -> int | None:
    """The depth of a shortest violation by explicit-state search, None if there is none."""

    def values(x: Term) -> list[Value]:
        return [False, True] if x.sort is BOOL else list(range(top + 1))

    invariant = system.invariant
    layer = []
    for chosen in product(*(values(x) for x in system.variables)):
        state = dict(zip(system.variables, chosen, strict=True))
        if Evaluator(state)(b.and_(system.init, invariant)):
            layer.append(state)
    seen = {tuple(s.values()) for s in layer}
    depth = 0
    while layer:
        following = []
        for state in layer:
            if not Evaluator(state)(system.property):
                return depth
            for chosen in product(*(values(v) for v in system.inputs)):
                both = Evaluator({**state, **dict(zip(system.inputs, chosen, strict=True))})
                if not both(system.step.guard):
                    continue
                after = {x: both(system.step.after(x)) for x in system.variables}
                key = tuple(after.values())
                if key not in seen and Evaluator(after)(invariant):
                    seen.add(key)
                    following.append(after)
        layer = following
        depth += 1
    return None
