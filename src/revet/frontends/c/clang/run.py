"""Running clang: the one inside the package ``ziglang``, as a child process with limits.

clang reads the program (preprocessor, syntax and types) and writes its tree and the layouts of
its structures. The language is gnu17; what newer compilers reject in old code (functions without a
declaration, implicit int, pointers that do not fit) is allowed, warning by warning. ``__GNUC__``
and its kin follow the system's compiler, so that ``#if __GNUC__ > 9`` selects what a compiled run
of the program sees.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from revet.errors import InputError, Position, UsageError
from revet.frontends.c.clang.child import CPU, Text, call
from revet.frontends.c.clang.late import merged, needing_all
from revet.frontends.c.clang.layouts import Layout, read_layouts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from revet.frontends.c.types import DataModel

_START = re.compile(rb'^\{\n *"id"', re.M)
_TREE = ("-ast-dump=json", "-fdump-record-layouts-simple")
_AT_THE_BRACE, _WHEN_NEEDED = "-fdump-record-layouts-complete", "-fdump-record-layouts"
_OLD_CODE = (
    "implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types",
    "incompatible-function-pointer-types", "return-mismatch", "return-type", "parentheses",
)
_COMMON = (
    "-fsyntax-only", "-nostdinc", "-fbracket-depth=1000000", "-fno-spell-checking", "-ferror-limit=3",
    "-fno-color-diagnostics",
    "-D__NO_CTYPE",  # <ctype.h> of glibc: functions, not lookups in its tables
    *(f"-Wno-error={name}" for name in _OLD_CODE),
)
# Types that gcc has and clang has not; the C library's headers mention them for gcc.
_FLOATS = ("_Float32=float", "_Float64=double", "_Float32x=double", "_Float64x=long double",
           "_Float128=__float128")
# What gcc defines and clang does not, and the other way round, as far as programs ask.
_GNU = ("__STDC_IEC_559__=1", "__SIG_ATOMIC_TYPE__=int")
_CLANG = (
    "__clang__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__", "__clang_version__",
    "__clang_literal_encoding__", "__clang_wide_literal_encoding__", "__llvm__",
)
_CLANG_SAYS = "4.2.1"  # the version of gcc that clang claims to be
_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<kind>(?:fatal )?error|warning): (?P<text>.*)$",
    re.M,
)
_DROPPED = re.compile(r"\[-W(?:unknown|ignored)-attributes\]$")


class ClangError(InputError):
    """An error that clang reports: shown as clang shows it."""

    def __init__(self, text: str, message: str, position: Position | None) -> None:
        super().__init__(message, position)
        self.text = text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Ignored:
    """An attribute that clang does not know or does not apply."""

    position: Position
    message: str


@dataclass(frozen=True, slots=True)
class Output:
    """``text`` holds the tree as JSON, from ``start`` on."""

    text: Text
    start: int
    layouts: dict[str, list[Layout]]
    ignored: tuple[Ignored, ...]


@cache
def folder() -> Path:
    """Where the package ``ziglang`` is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError("reading C needs the package ziglang (pip install ziglang)")
    return Path(next(iter(spec.submodule_search_locations)))


@cache
def wheel_version() -> str:
    """The version of the package ``ziglang``, by the name of the folder that describes it: what would read
    it there (``importlib.metadata``) takes a tenth of a second to load."""
    found = sorted(folder().parent.glob("ziglang-*.dist-info"))
    return found[-1].name.removeprefix("ziglang-").removesuffix(".dist-info") if found else "unknown"


@cache
def _system() -> tuple[str, str] | None:
    """The system's compiler and the first line of what it says about itself."""
    named = os.environ.get("CC", "").split()[:1]
    for name in (*named, "cc", "gcc", "clang"):
        found = shutil.which(name)
        if found:
            done = subprocess.run([found, "--version"], capture_output=True, check=False)
            if done.returncode == 0:
                return found, done.stdout.decode("utf-8", "replace").partition("\n")[0]
    return None


def system_compiler() -> str | None:
    """The C compiler: $CC, cc, gcc or clang, the first one that is there and starts."""
    found = _system()
    return None if found is None else found[0]


def gnu_version() -> str | None:
    """The version of gcc that the system's compiler is or says it is; None without a compiler."""
    found = _system()
    if found is None:
        return None
    if "clang" in found[1].lower():
        return _CLANG_SAYS
    versions = re.findall(r"\b\d+\.\d+\.\d+\b", found[1])
    return versions[-1] if versions else None


def _header_folders(model: DataModel) -> list[str]:
    """The system's headers; the wheel's where there are none."""
    usr = Path("/usr/include")
    if (usr / "stdio.h").exists():
        machine = "x86_64" if model.name == "lp64" else "i386"
        own = usr / f"{machine}-linux-gnu"
        others = [found for found in sorted(usr.glob("*-linux-gnu")) if found != own]
        return [str(path) for path in (Path("/usr/local/include"), own, usr, *others) if path.is_dir()]
    library = folder() / "lib" / "libc" / "include"
    names = ("x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any")
    return [str(library / name) for name in names]


