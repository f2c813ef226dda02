"""``revet simulate``."""

from __future__ import annotations

from pathlib import Path

import click

from revet.checker.replay import ReplayError, replay
from revet.cli.validate import read_claim
from revet.errors import RevetError, UsageError
from revet.frontends.program import ReplayFailed
from revet.frontends.registry import load
from revet.report.waveform import signals_of, svg_waveform, text_waveform, vcd
from revet.result.verdict import Unsafe


def run_simulate(file: str, witness: str, format_: str, output: str | None, changing: bool) -> int:
    """Replay a counterexample and draw it; 1 if it is none."""
    if format_ == "csv":
        raise UsageError("--format csv is for monitors in Python")
    program = load([Path(file)])
    verdict = read_claim(program, Path(witness))
    if not isinstance(verdict, Unsafe):
        raise UsageError(f"{witness}: a certificate, not a run; 'revet validate' checks it")
    try:
        replay(program.model, verdict.trace)
        notes = program.replay(verdict.trace)
    except (ReplayError, ReplayFailed) as error:
        click.echo(f"rejected: {error}", err=True)
        return 1
    signals = signals_of(program.model, verdict.trace)
    if changing:
        signals = [signal for signal in signals if len(set(signal.values)) > 1]
    match format_:
        case "text":
            text = text_waveform(signals) + "\n"
        case "svg":
            text = svg_waveform(signals)
        case _:
            text = vcd(signals, program.model.name)
    if output is None:
        click.echo(text, nl=False)
    else:
        try:
            Path(output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise RevetError(f"{output}: {error.strerror}") from error
    for note in notes:
        click.echo(note, err=True)
    return 0
