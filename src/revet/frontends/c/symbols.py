"""What a compiled program calls, at the level of the linker, and which of it may run.

The symbols that its object files leave open are what a program can call, whatever its source looks
like: macros, pointers to functions and assembler names included. They are

| group | what happens |
|---|---|
| ``__VERIFIER_*``, error functions, the user's own without a body | values are given |
| :func:`computes`: of the C library, without any use of the outside | the real one is linked |
| :func:`reads_input`: characters from a stream | the real one, if the run's text can be given |
| anything else that the C library defines | the program is not executed |

The lists are white lists. Functions that ask the world for something else (``time``, ``rand``, ``getenv``)
are not in them, since what they would say cannot be given to a run.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import shutil
import struct
import subprocess
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# The interpreter knows these too (interpret/builtins.py, libc.py).
_MEMORY = ("memcpy", "memmove", "memset", "memcmp", "strlen", "strcpy", "strncpy", "strcat", "strcmp",
           "strncmp", "strchr", "abs", "labs", "llabs", "memchr", "memrchr", "mempcpy", "strncat", "strrchr",
           "strspn", "strcspn", "strpbrk", "strstr", "strnlen", "stpcpy", "strcasecmp", "strncasecmp", "bcmp",
           "bcopy", "bzero", "index", "rindex", "ffs", "ffsl", "ffsll", "tolower", "toupper", "__ctype_b_loc",
           "__ctype_tolower_loc", "__ctype_toupper_loc", "div", "ldiv", "lldiv", "atoi", "atol", "atoll",
           *(f"{mark}{name}" for name in ("strtol", "strtoul", "strtoll", "strtoull")
             for mark in ("", "__isoc23_")))
_FLOATS = ("fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "isnan", "isinf", "finite",
           "isfinite", "signbit", "fpclassify", "fmod", "copysign", "fmax", "fmin")
_PURE = frozenset((*_MEMORY, *(spelling for name in _FLOATS for spelling in (name, f"__{name}")
                             for spelling in (spelling, f"{spelling}f", f"{spelling}l"))))
# What compilers call without being asked: arithmetic that the machine does not have.
_ARITHMETIC = re.compile(r"__[a-z]+(si|di|ti|sf|df|xf|tf|sc|dc|xc)[2-5]?$|_GLOBAL_OFFSET_TABLE_$")
# Memory of the process's own, and its end.
_OWN = frozenset(("malloc", "calloc", "realloc", "free", "abort", "exit", "_exit", "_Exit"))

_CHARACTERS = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit"
_MATHEMATICS = """
acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 fdim fma frexp hypot
ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nextafter
nexttoward pow remainder remquo roundeven scalbln scalbn sin sinh tan tanh tgamma
"""
_STANDARD = """
tolower toupper towlower towupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc strncat
strcoll strxfrm strrchr strspn strcspn strpbrk strstr strtok strtok_r strdup strndup strnlen
strerror stpcpy stpncpy strcasecmp strncasecmp strsep memchr memrchr memccpy mempcpy memmem
rawmemchr bcmp bcopy bzero index rindex ffs ffsl ffsll atoi atol atoll atof strtol strtoul strtoll
strtoull strtod strtof strtold strtoimax strtoumax imaxabs imaxdiv div ldiv lldiv qsort bsearch
aligned_alloc posix_memalign atexit on_exit wcslen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp
wcschr wcsrchr wcsstr wmemcpy wmemmove wmemset wmemcmp wmemchr printf vprintf puts putchar putc
fputc fputs fprintf vfprintf sprintf snprintf vsprintf vsnprintf vasprintf swprintf fwrite fflush
putc_unlocked perror stdout stderr __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk setjmp
_setjmp __sigsetjmp longjmp _longjmp siglongjmp fegetround fesetround feclearexcept fetestexcept
feraiseexcept fegetenv fesetenv feholdexcept feupdateenv mktime gmtime gmtime_r asctime asctime_r
difftime timegm strftime __errno_location __assert_fail __stack_chk_fail environ __isoc99_sscanf
__isoc23_sscanf sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull
"""
_COMPUTES = frozenset((
    *(f"is{kind}" for kind in _CHARACTERS.split()), *(f"isw{kind}" for kind in _CHARACTERS.split()),
    *(spelling for name in _MATHEMATICS.split() for spelling in (name, f"{name}f", f"{name}l")),
    *(f"{name}l" for name in _FLOATS), *_STANDARD.split(),
))


def harmless(name: str) -> bool:
    """A function of the C library that only computes, and that the interpreter knows."""
    return name in _PURE or _ARITHMETIC.match(name) is not None


def confined(name: str) -> bool:
    """One that has effects, but none outside of its process: it may run even where the system
    confines nothing."""
    return harmless(name) or name in _OWN


def computes(name: str) -> bool:
    """One whose result depends on its arguments and its process alone: its real code may run, in a
    confined process."""
    return confined(name) or name in _COMPUTES


def reads_input(name: str) -> bool:
    """One that reads characters, and nothing else; of standard input, where no other stream can be opened."""
    return name in ("stdin", "getchar", "getc", "_IO_getc", "fgetc", "fgets")


@cache
def in_library(name: str) -> bool:
    """Does the machine's C library define this name?"""
    return any(hasattr(library, name) for library in _libraries())


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    mathematics = ctypes.util.find_library("m") if sys.platform != "linux" else "libm.so.6"
    found = [ctypes.CDLL(None)]
    with suppress(OSError):
        found.append(ctypes.CDLL(mathematics))
    return tuple(found)


