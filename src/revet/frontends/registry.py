"""Which front end reads which file. Add a row when you add a language."""

from __future__ import annotations

import os.path
from importlib import import_module

from revet.errors import InputError, UsageError
from revet.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from revet.frontends.program import Program


class Language(Record):
    """``module`` has ``load(paths, options) -> Program`` (options: those of the command line
    that the language knows, e.g. C's ``data_model``). ``plain``: it takes the paths as texts."""

    name: str
    suffixes: tuple[str, ...]
    module: str
    summary: str
    plain: bool = False


LANGUAGES: list[Language] = [
    Language("c", (".c", ".i", ".h", ".cc", ".cpp", ".yml"), "revet.frontends.c", "C, preprocessed or not"),
    Language("aut", (".aut",), "revet.frontends.aut", "SPA's program automata"),
    Language("theta", (".cfa",), "revet.frontends.theta", "THETA's control-flow automata"),
    Language("spa", (".spa",), "revet.frontends.spa", "the small C-like language"),
    Language("aiger", (".aag", ".aig"), "revet.frontends.aiger", "AIGER 1.9 circuits, ASCII and binary",
             plain=True),
    Language("btor2", (".btor2", ".btor"), "revet.frontends.btor2", "BTOR2, bit-vectors and arrays"),
    Language("boogie", (".bpl",), "revet.frontends.boogie", "Boogie, ULTIMATE's and Microsoft's"),
    Language("lustre", (".lus",), "revet.frontends.lustre", "Lustre, KIND 2's dialect"),
]


def language_of(path: Path | str) -> Language | None:
    suffix = os.path.splitext(path)[1].lower()
    return next((language for language in LANGUAGES if suffix in language.suffixes), None)


def load(paths: Sequence[Path | str], options: Mapping[str, Any] | None = None) -> Program:
    """Read a program; the first file's suffix decides the language."""
    if not paths:
        raise UsageError("no input file")
    for path in paths:
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file")
        if os.path.isdir(path):
            raise InputError(f"{path}: is a directory")
    language = language_of(paths[0])
    if language is not None:
        read = import_module(language.module).load
        program: Program = read(_as_wanted(paths, language.plain), dict(options or {}))
        return program
    known = ", ".join(suffix for language in LANGUAGES for suffix in language.suffixes)
    raise InputError(f"{paths[0]}: unknown kind of file; Revet reads {known}")


def _as_wanted(paths: Sequence[Path | str], plain: bool) -> list[str] | list[Path]:
    if plain:
        return list(map(str, paths))
    from pathlib import Path

    return list(map(Path, paths))


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
