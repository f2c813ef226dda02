"""BTOR2: word-level circuits over bit-vectors and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.errors import UsageError
from revet.frontends.btor2.file import read_btor2
from revet.frontends.btor2.replay import Replay
from revet.frontends.btor2.translate import Translation
from revet.frontends.btor2.witness import read_witness
from revet.frontends.program import Program
from revet.frontends.registry import read_text
from revet.result.verdict import Unsafe


def load(paths: Sequence[Path], options: Mapping[str, Any]) -> Program:
    if len(paths) > 1:
        raise UsageError("give one BTOR2 file at a time")
    return program_of(read_text(paths[0]), paths[0])


def program_of(text: str, path: Path) -> Program:
    """The program in the text of a file called ``path``."""
    file = read_btor2(text, str(path))
    translation = Translation(file, path.stem)
    replay = Replay(translation)
    return Program(
        translation.system, "btor2", (path,), replay.confirm,
        extras={
            "witness": replay.witness,
            "read_witness": lambda given, file: Unsafe(read_witness(given, file, translation)),
        },
    )
