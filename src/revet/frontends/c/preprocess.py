"""The preprocessor: ours to call, not to write.

Files without directives go to the parser as they are (``.i`` files always: line markers and
pragmas in them are harmless). Others are run through the system's C compiler with ``-E``. For
ILP32 on a 64-bit system the 32-bit library headers are often missing; the 64-bit ones do, with
the compiler's 32-bit predefined macros, because prototypes are written in terms of those.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from revet.errors import InputError, Position
from revet.frontends.c.types import DataModel

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?!pragma\b|line\b|ident\b|\d)[a-z]", re.M)
_CPLUSPLUS = (".cc", ".cpp", ".cxx", ".hpp", ".hh")
_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?:fatal )?error: (?P<text>.*)$", re.M
)


@dataclass(frozen=True)
class Preprocessed:
    """A text without directives; ``markers``: its line markers name the places the user knows."""

    path: Path
    text: bytes
    markers: bool


def preprocess(path: Path, model: DataModel) -> Preprocessed:
    if path.suffix.lower() in _CPLUSPLUS:
        raise InputError(f"{path}: this looks like C++; Revet reads C")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    if b"\0" in text[:4096]:
        raise InputError(f"{path}: a binary file, not a program text")
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    if path.suffix.lower() == ".i" or not _DIRECTIVE.search(text):
        return Preprocessed(path, text, False)
    return Preprocessed(path, _run(path, model, text), True)


# System headers write for the compiler they see; what comes after is clang's parser, which says it
# is gcc 4.2 and does not know all that newer ones do (__malloc__ (fclose, 1) in <stdio.h>).
_AS_CLANG = ("-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2")


@cache
def system_compiler() -> str | None:
    """The C compiler: $CC, cc, gcc or clang, whichever is there."""
    named = os.environ.get("CC", "").split()[:1]
    for name in (*named, "cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            return found
    return None


def _run(path: Path, model: DataModel, text: bytes) -> bytes:
    compiler = system_compiler()
    if compiler is None:
        place = _DIRECTIVE.search(text)
        line = text.count(b"\n", 0, place.start()) + 1 if place else 1
        raise InputError(
            "this file needs the preprocessor, but no C compiler (cc, gcc, clang) was found; "
            "install one or give a preprocessed file (.i)", Position(str(path), line),
        )
    with tempfile.TemporaryDirectory(prefix="revet-cpp-") as folder:
        flags = _flags(model, Path(folder))
        command = [compiler, "-E", "-std=gnu89", "-D__REVET__=1", *_AS_CLANG, *flags, str(path)]
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise _failure(path, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def _flags(model: DataModel, folder: Path) -> list[str]:
    if model.name == "lp64":
        return ["-m64"]
    stubs = folder / "gnu"
    stubs.mkdir()
    (stubs / "stubs-32.h").write_text("/* the 32-bit C library is not installed */\n")
    fallback = [f"-idirafter{folder}"]
    fallback += [f"-idirafter{found}" for found in sorted(Path("/usr/include").glob("*-linux-gnu"))]
    return ["-m32", *fallback]


def _failure(path: Path, messages: str) -> InputError:
    found = _MESSAGE.search(messages)
    if found is None:
        return InputError(f"{path}: the preprocessor failed: {messages.strip()[:500]}")
    position = Position(found["file"], int(found["line"]), int(found["column"] or 1))
    return InputError(found["text"], position)
