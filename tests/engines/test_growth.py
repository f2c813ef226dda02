"""Growth with the size of the program: n locks that are taken and released, in one loop.

Measured in solver queries and CPU time of the process, which the load of the machine does not change
much; the bound is a little above quadratic in n.
"""

import time

import pytest

from revet.budget import Budget
from revet.engines import ic3_qe, kind, spacer
from revet.engines.common.context import Context
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.model.cfa import Cfa, Edge, Location
from revet.model.statements import Assign, Assume, Havoc
from revet.result import Safe, Unsafe
from revet.transform.blocks import large_blocks
from revet.transform.to_system import to_system


def locks(n: int, *, bug: bool = False) -> Cfa:
    """while true: p_i = any; l_i = 0; if p_i: l_i = 1; …; if p_i and l_i != 1: error."""
    start, head, error = Location("start"), Location("head"), Location("error")
    locations, edges = [start, head, error], [Edge(start, head)]
    at = head
    conditions = [b.var(f"p{i}", INT) for i in range(n)]
    held = [b.var(f"l{i}", INT) for i in range(n)]

    def go(name: str) -> Location:
        locations.append(Location(name))
        return locations[-1]

    for i, (p, lock) in enumerate(zip(conditions, held, strict=True)):
        taken = go(f"take{i}")
        reset = (Havoc(p), Assign(lock, b.integer(0)))
        grabbed = b.integer(0 if bug and i == n - 1 else 1)
        edges.append(Edge(at, taken, (*reset, Assume(p.ne(0)), Assign(lock, grabbed))))
        edges.append(Edge(at, taken, (*reset, Assume(p.eq(0)))))
        at = taken
    for i, (p, lock) in enumerate(zip(conditions, held, strict=True)):
        freed = head if i == n - 1 else go(f"free{i}")
        edges.append(Edge(at, error, (Assume(p.ne(0)), Assume(lock.ne(1)))))
        edges.append(Edge(at, freed, (Assume(p.ne(0)), Assume(lock.eq(1)), Assign(lock, b.integer(0)))))
        edges.append(Edge(at, freed, (Assume(p.eq(0)),)))
        at = freed
    return Cfa((*conditions, *held), tuple(locations), tuple(edges), start, (error,), name=f"locks-{n}")


def effort(engine, n: int, *, bug: bool = False) -> tuple[int, float]:
    model = large_blocks(locks(n, bug=bug)).model
    if engine is not spacer:
        model = to_system(model).model
    context = Context(Budget(60))
    start = time.process_time()
    verdict = engine.check(model, engine.Options(), context)
    assert isinstance(verdict, Unsafe if bug else Safe)
    return context.stats.counts["queries"], time.process_time() - start


@pytest.mark.parametrize("bug", [False, True], ids=["safe", "bug"])
@pytest.mark.parametrize("engine", [kind, ic3_qe, spacer], ids=["kind", "ic3-qe", "spacer"])
def test_at_most_quadratic(engine, bug: bool) -> None:
    small_queries, small_time = effort(engine, 5, bug=bug)
    queries, seconds = effort(engine, 20, bug=bug)
    assert queries <= 16 * small_queries + 20
    assert seconds <= 20 * small_time + 2.0


@pytest.mark.long
@pytest.mark.parametrize("engine", [kind, ic3_qe], ids=["kind", "ic3-qe"])
def test_forty_locks(engine) -> None:
    for n in (10, 20, 30, 40):
        _, seconds = effort(engine, n)
        assert seconds < 30
