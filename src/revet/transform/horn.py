"""Linear Horn clauses to an automaton, and answers back to the clauses.

Back: a run is a derivation with one fact after the other. Formulas at locations are a model; where
an engine gave none (large blocks keep only loop heads), the missing ones are weakest preconditions where
these are formulas, and else interpolants, asked of Spacer: what is left then has no recursion. A proof by
k-induction with k > 1 or by exhaustion is no model and stays what it is: a proof about the automaton, which
the checker takes as such.
"""

from __future__ import annotations

from revet.budget import Budget, OutOfBudget
from revet.logic.core import conjunction, not_
from revet.logic.terms import FALSE, FunctionSymbol, Term
from revet.model.horn import QUERY, HornClause, HornSystem
from revet.model.horn_automaton import HornAutomaton, automaton_of
from revet.result.certificate import Certificate, HornModel, LocationInvariants
from revet.result.trace import CfaTrace, Derivation, DerivationStep
from revet.smt.errors import SolverError
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Horn, Refuted
from revet.transform.horn_weakest import weakest
from revet.transform.reduction import Reduction, Spurious

_SECONDS = 5.0  # for finding the formulas that an engine left out


def horn_to_automaton(system: HornSystem, *, models_only: bool = False) -> Reduction:
    """Only for linear systems. ``models_only``: proofs that are no models are dropped."""
    made = automaton_of(system)

    def certificate_back(certificate: Certificate) -> Certificate:
        found = model_of(made, certificate)
        if models_only and not isinstance(found, HornModel):
            raise Spurious("the proof is not a model of the clauses")
        return found

    return Reduction(made.cfa, lambda trace: derivation_of(made, trace), certificate_back)


def derivation_of(made: HornAutomaton, trace: CfaTrace) -> Derivation:
    steps = []
    for number, edge in enumerate(trace.edges):
        drawn = trace.inputs[number] if number < len(trace.inputs) else {}
        values = made.values(edge, trace.states[number], drawn)
        steps.append(DerivationStep(made.clauses[edge], values, (number - 1,) if number else ()))
    return Derivation(tuple(steps), QUERY)


def model_of(made: HornAutomaton, certificate: Certificate) -> Certificate:
    """A model of the clauses, if the certificate can be read as one; else the certificate itself."""
    if not isinstance(certificate, LocationInvariants) or certificate.k != 1 or certificate.simple_path:
        return certificate
    known = {
        predicate: made.interpretation(predicate, certificate.formulas[place])
        for predicate, place in made.places.items()
        if place in certificate.formulas
    }
    completed = complete(made.system, known)
    return certificate if completed is None else HornModel(completed)


def complete(
    system: HornSystem, known: dict[FunctionSymbol, Term]
) -> dict[FunctionSymbol, Term] | None:
    """Formulas for all predicates that go with the known ones; None if there are none to be found."""
    missing = [predicate for predicate in system.predicates if predicate not in known]
    derived = {clause.head.payload for clause in system.clauses if clause.head is not None}
    found = {**known, **{predicate: FALSE for predicate in missing if predicate not in derived}}
    found |= weakest(system, found)
    missing = [predicate for predicate in missing if predicate not in found]
    if not missing:
        return found
    horn = Horn(Z3())
    unknown = {p: horn.predicate(p.name, system.arguments[p]) for p in missing}
    error = horn.predicate("error!", ())
    for clause in system.clauses:
        body, head = _with_known(system, clause, found)
        horn.rule(body, error() if head is None else head)
    try:
        answer = horn.query(error(), Budget(_SECONDS))
    except (OutOfBudget, SolverError):
        return None
    if not isinstance(answer, Refuted):
        return None
    return {**found, **{p: answer.model.get(unknown[p], FALSE) for p in missing}}


def _with_known(
    system: HornSystem, clause: HornClause, known: dict[FunctionSymbol, Term]
) -> tuple[list[Term], Term | None]:
    """The clause with formulas for the known predicates; a known head becomes part of the body."""
    def meaning(atom: Term) -> Term:
        return system.meaning(atom, known) if atom.payload in known else atom

    body = [*(meaning(atom) for atom in clause.body), clause.constraint]
    if clause.head is not None and clause.head.payload in known:
        return [conjunction([*body, not_(meaning(clause.head))])], None
    return body, clause.head
