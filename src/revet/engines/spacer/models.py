"""Models from z3's answers.

z3 inlines predicates before it solves, and then makes up formulas for what it has inlined: with
quantifiers, or plainly wrong ones (``true`` where it knows none). The predicates it solved for are enough
for a model, so formulas that are of no use are dropped and interpolants stand in for them.
"""

from __future__ import annotations

from revet.checker.certificate import check_certificate
from revet.engines.common.context import Context
from revet.logic.core import conjunction, not_
from revet.logic.terms import FALSE, FunctionSymbol, Op, Term
from revet.model.horn import HornClause, HornSystem
from revet.result.certificate import HornModel
from revet.smt import Status
from revet.smt.z3 import Z3
from revet.transform.horn import complete

Formulas = dict[FunctionSymbol, Term]


def accepted_model(system: HornSystem, formulas: Formulas, context: Context) -> HornModel | None:
    """A model with as many of the formulas as can be kept; None where too few of them can.

    What is left out must not be recursive by itself: to find that again is another question for Spacer."""
    known = {p: formula for p, formula in formulas.items() if not formula.quantified}
    missing = {p for p in system.predicates if p not in known}
    wrong = _wrong_clauses(system, known, context)
    if not missing and not wrong:
        return HornModel(known)
    missing |= _doubtful(system, known, wrong, missing)
    if system.recursive_among(missing):
        return None
    found = complete(system, {p: formula for p, formula in known.items() if p not in missing})
    if found is None:
        return None
    model = HornModel(found)
    return model if check_certificate(system, model, context.budget).accepted else None


def _doubtful(
    system: HornSystem, known: Formulas, wrong: list[HornClause], missing: set[FunctionSymbol]
) -> set[FunctionSymbol]:
    """Predicates whose formulas may be what is wrong with these clauses; to find new ones is not recursive.

    Those that are not recursive; of the others one a clause, first those plainly true or false: made up."""
    clauses = [{atom.payload for atom in clause.atoms} for clause in wrong]
    found = {p for predicates in clauses for p in predicates if p not in system.recursive}
    rest = {p for predicates in clauses for p in predicates} - found
    for predicate in sorted(rest, key=lambda p: (known[p].op != Op.CONST, p.name)):
        needed = any(predicate in predicates and predicates.isdisjoint(found) for predicates in clauses)
        if needed and not system.recursive_among({*missing, *found, predicate}):
            found.add(predicate)
    return found


def _wrong_clauses(system: HornSystem, known: Formulas, context: Context) -> list[HornClause]:
    """The clauses that are not seen to hold; those with unknown predicates are not asked about."""
    solver = Z3().solver(budget=context.budget)
    wrong = []
    for clause in system.clauses:
        if all(atom.payload in known for atom in clause.atoms):
            head = FALSE if clause.head is None else system.meaning(clause.head, known)
            body = [system.meaning(atom, known) for atom in clause.body]
            solver.push()
            solver.add(conjunction([*body, clause.constraint, not_(head)]))
            if solver.check() is not Status.UNSAT:
                wrong.append(clause)
            solver.pop()
    return wrong
