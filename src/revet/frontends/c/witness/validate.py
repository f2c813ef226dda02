"""Re-checking a correctness witness: its invariants as a certificate for the lowered program.

The witness's C expressions are put into the program's text (:mod:`annotate`), so that the front
end parses and lowers them in their scope, and become :class:`LocationInvariants`. The certificate
checker then decides, as for any engine's answer. A witness need not be inductive on its own:
what is true of every C variable (its type's range) is added, the checker may be asked for
k-induction with the invariants (:meth:`Validation.certificates`), and a rejected witness is *not
confirmed*, not refuted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from revet.errors import InputError, UsageError
from revet.frontends.c.ast import CProgram
from revet.frontends.c.lower.program import Lowered, lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import Unit, parse_units, read_unit
from revet.frontends.c.property import groups_of
from revet.frontends.c.types import Int
from revet.frontends.c.witness.annotate import annotate
from revet.frontends.c.witness.reading import Witness, read_witness
from revet.frontends.c.witness.writing import Invariant
from revet.frontends.kit.deep import at_any_depth
from revet.logic import build as b
from revet.logic.sorts import INT
from revet.logic.terms import Term
from revet.model.cfa import Cfa, Location
from revet.result.certificate import LocationInvariants
from revet.transform.graph import loop_heads


@dataclass(frozen=True, eq=False)
class Validation:
    """What to hand to the certificate checker: any accepted certificate confirms the witness."""

    model: Cfa
    formulas: dict[Location, Term]
    notes: tuple[str, ...]
    used: tuple[Invariant, ...]

    def certificates(self, most: int = 3) -> Iterator[LocationInvariants]:
        """The invariants as they are, then as a basis for k-induction."""
        for k in range(1, most + 1):
            yield LocationInvariants(self.formulas, k)


def prepare_validation(
    paths: Sequence[Path], witness_path: Path, options: Mapping[str, Any] | None = None
) -> Validation:
    """Read a program and a correctness witness for it."""
    witness = read_witness(witness_path)
    if witness.kind != "correctness":
        raise UsageError(f"{witness_path}: a violation witness, which claims no invariants")
    chosen = Options.from_mapping({**from_witness(witness), **dict(options or {})})
    units = [read_unit(path, chosen.arguments(path)) for path in paths]
    notes = [*witness.notes, *hash_notes(witness, paths)]
    lowered, used, placed = at_any_depth(_lower)(units, witness, chosen)
    ranges = _ranges(lowered)
    errors = (*lowered.cfa.errors, *lowered.open_ends)  # no witness may forget where the model ends
    model = replace(lowered.cfa, precondition=b.and_(lowered.cfa.precondition, ranges), errors=errors)
    cuts = (*lowered.loops, *loop_heads(model.initial, model.outgoing))  # every cycle goes through one
    formulas = dict.fromkeys(cuts, ranges)
    for claim in lowered.annotations:
        formulas[claim.location] = b.and_(formulas.get(claim.location, ranges), claim.formula)
    return Validation(model, formulas, (*notes, *placed), used)


def from_witness(witness: Witness) -> dict[str, Any]:
    """The options that a witness names: the data model, and what it is about."""
    found = {} if witness.data_model is None else {"data_model": witness.data_model.lower()}
    about = groups_of(witness.specification or "")
    return found if about is None else {**found, "property": about}


def hash_notes(witness: Witness, paths: Sequence[Path]) -> list[str]:
    """Say so if the witness is about other files; the check itself does not depend on it."""
    if not witness.hashes:
        return []
    known = set(witness.hashes.values())
    changed = [p.name for p in paths if hashlib.sha256(p.read_bytes()).hexdigest() not in known]
    return [f"{name} is not the file that the witness was written for" for name in changed]


def _lower(
    units: Sequence[Unit], witness: Witness, options: Options
) -> tuple[Lowered, tuple[Invariant, ...], tuple[str, ...]]:
    """Insert the invariants and lower; one that does not parse is left out with a note."""
    invariants = list(witness.invariants)
    notes: list[str] = []
    while True:
        annotated = annotate(units, invariants)
        try:
            tree = _parsed(annotated.units, options)
            return lower(tree, options), annotated.used, (*notes, *annotated.notes)
        except InputError as problem:
            bad = _offender(units, annotated.used, options)
            if bad is None:
                raise
            notes.append(f"line {bad.at.line}: {bad.value[:60]}: {problem.message}; not used")
            invariants.remove(bad)


def _parsed(units: Sequence[Unit], options: Options) -> CProgram:
    return parse_units(units, options.model(), entry=options.wanted(), checks=options.checks)


def _offender(
    units: Sequence[Unit], invariants: Sequence[Invariant], options: Options
) -> Invariant | None:
    """An invariant that makes the program unreadable; None if it is unreadable without any."""
    for invariant in invariants:
        try:
            annotated = annotate(units, [invariant])
            lower(_parsed(annotated.units, options), options)
        except InputError:
            try:
                lower(_parsed(units, options), options)
            except InputError:
                return None
            return invariant
    return None


def _ranges(lowered: Lowered) -> Term:
    """Every integer variable holds a value of its type. True in every state that matters: a
    variable is given a value of its type where it comes into being, and each assignment keeps it."""
    facts = []
    for term, meaning in lowered.meanings.items():
        if term.sort is INT and isinstance(meaning.type, Int):
            facts.append(b.integer(meaning.type.least) <= term)
            facts.append(term <= b.integer(meaning.type.greatest))
    return b.conjunction(facts)
