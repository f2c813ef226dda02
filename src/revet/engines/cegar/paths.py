"""A path of the tree as formulas over versions of the variables, and as a run.

A variable gets a new version only where a step assigns it, so that a path of a thousand
statements over a hundred variables stays a thousand equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from revet.engines.cegar.graph import Step
from revet.logic.core import conjunction, eq
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Term
from revet.logic.walk import substitute
from revet.model.cfa import Cfa
from revet.model.names import at
from revet.result.trace import CfaTrace
from revet.smt.protocol import Model


@dataclass(frozen=True, eq=False)
class PathFormula:
    """``formulas[0]`` describes the start, ``formulas[i + 1]`` the i-th step; ``versions[i]`` are
    the variables' names after i steps, ``drawn[i]`` those of the i-th step's locals."""

    formulas: tuple[Term, ...]
    versions: tuple[dict[Term, Term], ...]
    drawn: tuple[dict[Term, Term], ...]

    def at_state(self, number: int, formula: Term) -> Term:
        """A formula over the versions at a state, over the plain variables."""
        names = {version: variable for variable, version in self.versions[number].items()}
        return substitute(formula, names)


def path_formula(cfa: Cfa, steps: Sequence[Step]) -> PathFormula:
    current = {x: at(x, 0) for x in cfa.variables}
    formulas = [substitute(cfa.precondition, current)]
    versions, drawn = [current], []
    for number, step in enumerate(steps):
        relation = step.relation
        fresh = {local: at(local, number) for local in relation.locals}
        before = {**current, **fresh}
        memo: dict[Term, Term] = {}
        parts = [substitute(relation.guard, before, memo)]
        current = dict(current)
        for variable, value in relation.updates.items():
            current[variable] = at(variable, number + 1)
            parts.append(eq(current[variable], substitute(value, before, memo)))
        formulas.append(conjunction(parts))
        versions.append(current)
        drawn.append(fresh)
    return PathFormula(tuple(formulas), tuple(versions), tuple(drawn))


def run_of(cfa: Cfa, steps: Sequence[Step], path: PathFormula, model: Model) -> CfaTrace:
    """The run that a model of the path describes, edge by edge.

    Only the first state and the values drawn are read; the rest follows by evaluation.
    """
    state = {x: model.value(version) for x, version in path.versions[0].items()}
    locations, states, edges, inputs = [cfa.initial], [state], [], []
    for step, names in zip(steps, path.drawn, strict=True):
        for edge in step.edges:
            relation = cfa.relation(edge)
            chosen = {local: model.value(names[local]) for local in relation.locals}
            evaluate = Evaluator({**state, **chosen})
            state = {x: evaluate(relation.after(x)) for x in cfa.variables}
            locations.append(edge.target)
            states.append(state)
            edges.append(edge)
            inputs.append(chosen)
    return CfaTrace(tuple(locations), tuple(states), tuple(edges), tuple(inputs))