def open_symbols(folder: Path, objects: Sequence[str]) -> tuple[list[str], frozenset[str]] | None:
    """What object files use and none of them defines, in order, and what they define; None if
    that cannot be told."""
    used: dict[str, None] = {}
    defined: set[str] = set()
    for file in objects:
        data = (folder / file).read_bytes()
        found = _elf_symbols(data) if data[:4] == b"\x7fELF" else _nm_symbols(folder, file)
        if found is None:
            return None
        for name, known in found:
            if known:
                defined.add(name)
            else:
                used[name] = None
    return [name for name in used if name not in defined], frozenset(defined)


def _elf_symbols(data: bytes) -> list[tuple[str, bool]]:
    """The global symbols of an object file of Linux, and whether each is defined there."""
    wide = data[4] == 2
    offset, entry, count = _at("<Q" if wide else "<I", data, 40 if wide else 32)[0], 0, 0
    entry, count = _at("<HH", data, 58 if wide else 46)
    layout = "<IIQQQQIIQQ" if wide else "<IIIIIIIIII"
    sections = [_at(layout, data, offset + number * entry) for number in range(count)]
    found: list[tuple[str, bool]] = []
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for place in range(section[4], section[4] + section[5], section[9]):
            if wide:
                name, info, _, where = _at("<IBBH", data, place)
            else:
                name, _, _, info, _, where = _at("<IIIBBH", data, place)
            if info >> 4 and name:  # not local
                start = names + name
                found.append((data[start : data.index(0, start)].decode("utf-8", "replace"), where != 0))
    return found


def _at(layout: str, data: bytes, offset: int) -> tuple[int, ...]:
    return struct.unpack_from(layout, data, offset)


def _nm_symbols(folder: Path, file: str) -> list[tuple[str, bool]] | None:
    """The same from ``nm``, for object files of other systems."""
    tool = shutil.which("nm") or shutil.which("llvm-nm")
    if tool is None:
        return None
    done = subprocess.run(
        [tool, "-P", "-g", file], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode != 0:
        return None
    lines = [line.partition(" ") for line in done.stdout.splitlines()]
    return [
        (name.removeprefix("_") if sys.platform == "darwin" else name, rest[0] not in "Uwv")
        for name, _, rest in lines if rest
    ]
