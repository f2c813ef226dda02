"""Images of random automata against their definition: execution of the edges, and duality."""

from __future__ import annotations

from itertools import product

import pytest

from revet.budget import Budget
from revet.images.space import Space
from revet.logic.core import and_, const, eq
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.values import Value
from revet.model.execute import draws, execute
from tests.generators import P, X, Y, random_cfa

VALUES = list(product(range(4), range(4), (False, True)))


def fixed(state: dict[Term, Value]) -> Term:
    return and_(*(eq(x, const(value, x.sort)) for x, value in state.items()))


@pytest.mark.parametrize("seed", range(12))
def test_images_are_what_edges_do(seed: int) -> None:
    cfa = random_cfa(seed)
    space = Space(cfa, Budget(60))
    for edge in cfa.edges[:6]:
        if draws(edge.statements):
            continue
        relation = cfa.relation(edge)
        wanted = X <= Y
        after = space.post(space.states({edge.source: wanted}), [edge]).formula(edge.target)
        before = space.pre(space.states({edge.target: wanted}), [edge]).formula(edge.source)
        weakest = space.wp(space.states({edge.target: wanted}), [edge]).formula(edge.source)
        for x, y, p in VALUES:
            state: dict[Term, Value] = {X: x, Y: y, P: p}
            moves = bool(Evaluator(state)(relation.guard))
            end = execute(edge.statements, state, []) if moves else None
            inside = end is not None and bool(Evaluator(end)(wanted))
            assert bool(Evaluator(state)(before)) == inside
            assert bool(Evaluator(state)(weakest)) == (inside or not moves)
            if end is not None and Evaluator(state)(wanted):
                assert Evaluator(end)(after)
            if Evaluator(state)(after):  # then some state with the formula leads there
                origin = space.pre(space.states({edge.target: fixed(state)}), [edge])
                assert space.simplifier.holds(origin.formula(edge.source), wanted)
