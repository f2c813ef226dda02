"""``-`` in place of a file: standard input, in the language that ``--language`` names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import UsageError
from revet.frontends.registry import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_NAMES = {language.name: language.suffixes[0] for language in LANGUAGES} | {"python": ".py"}
SUFFIXES = _NAMES | {suffix[1:]: suffix for language in LANGUAGES for suffix in language.suffixes}
"""Of the file that standard input is kept in, by the name of the language or a suffix of its files."""

_FILES = ("files", "words", "model", "file")  # what commands call their arguments


def from_standard_input(default: str | None = None) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """For commands: a ``-`` among their files is a temporary file when they run. ``default``: the language of
    commands that know only one; the others have the option ``--language``."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def run(**arguments: Any) -> int:
            language = default or arguments.get("language")
            if "language" in arguments:
                arguments["language"] = None  # all that there is to know about it is in the file's name
            name = next((name for name in _FILES if name in arguments), None)
            words = arguments[name] if name is not None else ()
            several = isinstance(words, tuple)
            if "-" not in (words if several else (words,)):
                if language is not None and default is None:
                    raise UsageError("--language is for standard input, written - in place of a file")
                return command(**arguments)
            assert name is not None
            with _kept(language) as path:
                put = [path if word == "-" else word for word in (words if several else (words,))]
                return command(**{**arguments, name: tuple(put) if several else put[0]})

        return run

    return decorate


@contextmanager
def _kept(language: str | None) -> Iterator[str]:
    """A file with all that comes on standard input; it is removed when this process ends, at the latest."""
    if language is None:
        raise UsageError(f"say what standard input holds: --language {'|'.join(_NAMES)}")
    from revet.frontends.c.temporary import temporary_folder

    with temporary_folder("input") as folder:
        path = Path(folder, f"stdin{SUFFIXES[language]}")
        path.write_bytes(sys.stdin.buffer.read())
        yield str(path)
