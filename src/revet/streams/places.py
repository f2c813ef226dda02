"""Errors that name the user's own line, whatever library function the mistake came through."""

from __future__ import annotations

import linecache
import re
import sys
from pathlib import Path

from revet.errors import InputError, Position

_HERE = str(Path(__file__).parent)
_ASSIGNMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)")


class StreamError(InputError):
    """A specification is ill-formed: types, causality, a drop beyond its buffer."""


def caller() -> Position:
    """The innermost place outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return Position(frame.f_code.co_filename, frame.f_lineno)


def assigned_name(place: Position) -> str | None:
    """``x`` if the line reads ``x = …``: a good name for the stream made there."""
    match = _ASSIGNMENT.match(linecache.getline(place.file, place.line))
    return match.group(1) if match else None


def error(message: str, place: Position | None = None) -> StreamError:
    """Raise what this returns; ``place`` defaults to the user's line that is running now."""
    place = place or caller()
    line = linecache.getline(place.file, place.line)
    return StreamError(message, place, line if line else None)
