"""``revet show``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revet.cli.language import data_model
from revet.errors import RevetError, UsageError
from revet.frontends.registry import load
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.transform.reduction import Model


def run_show(files: tuple[str, ...], format_: str, stage: str, output: str | None, ilp32: bool | None) -> int:
    program = load([Path(file) for file in files], data_model(ilp32))
    text = _render(_at_stage(program.model, stage), format_)
    if output is None:
        click.echo(text)
    else:
        try:
            Path(output).write_text(text + "\n")
        except OSError as error:
            raise RevetError(f"{output}: {error.strerror}") from error
    return 0


def _at_stage(model: Model, stage: str) -> Model:
    if stage == "source":
        return model
    if not isinstance(model, Cfa):
        raise UsageError(f"--stage {stage} is for automata; this input is a transition system")
    from revet.transform.blocks import large_blocks
    from revet.transform.clean import clean
    from revet.transform.reduction import chain
    from revet.transform.slice import slice_cfa
    from revet.transform.to_system import to_system

    passes: list[Any] = [clean, slice_cfa, clean]
    if stage in ("blocks", "system"):
        passes.append(large_blocks)
    if stage == "system":
        passes.append(to_system)
    reduced: Model = chain(model, passes).model
    return reduced


def _render(model: Model, format_: str) -> str:
    if format_ == "text":
        from revet.report.model_text import model_text

        return model_text(model)
    if format_ == "aiger":
        return _aiger(model)
    if not isinstance(model, Cfa):
        raise UsageError(f"--format {format_} draws automata; this is a transition system (use text)")
    if format_ == "dot":
        from revet.report.dot import dot

        return dot(model)
    from revet.report.svg import svg

    return svg(model)


def _aiger(model: Model) -> str:
    """As a circuit, in ASCII; automata and systems are bit-blasted."""
    from revet.frontends.aiger.writer import write_aiger
    from revet.transform.bitblast import bit_blast
    from revet.transform.to_system import to_system

    if isinstance(model, Circuit):
        return write_aiger(model).decode().rstrip("\n")
    system = to_system(model).model if isinstance(model, Cfa) else model
    return write_aiger(bit_blast(system).model).decode().rstrip("\n")
