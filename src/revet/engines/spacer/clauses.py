"""Spacer on Horn clauses as they are: models read from its answer, derivations rebuilt from its proof.

z3's own preprocessing (inlining, slicing) makes it much faster and still gives formulas for all
predicates, but with quantifiers in them, and its proofs leave out the inlined facts. What cannot be made up
for is asked for again with more predicates kept.
"""

from __future__ import annotations

from revet.engines.common.context import Context
from revet.engines.spacer.derivations import Gap, derivation_of, goal
from revet.engines.spacer.models import accepted_model
from revet.events import Note
from revet.logic.terms import TRUE, FunctionSymbol, Term
from revet.model.horn import HornSystem
from revet.result import Safe, Unknown, Unsafe, Verdict
from revet.result.certificate import HornModel
from revet.smt.z3 import Z3
from revet.smt.z3.horn import Derivable, Horn, HornAnswer, Predicate, Refuted, Undecided
from revet.transform.horn import complete

_INLINING: tuple[dict[str, bool], ...] = (
    {},
    {"xform.inline_eager": False, "xform.slice": False},
    {"xform.inline_eager": False, "xform.slice": False, "xform.inline_linear": False},
)
"""How much z3 inlines: as it likes, less, nothing. The less, the plainer its models, and the slower it is."""


def check_clauses(
    system: HornSystem, parameters: dict[str, bool], context: Context, backend: Z3, *, preprocess: bool
) -> Verdict:
    *some, nothing = _INLINING
    for inlining in some if preprocess else ():
        with context.stats.phase("spacer"):
            encoding, answer = _ask(system, {**inlining, **parameters}, context, backend)
        if not isinstance(answer, Refuted):
            return _concluded(system, answer, parameters, context, backend, complete=False)
        with context.stats.phase("interpolants"):
            model = accepted_model(system, _formulas(system, encoding, answer), context)
        if model is not None:
            return Safe(model)
        context.observe(Note("spacer", "the model is of no use; asking again with more predicates"))
        backend = Z3()  # the same question in a context that was used before can take z3 much longer
    with context.stats.phase("spacer"):
        encoding, answer = _ask(system, {**nothing, **parameters}, context, backend)
    if not isinstance(answer, Refuted):
        return _concluded(system, answer, parameters, context, backend, complete=True)
    with context.stats.phase("interpolants"):
        return Safe(HornModel(_completed(system, _formulas(system, encoding, answer))))


def _concluded(
    system: HornSystem, answer: Derivable | Undecided, parameters: dict[str, bool], context: Context,
    backend: Z3, *, complete: bool,
) -> Verdict:
    if isinstance(answer, Undecided):
        return Unknown(f"Spacer: {answer.reason}")
    with context.stats.phase("derivation"):
        return _derivation(system, answer, parameters, context, backend, complete=complete)


def _formulas(
    system: HornSystem, encoding: dict[object, Predicate], answer: Refuted
) -> dict[FunctionSymbol, Term]:
    return {p: answer.model[encoding[p]] for p in system.predicates if encoding[p] in answer.model}


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
    system: HornSystem, parameters: dict[str, bool], context: Context, backend: Z3
) -> tuple[dict[object, Predicate], HornAnswer]:
    horn = Horn(backend, parameters, keep_predicates=False)
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
    fresh = Z3()
    _, again = _ask(system, {**_INLINING[-1], **parameters}, context, fresh)
    if not isinstance(again, Derivable):
        return Unknown("Spacer derives false, but gave no complete proof")
    return _derivation(system, again, parameters, context, fresh, complete=True)
