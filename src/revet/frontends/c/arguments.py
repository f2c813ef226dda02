"""Arguments of the compiler that a program's meaning depends on: ``-I``, ``-D``, ``-std=`` and their kin.

They come from the command line, from :func:`revet.check`, or from a ``compile_commands.json`` (the
file that build systems write: see "JSON Compilation Database Format Specification" in clang's
documentation), and go to clang when the program is read and to the compiler when it is run. Paths
in them are absolute, for the compiler works in a folder of its own.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from revet.errors import InputError, UsageError
from revet.frontends.c.types import DATA_MODELS

_TARGETS = {"x86_64": "lp64", "amd64": "lp64", **dict.fromkeys(("i386", "i486", "i586", "i686"), "ilp32")}
_PATHS = ("-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros")
_NAMES = ("-D", "-U")
_OPTIONS = {
    "include_paths": "-I", "system_paths": "-isystem", "defines": "-D", "undefines": "-U",
    "includes": "-include",
}
# What says nothing about the program's meaning: outputs, warnings, optimisation, debugging, linking.
_WITHOUT_MEANING = re.compile(
    r"-(c|S|v|w|pipe|s|rdynamic|static|shared|pthread|pedantic(-errors)?|g[\w.=-]*|O\w*|W.*|l.*|L.*"
    r"|M(D|MD|P|M|G)?|f(no-)?(PIC|PIE|pic|pie|plt|omit-frame-pointer|stack-protector[\w-]*|strict-aliasing"
    r"|common|diagnostics-[\w=-]*|color-diagnostics|data-sections|function-sections|visibility=\w+|inline[\w-]*"
    r"|lto[\w=-]*|asynchronous-unwind-tables|exceptions|delete-null-pointer-checks|tree-[\w-]*|unroll-loops"
    r"|stack-clash-protection|cf-protection[\w=-]*|profile-[\w=-]*|coverage-[\w-]*)|m(tune|arch)=[\w-]+|--coverage)"
)
_DATABASE, _ABOVE = "compile_commands.json", 5  # its name, and in how many folders it is looked for
_WITH_A_WORD = ("-o", "-MF", "-MT", "-MQ", "-L", "-l", "-Xlinker")


def from_options(options: Mapping[str, Any]) -> tuple[str, ...]:
    """What the options of the front end say, as arguments."""
    found: list[str] = []
    for name, flag in _OPTIONS.items():
        for value in options.get(name) or ():
            found += [flag, os.path.abspath(value) if flag in _PATHS and _is_path(flag, value) else value]
    if options.get("standard"):
        found.append(f"-std={options['standard']}")
    return tuple(found)


def _is_path(flag: str, value: str) -> bool:
    """A folder, or a file that is here (``-include stdio.h`` is looked for among the headers)."""
    return flag != "-include" or os.path.exists(value)


def data_model_of(target: str) -> str:
    """The data model of a target like ``i386-linux-gnu``."""
    machine = target.split("-")[0]
    if machine not in _TARGETS:
        raise UsageError(f"--target {target}: Revet knows the targets x86_64 and i386")
    assert _TARGETS[machine] in DATA_MODELS
    return _TARGETS[machine]


class _Command(msgspec.Struct):
    directory: str
    file: str
    arguments: list[str] | None = None
    command: str | None = None


def from_commands(database: Path, path: Path) -> tuple[str, ...]:
    """The arguments of a file in a ``compile_commands.json``."""
    entry = _command_for(database, path)
    if entry is None:
        raise UsageError(f"{database}: there is no command for {path}")
    folder = os.path.join(database.parent, entry.directory)
    words = entry.arguments if entry.arguments is not None else shlex.split(entry.command or "")
    return _meaningful(words[1:], folder, entry.file, database)


def database_of(path: Path) -> Path | None:
    """The ``compile_commands.json`` of the project that a file belongs to, if that says how to compile it: in
    the folder of the file or one above, or in ``build/`` there."""
    for folder in list(path.resolve().parents)[:_ABOVE]:
        for candidate in (folder / "build" / _DATABASE, folder / _DATABASE):
            if candidate.is_file() and _command_for(candidate, path) is not None:
                return candidate
    return None


def _command_for(database: Path, path: Path) -> _Command | None:
    for entry in _read(database):
        file = os.path.join(database.parent, entry.directory, entry.file)
        if os.path.realpath(file) == os.path.realpath(path):
            return entry
    return None


def _read(database: Path) -> list[_Command]:
    try:
        return msgspec.json.decode(database.read_bytes(), type=list[_Command])
    except OSError as problem:
        raise InputError(f"{database}: {problem.strerror or problem}") from problem
    except msgspec.MsgspecError as problem:
        raise InputError(f"{database}: not a compilation database: {problem}") from problem


def _meaningful(words: Sequence[str], folder: str, file: str, database: Path) -> tuple[str, ...]:
    """Keep what has a meaning, drop what has none, refuse the rest."""
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        flag = next((one for one in (*_PATHS, *_NAMES) if word.startswith(one)), None)
        if flag is not None and (word == flag or len(flag) == 2):
            value = next(rest, "") if word == flag else word[len(flag) :]
            path = flag in _PATHS and (flag != "-include" or os.path.exists(os.path.join(folder, value)))
            found += [flag, os.path.join(os.path.abspath(folder), value) if path else value]
        elif word.startswith("-std=") or word in ("-m32", "-m64"):
            found.append(word)
        elif word in _WITH_A_WORD:
            next(rest, None)
        elif word != file and not _WITHOUT_MEANING.fullmatch(word) and not word.endswith((".o", ".a")):
            raise UsageError(f"{database}: the argument {word} of {file} is not known")
    return tuple(found)
