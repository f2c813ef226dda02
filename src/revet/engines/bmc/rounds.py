"""Unwinding: loops round by round, runs merged where the program joins them.

The unwinding is the checker's (:mod:`revet.checker.rounds`), which repeats it on the program before any pass
when all runs have ended. What is added here is the run to an error location that can be reached.
"""

from __future__ import annotations

from revet.checker.paths import relevant
from revet.checker.queries import Queries
from revet.checker.rounds import Rounds, Visit, Way
from revet.engines.bmc.traces import run
from revet.engines.common.context import Context
from revet.events import FrameOpened
from revet.logic.core import disjunction
from revet.model.cfa import Cfa
from revet.result import CfaTrace, Exhausted, Safe, Unknown, Unsafe, Verdict
from revet.smt import Model, SolverFactory, Status
from revet.smt.logics import logic_of


def search(cfa: Cfa, backend: SolverFactory, context: Context, bound: int | None) -> Verdict:
    """With a ``bound``, up to so many new rounds of each loop."""
    queries = Queries(backend, context.budget, logic_of(cfa))
    rounds = Rounds(cfa, relevant(cfa, [*cfa.errors]), queries)
    errors = frozenset(cfa.errors)
    cut = False
    for visits in rounds.follow(bound):
        if queries.may_hold(disjunction(visit.passed for visit in visits)):
            if queries.status is Status.UNKNOWN:
                return Unknown(f"the solver could not decide a round: {queries.reason_unknown}")
            if visits[0].location in errors:
                model = queries.model()
                return Unsafe(_run_to(next(visit for visit in visits if model.holds(visit.passed)), model))
            cut = True
        context.observe(FrameOpened("bmc", rounds.most))
    if cut:
        return Unknown(f"no violation within {bound} rounds of each loop")
    return Safe(Exhausted(rounds.most + 1, by_rounds=True))


def _run_to(visit: Visit, model: Model) -> CfaTrace:
    visits = [visit]
    ways: list[Way] = []
    while visits[-1].ways:
        way = next(way for way in visits[-1].ways if model.holds(way.taken))
        ways.append(way)
        visits.append(way.source)
    visits.reverse()
    ways.reverse()
    return run(
        model,
        [each.location for each in visits],
        [each.values for each in visits],
        [way.edge for way in ways],
        [way.inputs for way in ways],
    )


__all__ = ["search"]
