"""Printing. Not click's ``echo``: commands that say one line need not load click for it."""

from __future__ import annotations

import sys


def echo(text: str, *, err: bool = False) -> None:
    """A line on standard output, or on standard error, at once."""
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:  # a terminal that does not know our signs
        encoding = stream.encoding or "ascii"
        stream.write(f"{text}\n".encode(encoding, "replace").decode(encoding))
    stream.flush()
