"""The text of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from revet.errors import InputError, Position


def read_text(path: Path) -> str:
    """A text file's content, or one clear error."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if b"\0" in data[:4096]:
        raise InputError(f"{path}: a binary file, not a program text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def line_at(texts: Mapping[str, Sequence[str]], position: Position) -> str | None:
    """The line at a place, given the lines of every file."""
    lines = texts.get(position.file, ())
    return lines[position.line - 1] if 0 < position.line <= len(lines) else None
