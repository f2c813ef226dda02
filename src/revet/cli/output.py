"""Printing. Not click's ``echo``: commands that say one line need not load click for it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from revet.report import SCHEMA

if TYPE_CHECKING:
    from typing import NoReturn


def last_words(reason: str) -> bytes:
    """What is printed by a process that has to end early: *unknown*, in the form that was asked for."""
    if "--json" not in sys.argv:
        return f"verdict: unknown ({reason})\n".encode()
    answer = f'{{"schema": {SCHEMA}, "verdict": "unknown", "reason": "{reason}"}}'
    return (f"[{answer}]\n" if "--each" in sys.argv else f"{answer}\n").encode()


def end_at_once(reason: str) -> NoReturn:
    """End this process on the spot, from a signal's handler: an exception out of nowhere could be swallowed
    in a callback and leave half a model. The kernel ends our children with us."""
    os.write(1, last_words(reason))
    os._exit(3)


def json_error(error: Exception, message: str) -> None:
    """With ``--json`` an error is a value, too, unless the answer was printed before."""
    if "--json" not in sys.argv or _answered:
        return
    from json import dumps

    position = getattr(error, "position", None)
    place = {} if position is None else {
        "position": {"file": position.file, "line": position.line, "column": position.column}
    }  # fmt: skip
    echo(dumps({"schema": SCHEMA, "error": {"message": message, **place}}, indent=2))


_answered = False  # is there something on standard output?


def echo(text: str, *, err: bool = False) -> None:
    """A line on standard output, or on standard error, at once."""
    global _answered
    _answered = _answered or not err
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:  # as click does it: what is set up for ASCII gets UTF-8 nevertheless
        stream.flush()
        stream.buffer.write(f"{text}\n".encode("utf-8", "surrogateescape"))
    stream.flush()
