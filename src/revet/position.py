"""Places in source files, for errors and models."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A place in a source file; lines and columns count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
