"""Printing. Not click's ``echo``: commands that say one line need not load click for it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from revet.report import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


class Form:
    """What standard output is to look like, also where a command ends early, and whether something is there.

    There is one standard output, so there is one of these, :data:`FORM`. Until a command line is understood
    it is what its words seem to ask for (:meth:`expect`): what is wrong with it is said in that form, too.
    """

    def __init__(self) -> None:
        self.json = False
        self.several = False  # a list of answers
        self.answered = False

    def expect(self, arguments: Sequence[str]) -> None:
        """From the words of a command line that nobody has read yet."""
        words = list(arguments)
        options = words[: words.index("--")] if "--" in words else words
        self.settle(json="--json" in options, several="--each" in options)

    def settle(self, *, json: bool, several: bool) -> None:
        """From a command line that was understood."""
        self.json, self.several = json, several


FORM = Form()


def last_words(reason: str) -> bytes:
    """What is printed by a process that has to end early: *unknown*, in the form that was asked for."""
    if not FORM.json:
        return f"verdict: unknown ({reason})\n".encode()
    answer = f'{{"schema": {SCHEMA}, "verdict": "unknown", "reason": "{reason}"}}'
    return (f"[{answer}]\n" if FORM.several else f"{answer}\n").encode()


def end_at_once(reason: str) -> NoReturn:
    """End this process on the spot, from a signal's handler: an exception out of nowhere could be swallowed
    in a callback and leave half a model. The kernel ends our children with us."""
    os.write(1, last_words(reason))
    os._exit(3)


def json_error(error: Exception, message: str) -> None:
    """With ``--json`` an error is a value, too, unless the answer was printed before."""
    if not FORM.json or FORM.answered:
        return
    from json import dumps

    position = getattr(error, "position", None)
    place = {} if position is None else {
        "position": {"file": position.file, "line": position.line, "column": position.column}
    }  # fmt: skip
    echo(dumps({"schema": SCHEMA, "error": {"message": message, **place}}, indent=2))


def echo(text: str, *, err: bool = False) -> None:
    """A line on standard output, or on standard error, at once."""
    FORM.answered = FORM.answered or not err
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(f"{text}\n")
    except UnicodeEncodeError:  # as click does it: what is set up for ASCII gets UTF-8 nevertheless
        stream.flush()
        stream.buffer.write(f"{text}\n".encode("utf-8", "surrogateescape"))
    stream.flush()
