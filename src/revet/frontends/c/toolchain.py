"""What makes programs here: a compiler, a linker and a C library for one target.

| choice, in this order | for |
|---|---|
| the compiler that ``$CC`` names | whatever it can build |
| the clang of the PyPI wheel ``ziglang`` and the machine's own C library | 64-bit programs |
| ``cc``, ``gcc`` or ``clang`` of the system | whatever it can build |
| the same wheel and its musl, a static C library | 32-bit programs |

The wheel needs nothing else of the system: no ``cc``, no header, no start file; its programs begin
in ``native/start.c`` and are linked with the C library that this very process runs with. All
compile for the processor every machine of the kind has, and never contract ``a*b+c`` into one
rounding, which would make other programs of them.

musl has to be built once (a minute, without a network). That happens in the background and in the
user's cache folder; until it is done there are no 32-bit programs, and the reason is said.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from revet.frontends.c.clang.run import system_compiler, wheel_version
from revet.frontends.c.processes import NotRun, call, first_line
from revet.frontends.c.temporary import cache_folder, temporary_folder

if TYPE_CHECKING:
    from revet.budget import Budget
    from revet.frontends.c.types import DataModel

_EXACT = ("-ffp-contract=off",)
_SSE = ("-msse2", "-mfpmath=sse", "-ffloat-store")  # no excess precision in 32-bit code
_DIRECT = re.compile(r"^\S+ \S+ \S+ \S+ \S+ +(/\S+)$", re.M)  # a file in /proc/self/maps
_CLANG = {"0.17.0": "clang 22.1"}  # known without asking
_MUSL = "x86-linux-musl"
_OLD_CODE = tuple(
    f"-Wno-error={name}"
    for name in ("implicit-function-declaration", "implicit-int", "int-conversion",
                 "incompatible-pointer-types", "incompatible-function-pointer-types", "return-mismatch",
                 "parentheses")
)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """``compile`` and ``link`` are how two commands begin, ``libraries`` how the second one ends.

    ``name`` says compiler, target and C library; ``own_start``: programs begin in ``start.c``."""

    name: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    libraries: tuple[str, ...]
    clang: bool = False
    own_start: bool = False
    static: bool = False
    linker_prefix: str = "-Wl,"
    environment: Mapping[str, str] = field(default_factory=dict)

    def object(
        self, folder: Path, flags: Sequence[str], source: str, target: str, budget: Budget
    ) -> subprocess.CompletedProcess[str]:
        """Compile one file; the caller looks at the status."""
        command = [*self.compile, *flags, "-c", source, "-o", target]
        return call(command, folder, budget, self.environment)

    def own_object(self, folder: Path, flags: Sequence[str], name: str, text: str, budget: Budget) -> str:
        """Compile a file of ours, or take it from the cache folder. Raises :class:`NotRun`."""
        target, key = f"{name}.o", "\0".join((*self.compile, *flags, text))
        kept = cache_folder() / "objects" / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.o"
        with suppress(OSError):
            (folder / target).write_bytes(kept.read_bytes())
            return target
        (folder / f"{name}.c").write_text(text)
        done = self.object(folder, flags, f"{name}.c", target, budget)
        if done.returncode != 0:
            raise NotRun(f"the compiler rejects {name}.c: {first_line(done.stderr)}")
        with suppress(OSError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            fresh = kept.with_suffix(f".{os.getpid()}")
            fresh.write_bytes((folder / target).read_bytes())
            fresh.replace(kept)
        return target

    def program(
        self, folder: Path, objects: Sequence[str], target: str, budget: Budget, wrapped: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Link a program. Calls of a ``wrapped`` function f arrive at ``__wrap_f``."""
        wraps = [f"{self.linker_prefix}--wrap={name}" for name in wrapped]
        command = [*self.link, *wraps, *objects, "-o", target, *self.libraries]
        return call(command, folder, budget, self.environment)


def toolchain_for(model: DataModel) -> Toolchain:
    """The toolchain for programs of a data model. Raises :class:`NotRun` with what is missing."""
    return _toolchain(model.pointer_size == 4, os.environ.get("CC", ""))


