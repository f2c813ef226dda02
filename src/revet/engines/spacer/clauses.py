"""Spacer on Horn clauses as they are: models read from its answer, derivations rebuilt from its proof.

z3's own preprocessing (inlining, slicing) makes it much faster and still gives formulas for all
predicates, but its proofs then leave out the inlined facts. So a derivation is asked for again with
all predicates kept.
"""

from __future__ import annotations

from revet.checker.certificate import check_certificate
from revet.engines.common.context import Context
from revet.engines.spacer.derivations import Gap, derivation_of, goal
from revet.events import Note
from revet.logic.terms import TRUE, FunctionSymbol, Term
from revet.model.horn import HornSystem
from revet.result import Safe, Unknown, Unsafe, Verdict
from revet.result.certificate import HornModel
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable, Horn, HornAnswer, Predicate, Refuted, Undecided
from revet.transform.horn import complete


def check_clauses(
    system: HornSystem, parameters: dict[str, bool], context: Context, backend: Z3, *, preprocess: bool
) -> Verdict:
    with context.stats.phase("spacer"):
        encoding, answer = _ask(system, parameters, context, backend, keep=not preprocess)
    match answer:
        case Refuted(found):
            formulas = {p: found[encoding[p]] for p in system.predicates if encoding[p] in found}
            with context.stats.phase("interpolants"):
                model = HornModel(_completed(system, formulas))
            if preprocess and not check_certificate(system, model, context.budget).accepted:
                context.observe(Note("spacer", "the model is not one; asking again with all predicates"))
                return check_clauses(system, parameters, context, Z3(), preprocess=False)
            return Safe(model)
        case Derivable():
            with context.stats.phase("derivation"):
                return _derivation(system, answer, parameters, context, backend, complete=not preprocess)
        case Undecided(text):
            return Unknown(f"Spacer: {text}")


def _completed(
    system: HornSystem, formulas: dict[FunctionSymbol, Term]
) -> dict[FunctionSymbol, Term]:
    """Inlined predicates come with quantifiers or not at all; there are interpolants in their places,
    as a rule."""
    plain = {p: formula for p, formula in formulas.items() if not formula.quantified}
    if len(plain) == len(system.predicates):
        return plain
    return complete(system, plain) or {p: formulas.get(p, TRUE) for p in system.predicates}


def _ask(
    system: HornSystem, parameters: dict[str, bool], context: Context, backend: Z3, *, keep: bool
) -> tuple[dict[object, Predicate], HornAnswer]:
    horn = Horn(backend, parameters, keep_predicates=keep)
    encoding: dict[object, Predicate] = {
        p: horn.predicate(p.name, system.arguments[p]) for p in system.predicates
    }
    error = horn.predicate(goal(system).name, ())
    for clause in system.clauses:
        horn.rule([*clause.body, clause.constraint], error() if clause.head is None else clause.head)
    return encoding, horn.query(error(), context.budget)


def _derivation(
    system: HornSystem, answer: Derivable, parameters: dict[str, bool], context: Context, backend: Z3,
    *, complete: bool,
) -> Verdict:
    """The derivation of a proof, which if not ``complete`` may lack facts."""
    try:
        return Unsafe(derivation_of(system, answer, backend, context))
    except Gap as gap:
        if complete:
            return Unknown(f"Spacer derives false, but its proof could not be followed: {gap}")
        context.observe(Note("spacer", f"the proof has gaps ({gap}); asking again with all predicates"))
    fresh = Z3()  # the same question in a context that was used before can take z3 much longer
    _, again = _ask(system, parameters, context, fresh, keep=True)
    if not isinstance(again, Derivable):
        return Unknown("Spacer derives false, but gave no complete proof")
    return _derivation(system, again, parameters, context, fresh, complete=True)
