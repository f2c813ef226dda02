"""Counterexample generalisation: from one step to a cube of states that all take such a step.

``G(x) = exists inputs. T and B(x')`` is the set of all predecessors. Its cube around the model is
found in one of three ways (option ``generalization``):

``project``    the literals that make the body true in the model, definitions substituted, the
               rest projected around the model by z3;
``cooper``     the same with our own projection (:mod:`ic3_qe.cooper`), integers only;
``eliminate``  exact quantifier elimination first, then the cube around the model.
"""

from __future__ import annotations

from typing import Literal, Protocol

from revet.budget import Budget
from revet.engines.ic3_qe import cooper
from revet.engines.ic3_qe.cubes import Cube, make_cube
from revet.engines.ic3_qe.linear import NotLinear
from revet.logic.core import and_, conjunction, const, eq
from revet.logic.evaluate import Evaluator
from revet.logic.implicant import implicant
from revet.logic.terms import FALSE, Term
from revet.logic.walk import Memo, conjuncts, free_vars, free_vars_of, substitute
from revet.model.definitions import eliminate_definitions
from revet.model.system import TransitionSystem
from revet.smt import Eliminator, Model, Projector, SolverError
from revet.transform.to_system import location_variable

Method = Literal["project", "cooper", "eliminate"]


class Quantifiers(Projector, Eliminator, Protocol):
    """A backend that projects and eliminates."""


class Lifter:
    def __init__(
        self, system: TransitionSystem, backend: Quantifiers, method: Method, budget: Budget, *, split: bool
    ) -> None:
        self.system = system
        self.backend = backend
        self.method = method
        self.budget = budget
        self.split = split
        self._memo: Memo = {}
        self._inputs = frozenset(system.inputs)
        self._location = location_variable(system)
        self._always = and_(system.invariant, system.step.guard, self.before(system.invariant))

    def before(self, formula: Term) -> Term:
        """The formula after the step, as a formula about the state before it and the inputs."""
        return substitute(formula, self.system.step.updates, self._memo)

    def lift(self, target: Term, model: Model) -> Cube:
        """States, that of ``model`` among them, from which a step leads into ``target``."""
        body = and_(self._always, self.before(target))
        values = model.valuation([*self.system.variables, *self.system.inputs])
        evaluate = Evaluator(values)
        if self.method == "eliminate":
            whole = self.backend.eliminate(list(self.system.inputs), body, self.budget)
            return self._cube([whole], evaluate)
        literals = eliminate_definitions(implicant(body, evaluate), self._inputs)
        left = free_vars_of(literals) & self._inputs
        if left:
            literals = self._project([v for v in self.system.inputs if v in left], literals, model)
        return self._cube(literals, evaluate)

    def state(self, model: Model) -> Cube:
        """The one state of the model."""
        values = model.valuation(self.system.variables)
        equations = [eq(x, const(value, x.sort)) for x, value in values.items()]
        return self._cube(equations, Evaluator(values))

    def _cube(self, literals: list[Term], evaluate: Evaluator) -> Cube:
        return make_cube(literals, evaluate, split=self.split, location=self._location)

    def _project(self, variables: list[Term], literals: list[Term], model: Model) -> list[Term]:
        gone = frozenset(variables)
        kept = [literal for literal in literals if not free_vars(literal) & gone]
        touched = [literal for literal in literals if free_vars(literal) & gone]
        try:
            if self.method == "cooper":
                values = model.valuation(free_vars_of(touched))
                return [*kept, *cooper.project(variables, touched, values)]
            projected = self.backend.project(variables, conjunction(touched), model)
        except (NotLinear, SolverError):
            projected = FALSE
        if projected is FALSE:  # the theory has no projection: keep the inputs of the model
            chosen = {v: const(model.value(v), v.sort) for v in variables}
            return [*kept, *(substitute(literal, chosen) for literal in touched)]
        return [*kept, *conjuncts(projected)]

