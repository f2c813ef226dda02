"""``revet validate``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from revet.api import answer
from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.driver.run import confirm_claim
from revet.errors import InputError
from revet.frontends.c.witness.following import followed, is_violation
from revet.frontends.c.witness.validate import prepare_validation
from revet.frontends.kit.text import read_text
from revet.frontends.program import HasProcedures, Program, ReadsWitnesses
from revet.frontends.registry import load
from revet.portfolio import Limits
from revet.question import Question
from revet.result.files import read_evidence
from revet.result.verdict import Unknown, Verdict


def run_validate(
    files: Sequence[str], evidence: str, timeout: float | None, options: dict[str, Any],
    property: str | None = None,
) -> int:
    """The exit status: 0 accepted, 1 rejected, 3 undecided. ``files`` are the program's."""
    path = Path(evidence)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.suffix in (".yml", ".yaml"):
        given = options if property is None else {**options, "property": property}
        return _validate_witness([Path(file) for file in files], path, timeout, given)
    program = load([Path(file) for file in files], options, property)
    verdict = read_claim(program, path)
    confirmed, checked = confirm_claim(program, verdict, Budget(timeout))
    if not isinstance(confirmed, Unknown):
        for note in checked.notes if checked else ():
            click.echo(note)
        click.echo("accepted")
        return 0
    if checked is not None and not checked.accepted:
        click.echo(f"rejected: {'; '.join(checked.notes)}")
        return 1
    click.echo(f"undecided: {confirmed.reason}")
    return 3


def read_claim(program: Program, path: Path) -> Verdict:
    """What a file claims: Revet's own JSON, or a witness in the notation of the input language."""
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.suffix != ".json" and isinstance(program, ReadsWitnesses):
        return program.read_witness(read_text(path), str(path))
    procedures = program.procedures if isinstance(program, HasProcedures) else None
    return read_evidence(path, program.model, procedures)


def _validate_witness(
    files: Sequence[Path], witness: Path, timeout: float | None, options: dict[str, Any]
) -> int:
    """An SV-COMP witness: a violation is followed; invariants count as they are, or for k-induction."""
    if is_violation(witness):
        return _validate_violation(files, witness, timeout, options)
    validation = prepare_validation(files, witness, options)
    budget = Budget(timeout)
    for note in validation.notes:
        click.echo(f"note: {note}")
    reasons: list[str] = []
    try:
        for certificate in validation.certificates():
            report = check_certificate(validation.model, certificate, budget=budget)
            if report.accepted:
                click.echo(f"{report}, with k = {certificate.k}\naccepted")
                return 0
            reasons.append(str(report))
    except OutOfBudget:
        click.echo("undecided: time is up")
        return 3
    click.echo(f"rejected: {reasons[0]}")
    return 1


def _validate_violation(
    files: Sequence[Path], witness: Path, timeout: float | None, options: dict[str, Any]
) -> int:
    """A violation witness: is there a run along its waypoints into an error at its target?"""
    program, notes = followed(files, witness, options)
    for note in notes:
        click.echo(f"note: {note}")
    found = answer(Question(limits=Limits(timeout, None)), program)
    if found.status == "unsafe":
        for note in found.checked.notes if found.checked else ():
            click.echo(note)
        click.echo("accepted")
        return 0
    if found.status == "safe":
        click.echo("rejected: no run passes the waypoints and violates the property at the target")
        return 1
    assert isinstance(found.verdict, Unknown)
    click.echo(f"undecided: {found.verdict.reason}")
    return 3