def with_address_sanitizer(model: DataModel) -> Toolchain:
    """A compiler of the system, whose programs are linked with its AddressSanitizer; the wheel has none.
    Raises :class:`NotRun` where there is no compiler; where it has none either, linking fails."""
    found = _system(model.pointer_size == 4)
    if found is None:
        size = 8 * model.pointer_size
        raise NotRun(f"AddressSanitizer needs a compiler of the system that builds {size}-bit programs")
    return replace(found, link=(*found.link, "-fsanitize=address"))


def works_for(model: DataModel) -> bool:
    """Can programs of this data model be made here, at once?"""
    try:
        toolchain_for(model)
    except NotRun:
        return False
    return True


@cache
def _toolchain(small: bool, named: str) -> Toolchain:
    found = _system(small) if named else None
    if found is None and not small:
        found = _wheel()
    if found is None and not named:
        found = _system(small)
    if found is None and small:
        found = _musl()
    if found is None:
        raise NotRun("no C compiler (the wheel ziglang, cc, gcc, clang) was found that builds "
                     f"{'32' if small else '64'}-bit programs here")
    return found


# ---- compilers of the system ---------------------------------------------------------------------


@cache
def _system(small: bool) -> Toolchain | None:
    compiler = system_compiler()
    if compiler is None:
        return None
    intel = platform.machine() in ("x86_64", "AMD64")
    flag = "-m32" if small else "-m64"
    target = (flag, *(_SSE if small else ())) if intel else (() if small else ("-fsigned-char",))
    with temporary_folder("cc") as folder:
        (folder / "probe.c").write_text("#include <stdlib.h>\nint main(void) { return 0; }\n")
        try:
            done = call([compiler, *target, "probe.c", "-o", "probe"], folder)
            about = call([compiler, "--version"], folder).stdout
        except NotRun:
            return None
    if done.returncode != 0 or (small and not intel):
        return None
    name = f"{_version(compiler, about)}, {_machine(small)}, {_library() or 'C library of the system'}"
    options = (*target, *_EXACT, "-fno-pie") if sys.platform == "linux" else (*target, *_EXACT)
    links = (compiler, *target, *(("-no-pie",) if sys.platform == "linux" else ()))
    return Toolchain(name, (compiler, *options), links, ("-lm",), "clang" in about)


def _version(compiler: str, about: str) -> str:
    """"gcc 12.2" from what a compiler says about itself."""
    number = re.search(r"\b(\d+\.\d+)\.\d+", about)
    known = "clang" if "clang" in about else "gcc" if "Free Software" in about else Path(compiler).name
    return f"{known} {number[1]}" if number else known


def _machine(small: bool) -> str:
    machine = platform.machine()
    if machine in ("x86_64", "AMD64"):
        return "x86" if small else "x86-64"
    return machine


def _library() -> str | None:
    return platform.libc_ver()[0] or None


# ---- the wheel ----------------------------------------------------------------------------------


@cache
def wheel() -> Path | None:
    """The folder of the wheel ``ziglang``, if it is installed and runs here."""
    found = find_spec("ziglang")
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(next(iter(found.submodule_search_locations)))
    return folder if (folder / "zig").exists() else None


def _wheel() -> Toolchain | None:
    folder, libraries = wheel(), _loaded()
    if folder is None or platform.machine() != "x86_64" or libraries is None:
        return None
    headers = [folder / "lib" / "include", *_glibc_headers(folder)]
    compiles = (
        str(folder / "zig"), "clang", "-target", "x86_64-linux-gnu", "-march=x86-64", "-nostdinc",
        *(part for header in headers for part in ("-isystem", str(header))), *_OLD_CODE, *_EXACT, "-fno-pie",
        "-fno-stack-protector",
    )
    links = (str(folder / "zig"), "ld.lld", "--dynamic-linker", libraries["ld"])
    shared = tuple(libraries[name] for name in ("c", "m", "gcc") if name in libraries)
    return Toolchain(
        f"{_wheel_version(folder)}, x86-64, glibc", compiles, links, shared, True, True, False, "",
    )


def _glibc_headers(folder: Path) -> list[Path]:
    """Those of the system, or else the wheel's copy."""
    system = [Path("/usr/include/x86_64-linux-gnu"), Path("/usr/include")]
    if (system[1] / "stdio.h").exists():
        return [header for header in system if header.exists()]
    return _wheel_headers(folder, "x86-linux-gnu", "generic-glibc")


