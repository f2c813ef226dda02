"""Constrained Horn clauses in SMT-LIB's logic HORN, as CHC-COMP has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.horn.program import HornProgram
from revet.frontends.horn.reader import HornScript
from revet.frontends.kit.text import read_text


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> HornProgram:
    if len(paths) > 1:
        raise UsageError("give one file of Horn clauses at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> HornProgram:
    """The program in the text of a file called ``path``."""
    return HornProgram(HornScript(text, str(path), path.stem), path)
