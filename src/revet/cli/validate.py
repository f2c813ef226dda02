"""``revet validate``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from revet.budget import Budget
from revet.driver.run import confirm
from revet.errors import InputError
from revet.frontends.registry import load
from revet.result.verdict import Unknown


def run_validate(model: str, evidence: str, timeout: float | None, ilp32: bool) -> int:
    program = load([Path(model)], {"data_model": "ilp32" if ilp32 else "lp64"})
    path = Path(evidence)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if path.suffix in (".yml", ".yaml"):
        reader = program.extras.get("read_witness")
        if not callable(reader):
            raise InputError(f"{path}: only C programs have SV-COMP witnesses")
        verdict = reader(path)
    else:
        verdict = import_module("revet.result.files").read_evidence(path, program.model)
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
