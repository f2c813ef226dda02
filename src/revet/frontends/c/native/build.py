"""Compiling a program for the search: the program, ``search.c`` and the generated stubs.

The program is compiled as for confirming a counterexample (``execute.py``), with a call in every
basic block, with a trap where C says *undefined* (a run that gets there counts for
nothing), and with zeros in uninitialised variables, which is what the interpreter assumes of them
unless told otherwise. It is not optimised: that takes the compiler longer than it saves, and every
decision of the source stays a branch that coverage sees.
"""

from __future__ import annotations

import sys
from importlib.resources import files as resources
from pathlib import Path

from revet.budget import Budget
from revet.frontends.c import harness
from revet.frontends.c.ast import Asm, CProgram
from revet.frontends.c.execute import NotRun, call, compile_files, first_line, precision_flags
from revet.frontends.c.native.stubs import Stubs, write_stubs
from revet.frontends.c.preprocess import system_compiler
from revet.frontends.c.symbols import open_symbols
from revet.frontends.c.walk import statements

_COVERAGE = "-fsanitize-coverage=trace-pc"
_ZEROS = "-ftrivial-auto-var-init=zero"
_OVERFLOW = "-fsanitize=signed-integer-overflow"
_UNDEFINED = "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,unreachable"
_TRAP = "-fsanitize-undefined-trap-on-error"


def build(
    folder: Path,
    program: CProgram,
    constants: tuple[tuple[int, ...], tuple[float, ...]],
    entry: str,
    errors: tuple[str, ...],
    overflow: bool,
    budget: Budget,
) -> Stubs:
    """Make ``folder/search``. Raises :class:`NotRun` or :class:`NotExpressible` where it cannot be."""
    compiler = system_compiler()
    if compiler is None or sys.platform != "linux":
        raise NotRun("there is no C compiler")
    if any(isinstance(s, Asm) for function in program.functions.values() for s in statements(function.body)):
        raise NotRun("inline assembly")
    target, *meaning = harness.compiler_flags(program)
    common = [target, "-w", "-fno-builtin", "-fno-pie", "-fno-stack-protector", *precision_flags()]
    checks = [_OVERFLOW if overflow else _UNDEFINED, _TRAP]
    if harness.needs_instrumentation(program, errors):
        checks.append("-finstrument-functions")
    kept = [flag for flag in meaning if flag not in ("-g", "-fwrapv")]
    sources = [str(Path(file).resolve()) for file in program.files]
    flags = [*common, *kept, *checks, _COVERAGE, "-D__REVET__=1"]
    objects = _compile(folder, [compiler, *flags], sources, budget)
    stubs = write_stubs(program, _left_open(folder, objects, program), constants, entry, errors, overflow)
    Path(folder, "stubs.c").write_text(stubs.text)
    Path(folder, "search.c").write_text(resources(__package__).joinpath("search.c").read_text())
    wraps = [f"-Wl,--wrap={name}" for name in ("main", *stubs.wrapped)]
    parts = [*objects, "stubs.c", "search.c", "-o", "search", "-lm"]
    done = call([compiler, *common, "-O1", "-no-pie", *wraps, *parts], folder, budget)
    if done.returncode != 0:
        raise NotRun(f"linking fails: {first_line(done.stderr)}")
    return stubs


def _left_open(folder: Path, objects: list[str], program: CProgram) -> list[str]:
    """The symbols that are ours to define."""
    found = open_symbols(folder, objects)
    if found is None:
        raise NotRun("there is no nm to tell what the program calls")
    symbols, defined = found
    if any(name in defined for name in program.declared if name not in program.functions):
        raise NotRun("the compiler finds a function's body where Revet does not")
    return symbols


def _compile(folder: Path, command: list[str], sources: list[str], budget: Budget) -> list[str]:
    """With zeros in uninitialised variables if the compiler can; without, a run that reads garbage
    is refuted by the interpreter."""
    try:
        return compile_files(folder, [*command, _ZEROS], sources, budget)
    except NotRun:
        return compile_files(folder, command, sources, budget)
