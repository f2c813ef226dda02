"""Sequence interpolants by one Horn query to Spacer.

Each cut gets an unknown predicate over its common variables. The rules form a chain without
cycles, so Spacer always ends up with an answer in decidable theories; what it learns on the way
are the interpolants, and it prefers facts that hold at many levels.
"""

from __future__ import annotations

from revet.budget import Budget
from revet.logic.core import var
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.smt.interpolation.problem import Chain
from revet.smt.protocol import SolverError
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Horn, Predicate, Refuted


def solve(chain: Chain, budget: Budget | None) -> list[Term]:
    """The interpolants; a context of its own, because Spacer is not meant to share one."""
    backend = Z3()
    horn = Horn(backend)
    cuts: list[tuple[Predicate, list[Term]]] = []
    for number, common in enumerate(chain.common):
        variables = sorted(common, key=lambda v: v.name)
        arguments = [var(f"arg!{number}!{i}", v.sort) for i, v in enumerate(variables)]
        cuts.append((horn.predicate(f"cut!{number}", arguments), variables))
    goal = horn.predicate("contradiction!", [])
    for number, part in enumerate(chain.parts):
        body = list(part)
        if number > 0:
            predicate, variables = cuts[number - 1]
            body.append(predicate(*variables))
        if number < len(cuts):
            predicate, variables = cuts[number]
            horn.rule(body, predicate(*variables))
        else:
            horn.rule(body, goal())
    answer = horn.query(goal(), budget)
    if not isinstance(answer, Refuted):
        raise SolverError("Spacer found no interpolant")
    found = []
    for predicate, variables in cuts:
        formula = answer.model.get(predicate)
        if formula is None:
            raise SolverError("Spacer's answer lacks a predicate")
        found.append(substitute(formula, dict(zip(predicate.arguments, variables, strict=True))))
    return found
