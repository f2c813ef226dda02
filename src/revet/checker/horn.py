"""Horn clauses: models clause by clause, derivations step by step.

A model is checked with one query a clause: is there a case in which the body is true and the head is
not? A derivation is checked by evaluation alone: every step uses one clause with given values, whose
body's predicates were derived by earlier steps with the same arguments, and the last step derives
false.
"""

from __future__ import annotations

from collections.abc import Mapping

from revet.checker.queries import Queries
from revet.checker.replay import ReplayError
from revet.checker.report import malformed
from revet.logic.core import not_
from revet.logic.evaluate import Evaluator
from revet.logic.sorts import BOOL
from revet.logic.terms import FALSE, FunctionSymbol, Term
from revet.logic.values import Value, is_value, same
from revet.logic.walk import free_vars
from revet.model.horn import QUERY, HornClause, HornSystem
from revet.result.certificate import HornModel
from revet.result.trace import Derivation


class HornChecker:
    def __init__(self, system: HornSystem, queries: Queries) -> None:
        self.system = system
        self.queries = queries

    def model(self, certificate: HornModel) -> None:
        self._require_form(certificate.formulas)
        for number, clause in enumerate(self.system.clauses, 1):
            self._clause(number, clause, certificate.formulas)

    def _clause(self, number: int, clause: HornClause, formulas: Mapping[FunctionSymbol, Term]) -> None:
        self.queries.push()
        body = [self.system.meaning(atom, formulas) for atom in clause.body]
        head = FALSE if clause.head is None else self.system.meaning(clause.head, formulas)
        self.queries.require_unsat(
            [*body, clause.constraint, not_(head)],
            "safety" if clause.head is None else "consecution" if clause.body else "initiation",
            f"clause {number}",
            lambda found: {x: found.value(x) for x in clause.variables},
        )
        self.queries.pop()

    def _require_form(self, formulas: Mapping[FunctionSymbol, Term]) -> None:
        for predicate, arguments in self.system.arguments.items():
            formula = formulas.get(predicate)
            if formula is None:
                raise malformed(f"there is no formula for {predicate.name}")
            if formula.sort is not BOOL or free_vars(formula) - frozenset(arguments):
                raise malformed(f"what is given for {predicate.name} is not a formula over its arguments")
        for predicate in formulas:
            if predicate not in self.system.arguments:
                raise malformed(f"there is no predicate {predicate.name}")


Fact = tuple[FunctionSymbol, tuple[Value, ...]]


def replay_derivation(system: HornSystem, derivation: Derivation) -> None:
    """Raises :class:`ReplayError` if a step does not follow, or if false is not derived."""
    if derivation.violated != QUERY:
        raise ReplayError(f"there is no property {derivation.violated}")
    if not derivation.steps:
        raise ReplayError("a derivation has at least one step")
    facts: list[Fact | None] = []
    for number, step in enumerate(derivation.steps):
        if not 0 <= step.clause < len(system.clauses):
            raise ReplayError(f"there is no clause {step.clause}", number)
        clause = system.clauses[step.clause]
        if any(not 0 <= premise < number for premise in step.premises):
            raise ReplayError("a premise is not an earlier step", number)
        known = [facts[premise] for premise in step.premises]
        facts.append(_derived(clause, step.values, known, number))
    if facts[-1] is not None:
        raise ReplayError("the last step does not derive false", len(facts) - 1)


def _derived(
    clause: HornClause, values: Mapping[Term, Value], known: list[Fact | None], number: int
) -> Fact | None:
    for x in clause.variables:
        if x not in values or not is_value(values[x], x.sort):
            raise ReplayError(f"there is no value for {x.name}", number)
    evaluator = Evaluator(values)
    if evaluator(clause.constraint) is not True:
        raise ReplayError("the constraint of the clause does not hold", number)
    if len(known) != len(clause.body):
        raise ReplayError(f"the clause has {len(clause.body)} premises", number)
    for atom, fact in zip(clause.body, known, strict=True):
        wanted = _fact(atom, evaluator)
        if fact is None or fact[0] != wanted[0] or not all(map(same, fact[1], wanted[1], wanted[0].domain)):
            raise ReplayError(f"a premise is not the {atom.payload.name} that the clause needs", number)
    return None if clause.head is None else _fact(clause.head, evaluator)


def _fact(atom: Term, evaluator: Evaluator) -> Fact:
    return atom.payload, tuple(evaluator(argument) for argument in atom.args)
