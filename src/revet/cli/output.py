"""Printing. Not click's ``echo``: commands that say one line need not load click for it."""

from __future__ import annotations

import sys


def last_words(reason: str) -> bytes:
    """What is printed by a process that has to end on the spot: *unknown*, in the form that was asked for."""
    if "--json" in sys.argv:
        return b'{"schema": 1, "verdict": "unknown", "reason": "%s"}\n' % reason.encode()
    return f"verdict: unknown ({reason})\n".encode()


def echo(text: str, *, err: bool = False) -> None:
    """A line on standard output, or on standard error, at once."""
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:  # as click does it: what is set up for ASCII gets UTF-8 nevertheless
        stream.flush()
        stream.buffer.write(f"{text}\n".encode("utf-8", "surrogateescape"))
    stream.flush()
