"""Certificates for the page: formulas at their lines, and what kind of proof it is."""

from __future__ import annotations

from html import escape

from revet.driver.answer import Answer
from revet.frontends.kit.source_run import SourceInvariant
from revet.frontends.program import TellsInvariants
from revet.logic.pretty import pretty
from revet.logic.terms import TRUE
from revet.report.html.source import conjuncts
from revet.result.certificate import (
    Cases,
    Certificate,
    Exhausted,
    KInductive,
    LocationInvariants,
)

_LONGEST = 4000  # characters of one formula


def invariants_of(answer: Answer, certificate: Certificate) -> list[SourceInvariant]:
    """In source terms if the front end can say them, at the model's locations otherwise."""
    program = answer.program
    if isinstance(program, TellsInvariants):
        return program.source_invariants(certificate)
    if not isinstance(certificate, LocationInvariants):
        return []
    cfa = program.model.as_automaton()
    errors = set(cfa.errors) if cfa is not None else set()
    return [
        SourceInvariant(pretty(formula, _LONGEST), location.name, location.position)
        for location, formula in certificate.formulas.items()
        if location not in errors and formula is not TRUE
    ]


def invariants_html(answer: Answer, certificate: Certificate, invariants: list[SourceInvariant]) -> str:
    parts = [f"<p>{escape(certificate.sentence())}</p>"]
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
    return certificate.text(answer.program.model)
