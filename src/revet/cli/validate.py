"""``revet validate``."""

from __future__ import annotations

from pathlib import Path

import click

from revet.budget import Budget, OutOfBudget
from revet.checker.certificate import check_certificate
from revet.cli.language import data_model
from revet.driver.run import confirm
from revet.errors import InputError
from revet.frontends.program import Program
from revet.frontends.registry import load, read_text
from revet.result.files import read_evidence
from revet.result.verdict import Unknown, Verdict


def run_validate(model: str, evidence: str, timeout: float | None, ilp32: bool | None) -> int:
    options = data_model(ilp32)
    path = Path(evidence)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.suffix in (".yml", ".yaml"):
        return _validate_witness(Path(model), path, Budget(timeout), options)
    program = load([Path(model)], options)
    verdict = read_claim(program, path)
    confirmed, checked = confirm(program, verdict, Budget(timeout))
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
    reader = program.extras.get("read_witness")
    if path.suffix != ".json" and callable(reader):
        verdict: Verdict = reader(read_text(path), str(path))
        return verdict
    return read_evidence(path, program.model)


def _validate_witness(program: Path, witness: Path, budget: Budget, options: dict[str, str]) -> int:
    """An SV-COMP correctness witness: its invariants, as they are or as a basis for k-induction."""
    from revet.frontends.c.witness.validate import prepare_validation

    validation = prepare_validation([program], witness, options)
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
