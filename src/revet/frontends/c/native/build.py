"""Compiling a program for the search: the program, ``search.c`` and the generated stubs.

The program is compiled as for confirming a counterexample (``execute.py``), with a call in every
basic block, with a trap where C says *undefined* (a run that gets there counts for
nothing), and with zeros in uninitialised variables, which is what the interpreter assumes of them
unless told otherwise. It is not optimised: that takes the compiler longer than it saves, and every
decision of the source stays a branch that coverage sees.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path

from revet.budget import Budget
from revet.frontends.c import harness
from revet.frontends.c.ast import Asm, CProgram
from revet.frontends.c.execute import compile_files, trapping
from revet.frontends.c.library.uses import mentioned_functions
from revet.frontends.c.native.stubs import PROGRAM_MAIN, Stubs, write_stubs
from revet.frontends.c.processes import NotRun, first_line
from revet.frontends.c.reader.endings import AT_EXIT
from revet.frontends.c.reader.volatile import ANY
from revet.frontends.c.symbols import open_symbols
from revet.frontends.c.toolchain import Toolchain, toolchain_for
from revet.frontends.c.walk import statements

_COVERAGE = "-fsanitize-coverage=trace-pc"
_ZEROS = "-ftrivial-auto-var-init=zero"
_UNDEFINED = "signed-integer-overflow,shift,integer-divide-by-zero,bounds,unreachable"
_ONE_THREAD = ("-D_Thread_local=", "-D__thread=")  # so that every run starts with their initial values, too
_COMMON = ("-w", "-fno-builtin", "-fno-stack-protector")


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """A program that tells what it does: its files with calls written into them, the declarations
    for those, and functions that return zero and draw nothing."""

    declarations: str
    sources: Mapping[str, bytes]
    silent: frozenset[str]

    def write(self, folder: Path) -> tuple[list[str], list[str]]:
        """The files, and the options for them."""
        header = folder / "checkpoints.h"
        header.write_text(self.declarations)
        written, options = [], ["-include", str(header)]
        for number, (name, text) in enumerate(self.sources.items()):
            (folder / f"source{number}.c").write_bytes(text)
            written.append(str(folder / f"source{number}.c"))
            options += ["-iquote", str(Path(name).parent)]
        return written, options


def build(
    folder: Path,
    program: CProgram,
    constants: tuple[tuple[int, ...], tuple[float, ...]],
    entry: str,
    errors: tuple[str, ...],
    trap: str,
    budget: Budget,
    checkpoints: Checkpoints | None = None,
) -> Stubs:
    """Make ``folder/search``. Raises :class:`NotRun` or :class:`NotExpressible` where it cannot be."""
    if sys.platform != "linux":
        raise NotRun("the search is for Linux")
    if any(isinstance(s, Asm) for function in program.functions.values() for s in statements(function.body)):
        raise NotRun("inline assembly")
    if any(text == ANY for text, _ in program.notes):
        raise NotRun("volatile objects hold what only the outside can give")
    if AT_EXIT in program.functions:
        raise NotRun("functions that run when the program ends")
    toolchain = toolchain_for(program.data_model)
    if toolchain.static:
        raise NotRun("the search needs to know where the program's variables begin")
    checks = trapping(toolchain, trap or _UNDEFINED)
    if harness.needs_instrumentation(program, errors):
        checks.append("-finstrument-functions")
    kept = [flag for flag in harness.meaning_flags(program) if flag not in ("-g", "-fwrapv")]
    coverage = _COVERAGE + (",bb" if toolchain.clang else "")
    flags = [*_COMMON, *_ONE_THREAD, *kept, *checks, coverage, f"-Dmain={PROGRAM_MAIN}"]
    silent: frozenset[str] = frozenset()
    sources: list[str] | None = None
    if checkpoints is not None:
        (sources, more), silent = checkpoints.write(folder), checkpoints.silent
        flags += more
    objects = _compile(folder, toolchain, flags, program, budget, sources)
    symbols = _left_open(folder, objects, program)
    stubs = write_stubs(program, symbols, constants, entry, errors, bool(trap), silent)
    own = _own_objects(folder, toolchain, stubs.text, budget)
    linked = [*own[:-2], *objects, *own[-2:]]
    done = toolchain.program(folder, linked, "search", budget, stubs.wrapped)
    if done.returncode != 0:
        raise NotRun(f"linking fails: {first_line(done.stderr)}")
    return stubs


def _own_objects(folder: Path, toolchain: Toolchain, stubs: str, budget: Budget) -> list[str]:
    """The start, if it is ours to provide, the search and the stubs, compiled."""
    flags, sources = [*_COMMON, "-O1"], resources(__package__)
    names = ["start", "search"] if toolchain.own_start else ["search"]
    objects = [
        toolchain.own_object(folder, flags, name, sources.joinpath(f"{name}.c").read_text(), budget)
        for name in names
    ]
    Path(folder, "stubs.c").write_text(stubs)
    done = toolchain.object(folder, flags, "stubs.c", "stubs.o", budget)
    if done.returncode != 0:
        raise NotRun(f"the compiler rejects stubs.c: {first_line(done.stderr)}")
    return [*objects, "stubs.o"]


def _left_open(folder: Path, objects: list[str], program: CProgram) -> list[str]:
    """The symbols that are ours to define. What the run cannot reach is not among the program's functions and
    may have a body; what it mentions must have one there if the compiler finds one."""
    found = open_symbols(folder, objects)
    if found is None:
        raise NotRun("there is no nm to tell what the program calls")
    symbols, defined = found
    mentioned = mentioned_functions(program).intersection(program.declared)
    unread = sorted(mentioned.intersection(defined).difference(program.functions))
    if unread:
        raise NotRun(f"the compiler finds a body of {unread[0]}() where Revet does not")
    return symbols


def _compile(
    folder: Path,
    toolchain: Toolchain,
    flags: list[str],
    program: CProgram,
    budget: Budget,
    sources: Sequence[str] | None,
) -> list[str]:
    """With zeros in uninitialised variables if the compiler can; without, a run that reads garbage
    is refuted by the interpreter."""
    try:
        return compile_files(folder, toolchain, [*flags, _ZEROS], program, budget, sources)
    except NotRun:
        return compile_files(folder, toolchain, flags, program, budget, sources)
