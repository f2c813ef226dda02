"""Certificates for the page: formulas at their lines, and what kind of proof it is."""

from __future__ import annotations

from html import escape
from typing import assert_never

from revet.driver.answer import Answer
from revet.frontends.source_run import SourceInvariant
from revet.logic.pretty import pretty
from revet.logic.terms import TRUE
from revet.model.cfa import Cfa
from revet.report.html.source import conjuncts
from revet.report.text import exhausted_text, render_certificate
from revet.result.certificate import (
    Cases,
    Certificate,
    CircuitInvariant,
    Exhausted,
    KInductive,
    LocationInvariants,
    OnlyRun,
    ProcedureContracts,
)

_LONGEST = 4000  # characters of one formula


def invariants_of(answer: Answer, certificate: Certificate) -> list[SourceInvariant]:
    """In source terms if the front end can say them, at the model's locations otherwise."""
    if answer.program.source_invariants is not None:
        return answer.program.source_invariants(certificate)
    if not isinstance(certificate, LocationInvariants):
        return []
    model = answer.program.model
    errors = set(model.errors) if isinstance(model, Cfa) else set()
    return [
        SourceInvariant(pretty(formula, _LONGEST), location.name, location.position)
        for location, formula in certificate.formulas.items()
        if location not in errors and formula is not TRUE
    ]


def invariants_html(answer: Answer, certificate: Certificate, invariants: list[SourceInvariant]) -> str:
    parts = [f"<p>{escape(_kind(certificate))}</p>"]
    for invariant in invariants:
        line = f"line {invariant.position.line}, " if invariant.position else ""
        formula = "\n".join(conjuncts(invariant.text))
        parts.append(
            f'<div class="formula"><span class="where">{escape(line + invariant.where)}</span>'
            f'<pre tabindex="0">{escape(formula)}</pre></div>'
        )
    if not invariants and not isinstance(certificate, (Exhausted, Cases)):
        parts.append(f"<pre>{escape(_formula(answer, certificate))}</pre>")
    return "".join(parts)


def _formula(answer: Answer, certificate: Certificate) -> str:
    if isinstance(certificate, KInductive):
        return "\n".join(conjuncts(pretty(certificate.formula, _LONGEST)))
    return render_certificate(certificate, answer.program.model)


def _kind(certificate: Certificate) -> str:
    match certificate:
        case Exhausted(depth=depth):
            text = exhausted_text(certificate)
            return f"{text[0].upper()}{text[1:]}; none of at most {depth} steps breaks the property."
        case OnlyRun(steps):
            return f"The program reads nothing: it has only one run, which ends after {steps} steps."
        case Cases():
            return (f"The floats that a run draws are divided into {certificate.leaves} cases. In each of "
                    "them, intervals of what is computed exclude the error.")
        case LocationInvariants(k=k):
            them = "they hold"
            text = "These formulas hold whenever a run is at their places"
            end = "Together they exclude the error."
        case KInductive(k=k) | CircuitInvariant(k=k):
            them = "it holds"
            text, end = "This formula holds in every reachable state", "It excludes the error."
        case ProcedureContracts():
            return ("Each procedure keeps its contract: called where what it requires holds, it ensures "
                    "the rest, given that those it calls keep theirs. No error is reached.")
        case _:
            assert_never(certificate)
    how = (
        f"{them} at the start, and every step keeps it so" if k == 1
        else f"where {them} for {k} steps in a row, {them} in the next one, and in the first {k} steps"
    )
    return f"{text}: {how}. {end}"
