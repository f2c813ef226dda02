"""Predecessor generalisation: which literals of a predecessor cube matter for the step.

A query gives one concrete step from a state v into the target cube. Walking from what the step
needs (its guard, the target's literals) down to the variables, and taking only as much of each
connective as its value rests on, finds a set of state variables whose values alone make the step
possible: the *support*. This is what ternary simulation finds, at the cost of one walk.

Dropping every literal that does not mention the support would not be exact: with predicates
``x < y`` and ``y < z`` and support {x}, the value of y matters through the first and z through the
second. So literals are kept by *component*: variables that occur together in a predicate belong
together. With whole components, any abstract state that agrees with v on the components of the
support has a concrete state that agrees with v there, and it makes the same step: every abstract
state of the lifted cube has a successor in the target. The invariants of the system join
components in the same way.

Locals that a block merely *defines* (``t = x + 1`` among its conjuncts, as large blocks in SSA form
do) are no free choice and need no support of their own: they are looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from revet.engines.common.components import Components
from revet.engines.pdr_ia.abstraction import Cube, Literal, Predicate
from revet.logic.core import disjunction
from revet.logic.semantics import apply_operator
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, substitute
from revet.model.definitions import split_definitions
from revet.model.system import TransitionSystem
from revet.smt import Model


class Lifter:
    """Lifts cubes over one transition system."""

    def __init__(self, system: TransitionSystem) -> None:
        self._variables = system.variables
        self._state = frozenset(system.variables)
        self._updates = dict(system.step.updates)
        self._step = ConditionalDefinitions(system)
        self._bad = system.property
        self._components = Components()
        for part in conjuncts(system.invariant):
            self._join(free_vars(part))
        self._primed: dict[Predicate, Term] = {}

    def _join(self, variables: Iterable[Term]) -> None:
        self._components.join(sorted(variables, key=lambda variable: variable.id))

    def add(self, predicate: Predicate) -> None:
        self._join(predicate.variables)
        self._primed[predicate] = substitute(predicate.formula, self._updates)

    def predecessor(
        self, literals: list[Literal], target: Cube, model: Model, selector: Term | None = None
    ) -> Cube:
        """The literals of a state of ``model`` that its step into ``target`` rests on.

        ``selector``: the edge taken, if that is known and leaves no choice.
        """
        chosen = None if selector is None else self._step.chosen(selector)
        definitions, constraints = chosen or self._step.active(model)
        roots = [*constraints, *(self._primed[literal.predicate] for literal in target.literals)]
        return self._restrict(literals, roots, definitions, model)

    def bad(self, literals: list[Literal], model: Model) -> Cube:
        """The literals on which the violation of the property rests."""
        return self._restrict(literals, [self._bad], {}, model)

    def _restrict(
        self, literals: list[Literal], roots: list[Term], definitions: Mapping[Term, Term], model: Model
    ) -> Cube:
        support = self._support(roots, definitions, model)
        find = self._components.find
        kept = {find(variable) for variable in support}
        return Cube(
            [
                literal
                for literal in literals
                if any(find(variable) in kept for variable in literal.predicate.variables)
            ]
        )

    def _support(self, roots: list[Term], definitions: Mapping[Term, Term], model: Model) -> set[Term]:
        """State variables whose values fix the value of every root."""
        state, value = self._state, Values(model)
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


class ConditionalDefinitions:
    """The conjuncts of a step, taken apart into definitions of locals and true constraints.

    A conjunct ``selector => body``, with a Boolean input as selector, counts only in steps that
    select it; its body may define locals in its turn. That is how an automaton's edges are
    written in the step of a system.
    """

    def __init__(self, system: TransitionSystem) -> None:
        self._inputs = frozenset(system.inputs)
        self.bodies: dict[Term, list[Term]] = {}  # of each selector
        self.plain = conjuncts(substitute(system.invariant, system.step.updates))
        for part in conjuncts(system.step.guard):
            selector, body = self._conditional(part)
            if selector is None:
                self.plain.append(part)
            else:
                self.bodies.setdefault(selector, []).extend(body)
        self._selectors = list(self.bodies)
        self._known: dict[tuple[bool | Term, ...], tuple[dict[Term, Term], list[Term]]] = {}

    def _conditional(self, part: Term) -> tuple[Term | None, list[Term]]:
        if part.op == Op.OR:
            for arg in part.args:
                if arg.op == Op.NOT and arg.args[0] in self._inputs:
                    rest = disjunction(other for other in part.args if other is not arg)
                    return arg.args[0], conjuncts(rest)
        return None, []

    def cases(self) -> list[list[Term]]:
        """The conjuncts of the step, once for each selector that it may select; first those that relate
        selectors, which are many and define nothing."""
        fixed = frozenset(self._selectors)
        about = [part for part in self.plain if not fixed.isdisjoint(free_vars(part))]
        common = [part for part in self.plain if fixed.isdisjoint(free_vars(part))]
        return [about, *([*common, *self.bodies[s]] for s in self._selectors)] if about else (
            [[*common, *self.bodies[s]] for s in self._selectors] or [common]
        )

    def active(self, model: Model) -> tuple[dict[Term, Term], list[Term]]:
        """Definitions and constraints for the step that the model takes."""
        key: tuple[bool, ...] = tuple(model.truths(self._selectors))
        found = self._known.get(key)
        if found is None:
            parts = list(self.plain)
            for selector, chosen in zip(self._selectors, key, strict=True):
                if chosen:
                    parts += self.bodies[selector]
            free = self._inputs - frozenset(self._selectors)
            found = self._known[key] = split_definitions(parts, free)
        return found


    def chosen(self, selector: Term) -> tuple[dict[Term, Term], list[Term]]:
        """The same for a step that takes one edge of an automaton.

        What only speaks of selectors and the state that the edge fixes is left out: the edge implies it.
        """
        key = (selector,)
        found = self._known.get(key)
        if found is None:
            fixed = frozenset(self._selectors)
            parts = [part for part in self.plain if fixed.isdisjoint(free_vars(part))]
            parts += self.bodies[selector]
            found = self._known[key] = split_definitions(parts, self._inputs - fixed)
        return found


class Values:
    """Values in a model, computed on demand: a decided connective leaves its other arguments alone."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[Term, Value] = {}

    def __call__(self, term: Term) -> Value:
        known = self._known
        if term in known:
            return known[term]
        stack = [term]
        while stack:
            node = stack[-1]
            missing = self._missing(node)
            if missing is None:
                stack.pop()
            else:
                stack.extend(missing)
        return known[term]

    def _missing(self, node: Term) -> Iterable[Term] | None:
        """Evaluate the node, or say which argument is wanted first."""
        known, op = self._known, node.op
        if node in known:
            return None
        if op == Op.VAR or op == Op.CONST:
            known[node] = self._model.value(node)
            return None
        if op == Op.AND or op == Op.OR:
            controlling = op == Op.OR
            for arg in node.args:
                if arg not in known:
                    return (arg,)
                if known[arg] is controlling:
                    known[node] = controlling
                    return None
            known[node] = not controlling
            return None
        if op == Op.ITE:
            if node.args[0] not in known:
                return (node.args[0],)
            chosen = node.args[1] if known[node.args[0]] is True else node.args[2]
            if chosen not in known:
                return (chosen,)
            known[node] = known[chosen]
            return None
        missing = [arg for arg in node.args if arg not in known]
        if missing:
            return missing
        values = [known[arg] for arg in node.args]
        known[node] = apply_operator(op, node.payload, node.sort, [arg.sort for arg in node.args], values)
        return None


def _needed(node: Term, value: Values, seen: set[Term]) -> Iterable[Term]:
    """Arguments whose values fix the node's; one controlling argument if there is one."""
    op = node.op
    if op == Op.AND or op == Op.OR:
        controlling = op == Op.OR
        if value(node) is not controlling:
            return node.args
        deciding = [arg for arg in node.args if value(arg) is controlling]
        known = [arg for arg in deciding if arg in seen]
        return known[:1] or [min(deciding, key=_width)]
    if op == Op.ITE:
        return (node.args[0], node.args[1] if value(node.args[0]) is True else node.args[2])
    if op == Op.MUL and value(node) == 0:
        return (next(arg for arg in node.args if value(arg) == 0),)
    return node.args


def _width(term: Term) -> tuple[int, int]:
    return (len(free_vars(term)), term.id)


__all__ = ["ConditionalDefinitions", "Lifter"]