def _wheel_headers(folder: Path, *special: str) -> list[Path]:
    include = folder / "lib" / "libc" / "include"
    return [include / name for name in (*special, "x86-linux-any", "any-linux-any")]


@cache
def _wheel_version(folder: Path) -> str:
    if wheel_version() in _CLANG:
        return _CLANG[wheel_version()]
    with temporary_folder("cc") as here:
        about = call([str(folder / "zig"), "clang", "--version"], here).stdout
    return _version("clang", about)


@cache
def _loaded() -> dict[str, str] | None:
    """The C library that this process runs with: dynamic linker, libc, libm, libgcc_s if there is one."""
    library, version = platform.libc_ver()
    if sys.platform != "linux" or library != "glibc" or _numbers(version) < (2, 34):
        return None  # before that, constructors were called by the start files

    for name in ("libm.so.6", "libgcc_s.so.1"):
        with suppress(OSError):
            ctypes.CDLL(name)
    files = dict.fromkeys(_DIRECT.findall(Path("/proc/self/maps").read_text()))
    found: dict[str, str] = {}
    for part, start in (("ld", "ld-linux"), ("c", "libc."), ("m", "libm."), ("gcc", "libgcc_s.")):
        path = next((file for file in files if Path(file).name.startswith(start)), None)
        if path is not None:
            found[part] = path
    return found if {"ld", "c", "m"} <= found.keys() else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


# ---- 32-bit programs by the wheel ------------------------------------------------------------------


def _musl() -> Toolchain | None:
    """Raises :class:`NotRun` while the library is not built yet."""
    folder = wheel()
    if folder is None or platform.machine() != "x86_64" or sys.platform != "linux":
        return None
    built = _built(folder)
    headers = [folder / "lib" / "include", *_wheel_headers(folder, "x86-linux-musl", "generic-musl")]
    compiles = (
        str(folder / "zig"), "clang", "-target", "i386-linux-musl", "-march=pentium4", "-nostdinc",
        *(part for header in headers for part in ("-isystem", str(header))), *_OLD_CODE, *_EXACT, "-fno-pie",
        "-fno-stack-protector",
    )
    links = (str(folder / "zig"), "cc", "-target", _MUSL, "-mcpu=pentium4", "-static")
    places = {"ZIG_GLOBAL_CACHE_DIR": str(built), "ZIG_LOCAL_CACHE_DIR": str(built)}
    name = f"{_wheel_version(folder)}, x86, musl"
    return Toolchain(name, compiles, links, ("-lm",), True, False, True, "-Wl,", places)


def _built(folder: Path) -> Path:
    """The folder with the built library; starts to build it if there is none."""
    place = musl_folder(folder)
    if (place / "ready").exists():
        return place
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / "probe.c").write_text("int main(void) { return 0; }\n")
    except OSError as problem:
        raise NotRun(f"32-bit programs need a C library built in {place}: {problem.strerror}") from problem
    warm(folder, place)
    raise NotRun("a 32-bit C library is being built in the background, once, in about a minute "
                 f"(in {place}); until then 32-bit programs are not run")


def musl_folder(folder: Path) -> Path:
    """Where the library of the wheel in ``folder`` is built: what zig has built it finds again only if it
    runs from the same place."""
    return cache_folder() / f"{_MUSL}-{wheel_version()}-{crc32(str(folder).encode()):08x}"


def warm(folder: Path, place: Path) -> subprocess.Popen[bytes]:
    """Build the library in the background; one process at a time, which outlives this one."""
    command = (
        'mkdir lock 2>/dev/null || { find lock -mmin +10 | grep -q . && touch lock || exit 0; }; '
        f'nice "$1" cc -target {_MUSL} -mcpu=pentium4 -static probe.c -lm -o probe && touch ready; '
        'status=$?; rmdir lock; exit $status'
    )
    places = {"ZIG_GLOBAL_CACHE_DIR": str(place), "ZIG_LOCAL_CACHE_DIR": str(place)}
    return subprocess.Popen(
        ["/bin/sh", "-c", command, "sh", str(folder / "zig")], cwd=place, start_new_session=True,
        env={**os.environ, **places}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
