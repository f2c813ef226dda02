"""BTOR2: word-level circuits over bit-vectors and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.btor2.file import read_btor2
from revet.frontends.btor2.replay import Btor2Program
from revet.frontends.btor2.translate import Translation
from revet.frontends.kit.text import read_text


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> Btor2Program:
    if len(paths) > 1:
        raise UsageError("give one BTOR2 file at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> Btor2Program:
    """The program in the text of a file called ``path``."""
    return Btor2Program(Translation(read_btor2(text, str(path)), path.stem), path)
