"""Models and derivations as SMT-LIB, for other solvers to check."""

from __future__ import annotations

from revet.logic.core import apply, const, var
from revet.logic.evaluate import evaluate
from revet.logic.smtlib_print import print_term, sort_declarations, sort_text, symbol
from revet.logic.sorts import Sort, UninterpretedSort
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
    used = [sort for predicate in system.predicates for sort in predicate.domain]
    used += [x.sort for clause in system.clauses for x in clause.variables]
    lines += sort_declarations(used)
    lines += [_declaration(predicate) for predicate in system.predicates]
    elements = _elements(system, derivation)
    lines += _element_declarations(elements)
    for number, step in enumerate(derivation.steps):
        clause = system.clauses[step.clause]
        origin = f"assertion {clause.number}" if clause.number else f"clause {step.clause + 1}"
        lines.append(f"; step {number}: {origin}\n(assert {_instance(clause, step, elements)})")
    return "\n".join([*lines, "(check-sat)", ""])


def _declaration(predicate: FunctionSymbol) -> str:
    domain = " ".join(map(sort_text, predicate.domain))
    return f"(declare-fun {symbol(predicate.name)} ({domain}) Bool)"


def _elements(system: HornSystem, derivation: Derivation) -> dict[Term, Term]:
    """A constant's name for each element of a declared sort: SMT-LIB has no other way to write one."""
    taken = {predicate.name for predicate in system.predicates}
    taken |= {x.name for clause in system.clauses for x in clause.variables}
    found: dict[Term, Term] = {}
    for step in derivation.steps:
        for x, value in step.values.items():
            element = const(value, x.sort)
            if isinstance(x.sort, UninterpretedSort) and element not in found:
                name = f"{x.sort.name}.{len(found)}"
                while name in taken:
                    name += "_"
                taken.add(name)
                found[element] = var(name, x.sort)
    return found


def _element_declarations(elements: dict[Term, Term]) -> list[str]:
    lines = [f"(declare-const {symbol(x.name)} {sort_text(x.sort)})" for x in elements.values()]
    by_sort: dict[Sort, list[str]] = {}
    for x in elements.values():
        by_sort.setdefault(x.sort, []).append(symbol(x.name))
    for names in by_sort.values():
        if len(names) > 1:  # assumed of a declared sort: it has that many
            lines.append(f"(assert (distinct {' '.join(names)}))")
    return lines


def _instance(clause: HornClause, step: DerivationStep, elements: dict[Term, Term]) -> str:
    """``let`` gives the variables their values, so that the clause can be recognised."""
    body = [_atom(atom, step, elements) for atom in clause.body]
    parts = [*body, print_term(substitute(clause.constraint, elements))]
    premise = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
    head = "false" if clause.head is None else _atom(clause.head, step, elements)
    values = {x: substitute(const(step.values[x], x.sort), elements) for x in clause.variables}
    bound = " ".join(f"({symbol(x.name)} {print_term(value)})" for x, value in values.items())
    implication = f"(=> {premise} {head})"
    return f"(let ({bound}) {implication})" if bound else implication


def _atom(atom: Term, step: DerivationStep, elements: dict[Term, Term]) -> str:
    """With values as arguments: then no solver has to work out anything."""
    constants = [const(evaluate(x, step.values), x.sort) for x in atom.args]
    return print_term(substitute(apply(atom.payload, *constants), elements))
