"""Predecessor generalisation: which literals of a predecessor cube matter for the step.

A query gives one concrete step from a state v into the target cube. Walking from what the step
needs (its guard, the target's literals) down to the variables, and taking only as much of each
connective as its value rests on, finds a set of state variables whose values alone make the step
possible: the *support*. This is what ternary simulation finds, at the cost of one walk.

Dropping every literal that does not mention the support would not be exact: with predicates
``x < y`` and ``y < z`` and support {x}, the value of y matters through the first and z through the
second. So literals are kept by *component*: variables that occur together in a predicate belong
together. With components closed, any abstract state that agrees with v on the components of the
support has a concrete state that agrees with v there, and it makes the same step: every abstract
state of the lifted cube has a successor in the target. The invariants of the system join
components in the same way.

Locals that a block merely *defines* (``t = x + 1`` among its conjuncts, as large blocks in SSA form
do) are no free choice and need no support of their own: they are looked through.
"""

from __future__ import annotations

from collections.abc import Iterable

from revet.engines.pdr_ia.abstraction import Cube, Literal, Predicate
from revet.logic.core import conjunction
from revet.logic.evaluate import Evaluator
from revet.logic.terms import Op, Term
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.definitions import split_definitions
from revet.model.system import TransitionSystem
from revet.smt import Model


class Components:
    """A partition of the state variables (union-find with path halving)."""

    def __init__(self, variables: Iterable[Term]) -> None:
        self._parent = {variable: variable for variable in variables}

    def find(self, variable: Term) -> Term:
        parent = self._parent
        while parent[variable] is not variable:
            parent[variable] = parent[parent[variable]]
            variable = parent[variable]
        return variable

    def join(self, variables: Iterable[Term]) -> None:
        roots = sorted({self.find(variable) for variable in variables}, key=lambda v: v.id)
        for root in roots[1:]:
            self._parent[root] = roots[0]


class Lifter:
    """Lifts cubes over one transition system."""

    def __init__(self, system: TransitionSystem) -> None:
        self._variables = system.variables
        self._state = frozenset(system.variables)
        self._inputs = system.inputs
        self._updates = dict(system.step.updates)
        definitions, constraints = split_definitions(conjuncts(system.step.guard), system.inputs)
        self._definitions = definitions
        after = substitute(system.invariant, system.step.updates)
        self._constraint = conjunction([*constraints, after])
        self._bad = system.property
        self._components = Components(system.variables)
        for part in conjuncts(system.invariant):
            self._components.join(free_vars(part))
        self._primed: dict[Predicate, Term] = {}

    def add(self, predicate: Predicate) -> None:
        self._components.join(predicate.variables)
        self._primed[predicate] = substitute(predicate.formula, self._updates)

    def predecessor(self, literals: list[Literal], target: Cube, model: Model) -> Cube:
        """The literals of a state of ``model`` that its step into ``target`` rests on."""
        roots = [self._constraint, *(self._primed[literal.predicate] for literal in target.literals)]
        return self._restrict(literals, roots, model)

    def bad(self, literals: list[Literal], model: Model) -> Cube:
        """The literals on which the violation of the property rests."""
        return self._restrict(literals, [self._bad], model)

    def _restrict(self, literals: list[Literal], roots: list[Term], model: Model) -> Cube:
        values = model.valuation(self._variables)
        values.update(model.valuation(self._inputs))
        support = self._support(roots, Evaluator(values))
        find = self._components.find
        kept = {find(variable) for variable in support}
        return Cube(
            [
                literal
                for literal in literals
                if any(find(variable) in kept for variable in literal.predicate.variables)
            ]
        )

    def _support(self, roots: list[Term], value: Evaluator) -> set[Term]:
        """State variables whose values fix the value of every root."""
        state, definitions = self._state, self._definitions
        support: set[Term] = set()
        seen: set[Term] = set(roots)
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node.op == Op.VAR:
                if node in state:
                    support.add(node)
                    continue
                definition = definitions.get(node)
                needed: Iterable[Term] = () if definition is None else (definition,)
            else:
                needed = _needed(node, value, seen)
            for arg in needed:
                if arg not in seen:
                    seen.add(arg)
                    stack.append(arg)
        return support


def _needed(node: Term, value: Evaluator, seen: set[Term]) -> Iterable[Term]:
    """Arguments whose values fix the node's; one controlling argument if there is one."""
    op = node.op
    if op == Op.AND or op == Op.OR:
        controlling = op == Op.OR
        if value(node) is not controlling:
            return node.args
        deciding = [arg for arg in node.args if value(arg) is controlling]
        known = [arg for arg in deciding if arg in seen]
        return known[:1] or (min(deciding, key=_width),)
    if op == Op.ITE:
        return (node.args[0], node.args[1] if value(node.args[0]) is True else node.args[2])
    if op == Op.MUL and value(node) == 0:
        return (next(arg for arg in node.args if value(arg) == 0),)
    return node.args


def _width(term: Term) -> tuple[int, int]:
    return (len(free_vars(term)), term.id)


__all__ = ["Components", "Lifter"]
