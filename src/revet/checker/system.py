"""Certificates for transition systems: k-induction and exhaustion, straight from their definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from revet.checker.queries import Queries
from revet.checker.report import malformed
from revet.logic.core import and_, conjunction, disjunction, eq, not_
from revet.logic.sorts import BOOL
from revet.logic.terms import Op, Term
from revet.logic.values import Value
from revet.logic.walk import conjuncts, free_vars, free_vars_of
from revet.model.system import TransitionSystem
from revet.model.unroll import Unroller
from revet.result.certificate import Exhausted, KInductive
from revet.smt.protocol import Model


class SystemChecker:
    def __init__(self, system: TransitionSystem, queries: Queries) -> None:
        self.system = system
        self.queries = queries
        self.unroller = Unroller(system)

    def k_inductive(self, certificate: KInductive) -> None:
        """Initiation: F in the first k states. Consecution: k F-states lead to an F-state.
        Safety: F implies every property."""
        formula, k = certificate.formula, certificate.k
        if formula.sort is not BOOL:
            raise malformed("the invariant is not a formula")
        strangers = free_vars(formula) - set(self.system.variables)
        if strangers:
            names = ", ".join(sorted(x.name for x in strangers))
            raise malformed(f"the invariant mentions {names}, not a state variable")
        if k < 1:
            raise malformed(f"k is {k}, but must be at least 1")
        self._initiation(formula, k)
        self._consecution(formula, k, certificate.simple_path)
        self._safety(formula)

    def _initiation(self, formula: Term, k: int) -> None:
        queries, at = self.queries, self.unroller.at
        queries.push()
        queries.add(self.unroller.init())
        for step in range(k):
            if step:
                queries.add(self.unroller.step(step - 1))
            queries.require_unsat(
                [not_(at(formula, step))], "initiation", f"after {step} steps", self._state(0)
            )
        queries.pop()

    def _consecution(self, formula: Term, k: int, simple_path: bool) -> None:
        queries, at = self.queries, self.unroller.at
        queries.push()
        queries.add(at(self.system.invariant, 0))
        for step in range(k):
            queries.add(at(formula, step), self.unroller.step(step))
        queries.require_unsat(
            [not_(at(formula, k))],
            "consecution",
            "over one step" if k == 1 else f"over {k} steps",
            self._state(0),
            self._shortcuts(k, cone(self.system, formula)) if simple_path else None,
        )
        queries.pop()

    def _safety(self, formula: Term) -> None:
        for name, goal in self.system.properties.items():
            self.queries.require_unsat(
                [self.unroller.at(and_(self.system.invariant, formula, not_(goal)), 0)],
                "safety",
                f"property {name}",
                self._state(0),
            )

    def exhausted(self, certificate: Exhausted) -> None:
        if certificate.depth < 0:
            raise malformed(f"the depth is {certificate.depth}")
        if certificate.backward:
            if certificate.simple_path:
                raise malformed("backward exhaustion does not consider simple paths")
            self._no_long_violation(certificate.depth)
        self._no_short_violation(certificate)

    def _no_short_violation(self, certificate: Exhausted) -> None:
        """No run of fewer than ``depth`` steps violates; forward also: none has that many steps."""
        queries, at, depth = self.queries, self.unroller.at, certificate.depth
        queries.push()
        queries.add(self.unroller.init())
        for step in range(depth):
            queries.require_unsat(
                [not_(at(self.system.property, step))],
                "safety",
                f"after {step} steps",
                self._state(0),
            )
            queries.add(self.unroller.step(step))
        if not certificate.backward:
            queries.require_unsat(
                [],
                "exhaustion",
                f"there is a run of {depth} steps",
                self._state(0),
                self._shortcuts(depth, cone(self.system)) if certificate.simple_path else None,
            )
        queries.pop()

    def _no_long_violation(self, depth: int) -> None:
        """No path of ``depth`` steps ends in its first violation."""
        queries, at = self.queries, self.unroller.at
        queries.push()
        queries.add(at(self.system.invariant, 0))
        for step in range(depth):
            queries.add(at(self.system.property, step), self.unroller.step(step))
        queries.require_unsat(
            [not_(at(self.system.property, depth))],
            "exhaustion",
            f"a path of {depth} steps ends in a violation",
            self._state(0),
        )
        queries.pop()

    def _state(self, step: int) -> Callable[[Model], Mapping[Term, Value]]:
        return lambda model: {x: model.value(self.unroller.at(x, step)) for x in self.system.variables}

    def _shortcuts(self, last: int, variables: Sequence[Term]) -> Callable[[Model], list[Term]]:
        """Rules out paths that are not simple: with two equal states, or a later initial one."""
        at = self.unroller.at
        inside = set(variables)
        starts = conjunction(
            c for c in conjuncts(and_(self.system.init, self.system.invariant)) if free_vars(c) <= inside
        )

        def exclude(model: Model) -> list[Term]:
            found: list[Term] = []
            first: dict[tuple[Value, ...], int] = {}
            for step in range(last + 1):
                if step and model.holds(at(starts, step)):
                    found.append(not_(at(starts, step)))
                state = tuple(model.value(at(x, step)) for x in variables)
                if state in first:
                    earlier = first[state]
                    found.append(disjunction(not_(eq(at(x, earlier), at(x, step))) for x in variables))
                first.setdefault(state, step)
            return found

        return exclude


def cone(system: TransitionSystem, *formulas: Term) -> list[Term]:
    """The variables that decide how a run goes on and what holds in it.

    Two states that agree on these have the same future as far as properties and ``formulas``
    are concerned, so a path on which they occur twice can be shortened. A conjunct of the initial
    condition is either over the cone or over the other variables. A conjunct of the guard that
    defines an input outside the cone can always be satisfied.
    """
    definitions, constraints = _definitions(system)
    wanted = set(
        free_vars_of([*constraints, *system.invariants, *system.properties.values(), *formulas])
    )
    uses = [(x, free_vars(value)) for x, value in (*system.step.updates.items(), *definitions.items())]
    links = [free_vars(c) for c in conjuncts(system.init)]
    size = -1
    while size != len(wanted):
        size = len(wanted)
        for x, used in uses:
            if x in wanted:
                wanted |= used
        for link in links:
            if link & wanted:
                wanted |= link
    return [x for x in system.variables if x in wanted]


def _definitions(system: TransitionSystem) -> tuple[dict[Term, Term], list[Term]]:
    """Conjuncts ``input = term`` of the guard, without circles, and the other conjuncts."""
    inputs = set(system.inputs)
    found: dict[Term, Term] = {}
    others: list[Term] = []
    used: set[Term] = set()
    for formula in conjuncts(system.step.guard):
        pairs = [formula.args, formula.args[::-1]] if formula.op == Op.EQ else []
        for x, value in pairs:
            # an input that an earlier definition uses is not defined later: no circle can arise
            if x in inputs and x not in found and x not in used and x not in free_vars(value):
                found[x] = value
                used |= free_vars(value)
                break
        else:
            others.append(formula)
    return found, others
