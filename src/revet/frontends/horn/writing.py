"""Models and derivations as SMT-LIB, for other solvers to check."""

from __future__ import annotations

from revet.logic.core import apply, const, var
from revet.logic.evaluate import evaluate
from revet.logic.smtlib_print import print_term, sort_text, symbol, value_text
from revet.logic.terms import FunctionSymbol, Term
from revet.logic.walk import substitute
from revet.model.horn import HornClause, HornSystem
from revet.result.certificate import HornModel
from revet.result.trace import Derivation, DerivationStep
from revet.result.verdict import Safe, Unsafe, Verdict


def written_model(system: HornSystem, verdict: Verdict) -> str | None:
    """For ``--model``; None if the verdict comes without one (also a proof by k-induction does)."""
    match verdict:
        case Safe(HornModel() as model):
            return smtlib_model(system, model)
    return None


def written_proof(system: HornSystem, verdict: Verdict) -> str | None:
    """For ``--proof``."""
    match verdict:
        case Unsafe(Derivation() as derivation):
            return smtlib_proof(system, derivation)
    return None


def smtlib_model(system: HornSystem, model: HornModel) -> str:
    """``define-fun``s in the place of the script's ``declare-fun``s."""
    lines = []
    for predicate, arguments in system.arguments.items():
        names = {x: var(f"x!{i}", x.sort) for i, x in enumerate(arguments)}
        parameters = " ".join(f"({symbol(x.name)} {sort_text(x.sort)})" for x in names.values())
        formula = print_term(substitute(model.formulas[predicate], names))
        lines.append(f"(define-fun {symbol(predicate.name)} ({parameters}) Bool\n  {formula})")
    return "\n".join(lines) + "\n"


def smtlib_proof(system: HornSystem, derivation: Derivation) -> str:
    """A script without quantifiers that is unsatisfiable: one instance of a clause a step."""
    lines = ["; each assertion is an instance of the clause named in its comment"]
    lines += [_declaration(predicate) for predicate in system.predicates]
    for number, step in enumerate(derivation.steps):
        clause = system.clauses[step.clause]
        origin = f"assertion {clause.number}" if clause.number else f"clause {step.clause + 1}"
        lines.append(f"; step {number}: {origin}\n(assert {_instance(clause, step)})")
    return "\n".join([*lines, "(check-sat)", ""])


def _declaration(predicate: FunctionSymbol) -> str:
    domain = " ".join(map(sort_text, predicate.domain))
    return f"(declare-fun {symbol(predicate.name)} ({domain}) Bool)"


def _instance(clause: HornClause, step: DerivationStep) -> str:
    """``let`` gives the variables their values, so that the clause can be recognised."""
    body = [_atom(atom, step) for atom in clause.body]
    parts = [*body, print_term(clause.constraint)]
    premise = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
    head = "false" if clause.head is None else _atom(clause.head, step)
    bound = " ".join(
        f"({symbol(x.name)} {value_text(step.values[x], x.sort)})" for x in clause.variables
    )
    implication = f"(=> {premise} {head})"
    return f"(let ({bound}) {implication})" if bound else implication


def _atom(atom: Term, step: DerivationStep) -> str:
    """With values as arguments: then no solver has to work out anything."""
    constants = [const(evaluate(x, step.values), x.sort) for x in atom.args]
    return print_term(apply(atom.payload, *constants))
