"""``revet show``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from revet.budget import Budget
from revet.errors import RevetError, UsageError
from revet.frontends.aiger.writer import write_aiger
from revet.frontends.registry import load
from revet.images.graph import concrete_graph
from revet.images.space import Space
from revet.model.cfa import Cfa
from revet.model.circuit import Circuit
from revet.model.kind import Model
from revet.report.dot import dot
from revet.report.drawing import drawing_dot, drawing_svg
from revet.report.formats import as_bits, btor2, chc, moxi, vmt
from revet.report.model_text import model_text, relation_text
from revet.report.svg import svg
from revet.transform.bitblast import bit_blast
from revet.transform.blocks import large_blocks
from revet.transform.clean import clean
from revet.transform.reduction import chain
from revet.transform.slice import slice_cfa
from revet.transform.to_system import to_system

_NOTATIONS = {"vmt": vmt, "chc": chc, "moxi": moxi, "btor2": btor2}


def run_show(
    files: tuple[str, ...],
    format_: str,
    stage: str,
    reduce: bool,
    output: str | None,
    options: dict[str, Any],
    property: str | None = None,
) -> int:
    model = load(files, options, property).model
    if stage == "states":
        text = _states(model, format_)
    elif stage == "system" and format_ == "text" and model.as_automaton() is not None:
        kept = _at_stage(model, "blocks" if reduce else "source", reduce)
        assert isinstance(kept, Cfa)
        text = relation_text(kept)
    else:
        text = _render(_at_stage(model, stage, reduce), format_)
    if output is None:
        click.echo(text)
    else:
        try:
            Path(output).write_text(text + "\n")
        except OSError as error:
            raise RevetError(f"{output}: {error.strerror}") from error
    return 0


def _states(model: Model, format_: str) -> str:
    graph = concrete_graph(Space(model, Budget()))
    match format_:
        case "text":
            return graph.text()
        case "dot":
            return drawing_dot(graph.drawing()).rstrip("\n")
        case "svg":
            return drawing_svg(graph.drawing()).rstrip("\n")
    raise UsageError(f"--stage states is drawn as text, dot or svg, not as {format_}")


def _at_stage(model: Model, stage: str, reduce: bool) -> Model:
    if stage == "source":
        return model
    cfa = model.as_automaton()
    if cfa is None:
        raise UsageError(f"--stage {stage} is for automata: programs and linear Horn clauses")
    passes: list[Any] = [clean, slice_cfa, clean] if reduce else []
    if stage in ("blocks", "system") and (reduce or stage == "blocks"):
        passes.append(large_blocks)
    if stage == "system":
        passes.append(to_system)
    reduced: Model = chain(cfa, passes).model
    return reduced


def _render(model: Model, format_: str) -> str:
    if format_ == "text":
        return model_text(model)
    if format_ in _NOTATIONS:
        return _NOTATIONS[format_](model)
    if format_ == "aiger":
        return _aiger(model)
    cfa = model.as_automaton()
    if cfa is None:
        raise UsageError(f"--format {format_} draws automata: programs and linear Horn clauses (use text)")
    return dot(cfa) if format_ == "dot" else svg(cfa)


def _aiger(model: Model) -> str:
    """As a circuit, in ASCII; automata and systems are bit-blasted."""
    if isinstance(model, Circuit):
        return write_aiger(model).decode().rstrip("\n")
    return write_aiger(bit_blast(as_bits(model)).model).decode().rstrip("\n")
