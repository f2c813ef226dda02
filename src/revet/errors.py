"""Errors that a user of Revet can meet, and the source positions they point at.

Everything here derives from :class:`RevetError`; the command line turns such an error into one
clear message and exit status 2. Any other exception that escapes is a bug in Revet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from revet.position import Position as Position

_CONTEXT = 80  # characters shown on either side of the place of an error


def __getattr__(name: str) -> Any:
    """``Position`` has a module of its own: as a dataclass, it would load half of what Python has."""
    if name == "Position":
        from revet.position import Position

        return Position
    raise AttributeError(f"module 'revet.errors' has no attribute {name!r}")


_NOT_SAFETY = {  # what people ask for by the names of SV-COMP
    "termination": "Revet proves that something never happens, not that a run ends",
    "no-data-race": "Revet does not check concurrent programs",
}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about a name that does not exist: the nearest one that does, and all of them."""
    from difflib import get_close_matches  # here: only mistakes need it

    names = list(known)
    close = get_close_matches(word, names, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"{hint}there are: {', '.join(names) or 'none'}"


def no_such_property(name: str, known: Iterable[str]) -> str:
    """The message about a property that a program does not have."""
    if name in _NOT_SAFETY or name.endswith(".prp"):
        why = _NOT_SAFETY.get(name, "property files are for C")
        return f"{name} cannot be checked here: {why}; there are: {', '.join(known) or 'none'}"
    return f"there is no property {name}; {did_you_mean(name, known)}"


class RevetError(Exception):
    """Base of all errors that are the input's or the user's, not Revet's."""


class InputError(RevetError):
    """The input cannot be read: a syntax, type or well-formedness error.

    ``position`` says where; ``source_line``, when known, is shown with a caret below the column.
    """

    def __init__(
        self, message: str, position: Position | None = None, source_line: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.source_line = source_line

    def __str__(self) -> str:
        if self.position is None:
            return self.message
        text = f"{self.position}: {self.message}"
        if self.source_line is not None:
            shown = self.source_line.rstrip("\n").replace("\t", " ")
            line = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in shown)
            caret = self.position.column - 1
            if len(line) > 2 * _CONTEXT:  # of a very long line, the part around the place
                start = max(0, caret - _CONTEXT)
                caret -= start
                line = line[start : start + 2 * _CONTEXT]
            text += f"\n  {line}\n  {' ' * caret}^"
        return text


class Unsupported(InputError):
    """The input is legal, but uses a construct that Revet does not model (yet)."""


class ModelError(RevetError):
    """A model (transition system, automaton, certificate) is not well formed."""


class SortError(ModelError):
    """An operator was applied to arguments of the wrong sorts."""


class UsageError(RevetError):
    """The user asked for something that does not exist or does not fit together."""


class Contradiction(RevetError):
    """Two configurations gave opposite answers and both passed their checks: a bug in Revet."""