def dialect(clang: bool) -> list[str]:
    """What says which language a program is written in, for clang or another compiler, the same
    when it is read and when it is run. Where the system's compiler is gcc a program is not to see that
    another one reads it."""
    common = ["-std=gnu17", "-D__REVET__=1"]
    version = gnu_version() if clang else None
    if version is None:
        return common
    if version == _CLANG_SAYS:
        return [*common, f"-fgnuc-version={version}"]
    defined = [*(_FLOATS if int(version.split(".")[0]) >= 7 else ()), f'__VERSION__="{version}"', *_GNU]
    own = (*(f"-D{text}" for text in defined), *(f"-U{name}" for name in _CLANG))
    return [*common, *own, f"-fgnuc-version={version}"]


def command(model: DataModel, arguments: Sequence[str], after: str) -> list[str]:
    """The start of the command line; ``after`` is a folder to look for headers in, last of all."""
    places = [str(folder() / "lib" / "include"), *_header_folders(model)]
    bundled = not Path("/usr/include/stdio.h").exists()
    glibc = ["-D__GLIBC_MINOR__=36"] if bundled else []
    return [
        str(folder() / "zig"), "clang", *_COMMON, "-target", model.target, *dialect(True), *glibc, *arguments,
        *(part for place in places for part in ("-isystem", place)), "-idirafter", after,
    ]


@dataclass(frozen=True, slots=True)
class Input:
    """What clang is to read: a file, or ``text`` in its place."""

    path: Path
    text: bytes | None
    model: DataModel
    arguments: tuple[str, ...] = ()

    def dump(self) -> tuple[Output, str]:
        """The tree and the layouts; also the name under which clang knows the file."""
        first, file = self._dump(_AT_THE_BRACE)
        more = needing_all(first.text, first.start)
        if more is None:
            return first, file
        text = self.path.read_bytes() if self.text is None else self.text
        second, renamed = replace(self, text=text + more)._dump(_WHEN_NEEDED)
        layouts = merged(first.layouts, second.layouts, file, renamed)
        return replace(second, layouts=layouts), renamed

    def _dump(self, layouts: str) -> tuple[Output, str]:
        with self._command() as (full, file):
            status, output, messages = call([*full, *_passed_on(*_TREE, layouts)])
            if status != 0:
                shown = call([*full, "-w"])[2] if status > 0 else ""  # without the warnings
                raise _failure(self.path, file, shown or messages, status)
        found = _START.search(output)
        start = found.start() if found is not None else 0
        ignored = _ignored(messages, file, self.path)
        return Output(output, start, read_layouts(output[:start]), ignored), file

    def printed(self) -> bytes:
        """The program as clang prints it from its tree: macros are expanded."""
        with self._command() as (full, _):
            return bytes(call([*full, *_passed_on("-ast-print")])[1])

    @contextmanager
    def _command(self) -> Iterator[tuple[list[str], str]]:
        with tempfile.TemporaryDirectory(prefix="revet-c-") as name:
            stubs = Path(name, "after", "gnu")
            stubs.mkdir(parents=True)
            (stubs / "stubs-32.h").write_text("/* the 32-bit C library is not installed */\n")
            file = str(self.path)
            instead: list[str] = []
            if self.text is not None:
                file = str(Path(name, Path(self.path.name).stem + ".c"))
                Path(file).write_bytes(self.text)
                instead = ["-iquote", str(self.path.parent), f"-fmacro-prefix-map={file}={self.path}"]
            full = command(self.model, self.arguments, str(stubs.parent))
            yield [*full, *instead, "-x", "c", file], file


def _passed_on(*flags: str) -> list[str]:
    """Options of the compiler proper, past its driver."""
    return [part for flag in flags for part in ("-Xclang", flag)]


def _failure(path: Path, file: str, messages: str, status: int) -> InputError:
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return InputError(f"{path}: reading takes longer than {CPU} s")
    shown = messages.replace(file, str(path)).strip()
    found = next((one for one in _MESSAGE.finditer(shown) if "error" in one["kind"]), None)
    if found is None:
        return InputError(f"{path}: clang could not read this file (status {status}): {shown[:500]}")
    position = Position(found["file"], int(found["line"]), int(found["column"]))
    if found["text"].endswith("file not found"):
        shown += "\nits folder can be given with -I, or with the project's --compile-commands FILE"
    return ClangError(shown, found["text"], position)


def _ignored(messages: str, file: str, path: Path) -> tuple[Ignored, ...]:
    return tuple(
        Ignored(
            Position(found["file"].replace(file, str(path)), int(found["line"]), int(found["column"])),
            found["text"].partition(" [-W")[0],
        )
        for found in _MESSAGE.finditer(messages)
        if _DROPPED.search(found["text"])
    )
