"""What a compiled program may call: an allow-list of the C library, at the level of the linker.

A program under test is not ours, so running it must not reach beyond its own process. The symbols
that its object files leave open (``nm``) are what it can call, whatever its source looks like:
macros, pointers to functions and assembler names included. Those that are :func:`harmless` compute
and nothing else; every other one gets a definition of ours (a drawn value, as in the interpreter)
and the library's is never linked.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# The interpreter knows these too (interpret/builtins.py, libc.py).
_MEMORY = ("memcpy", "memmove", "memset", "memcmp", "strlen", "strcpy", "strncpy", "strcat", "strcmp",
           "strncmp", "strchr", "abs", "labs", "llabs")
_FLOATS = ("fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "isnan", "isinf", "finite",
           "isfinite", "signbit", "fpclassify", "fmod", "copysign", "fmax", "fmin")
_PURE = frozenset((*_MEMORY, *(spelling for name in _FLOATS for spelling in (name, f"{name}f", f"__{name}",
                                                                            f"__{name}f"))))
# What compilers call without being asked: arithmetic that the machine does not have.
_ARITHMETIC = re.compile(r"__[a-z]+(si|di|ti|sf|df|xf|tf|sc|dc|xc)[2-5]?$|_GLOBAL_OFFSET_TABLE_$")
# Memory of the process's own, and its end.
_OWN = frozenset(("malloc", "calloc", "realloc", "free", "abort", "exit", "_exit", "_Exit"))


def harmless(name: str) -> bool:
    """A function of the C library that only computes."""
    return name in _PURE or _ARITHMETIC.match(name) is not None


def confined(name: str) -> bool:
    """One that has effects, but none outside of its process."""
    return harmless(name) or name in _OWN


@cache
def _nm() -> str | None:
    return shutil.which("nm") or shutil.which("llvm-nm")


def open_symbols(folder: Path, objects: Sequence[str]) -> tuple[list[str], frozenset[str]] | None:
    """What object files use and none of them defines, in order, and what they define; None if
    there is no tool to tell."""
    tool = _nm()
    if tool is None:
        return None
    done = subprocess.run(
        [tool, "-P", *objects], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode != 0:
        return None
    used: dict[str, None] = {}
    defined: set[str] = set()
    for line in done.stdout.splitlines():
        name, _, rest = line.partition(" ")
        if not rest:
            continue  # "file.o:"
        plain = name.removeprefix("_") if sys.platform == "darwin" else name
        if rest[0] in "Uwv":
            used[plain] = None
        else:
            defined.add(plain)
    return [name for name in used if name not in defined], frozenset(defined)
