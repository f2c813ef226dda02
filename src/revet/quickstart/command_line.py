"""Command lines of ``revet check`` that need no click to be understood.

Loading click takes as long as checking a small circuit three times over (decision 52), and most
command lines are plain: options spelt out, values in words of their own. Whatever is not (a short
option with its value attached, ``--option=value``, ``--help``, a file to write, a mistake) is left to
click, which also says what is wrong. Both read the table in :mod:`revet.cli.options`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from revet.cli.options import Option


def check(arguments: list[str]) -> object:
    """``revet check``: its exit status, or None if click must read the command line."""
    from revet.cli import loaded
    from revet.cli.check import run_check
    from revet.cli.given import given
    from revet.cli.options import CHECK

    parameters = parse(arguments, CHECK) if "_REVET_COMPLETE" not in os.environ else None
    if parameters is None:
        return None
    loaded()
    return run_check(given(parameters))


def parse(arguments: Sequence[str], table: Sequence[Option]) -> dict[str, Any] | None:
    """The parameters that click would pass on, or None: ask click."""
    values = {option.parameter: option.absent for option in table}
    known = {word: option for option in table for word in _spellings(option)}
    files: list[str] = []
    words = iter(arguments)
    for word in words:
        if word and word[0] != "-":
            files.append(word)
            continue
        if word not in known:
            return None
        option = known[word]
        if option.kind in ("flag", "switch"):
            values[option.parameter] = option.kind == "flag" or _is_first(option, word)
            continue
        text = next(words, "")
        value = None if not text or text[0] == "-" else _value(option, text)
        if value is None:
            return None
        name = option.parameter
        values[name] = (*values[name], value) if option.kind == "texts" else value
    return {"files": tuple(files), **values} if files else None


def _spellings(option: Option) -> list[str]:
    return [part for word in option.spelling.split() if word[0] == "-" for part in word.split("/")]


def _is_first(option: Option, word: str) -> bool:
    """``--reduce`` rather than ``--no-reduce``."""
    return option.spelling.startswith((f"{word}/", f"{word} "))


def _value(option: Option, text: str) -> Any:
    """None for what click shall look at."""
    match option.kind:
        case "text" | "texts":
            return text
        case "choice":
            return text if text in option.choices else None
        case "number" | "count":
            digits = text if option.kind == "count" else text.replace(".", "", 1)
            if not (digits.isdecimal() and digits.isascii() and len(digits) < 16):
                return None
            number = int(text) if option.kind == "count" else float(text)
            return number if option.least is None or number >= option.least else None
    return None
