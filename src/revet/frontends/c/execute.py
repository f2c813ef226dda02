"""Confirming a counterexample by running it: the program and its harness, compiled and executed.

The program is untrusted: only library functions without effects elsewhere are linked (symbols.py),
and it runs in a temporary folder with limits on time, memory and file sizes, and without core
files. What cannot be done here (no compiler, no 32-bit C library) is
reported as *not run* with the reason; it is never silently a confirmation.
"""

from __future__ import annotations

import ctypes
import platform
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from revet.budget import Budget
from revet.frontends.c import harness
from revet.frontends.c.ast import CProgram
from revet.frontends.c.interpret.draws import Draw
from revet.frontends.c.libc import FORMATTED
from revet.frontends.c.preprocess import system_compiler
from revet.frontends.c.property import ERROR_FUNCTIONS
from revet.frontends.c.symbols import confined, open_symbols
from revet.frontends.c.temporary import temporary_folder

_UNDEFINED = re.compile(r"undefined reference to [`']([A-Za-z_]\w*)'")
_RESERVE = 0.2  # seconds
_STANDARDS = ("-std=gnu89", "-std=gnu11")
_HOOKS = "__cyg_profile_func_"
_TRAP = ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")


@dataclass(frozen=True, slots=True)
class Execution:
    """``status``: reached, missed (the run ended otherwise) or not-run; ``note`` says it in words.

    ``harness`` is the harness as it was compiled, ``code`` the exit status (negative: a signal)."""

    status: str
    note: str
    harness: str = ""
    code: int | None = None

    @property
    def reached(self) -> bool:
        return self.status == "reached"


class NotRun(Exception):
    """Why a program cannot be compiled or run here."""


@cache
def target_works(flag: str) -> bool:
    """Can the system compiler build and link programs with ``-m32`` or ``-m64``?"""
    compiler = system_compiler()
    if compiler is None:
        return False
    with temporary_folder("cc") as folder:
        source = folder / "probe.c"
        source.write_text("#include <stdlib.h>\nint main(void) { return 0; }\n")
        command = [compiler, flag, str(source), "-o", str(folder / "probe")]
        done = subprocess.run(
            command, capture_output=True, check=False, timeout=60, preexec_fn=die_with_parent
        )
        return done.returncode == 0


def execute(
    program: CProgram,
    draws: Sequence[Draw],
    *,
    entry: str = "main",
    error_functions: Iterable[str] = ERROR_FUNCTIONS,
    overflow: bool = False,
    seconds: int = 10,
    budget: Budget | None = None,
) -> Execution:
    """Compile the program with its harness and run it. ``overflow``: the error is a signed
    overflow, found by the compiler's own instrumentation. ``seconds`` are the run's alone, the
    budget is for all; what it cuts short is *not run*."""
    budget = budget or Budget()
    compiler = system_compiler()
    if compiler is None:
        return Execution("not-run", "not confirmed by execution: no C compiler (cc, gcc, clang) found")
    flags = harness.compiler_flags(program)
    if not target_works(flags[0]):
        return Execution(
            "not-run", f"not confirmed by execution: {compiler} cannot build {flags[0]} programs here"
        )
    errors = tuple(error_functions)
    if overflow:
        flags = [*(flag for flag in flags if flag != "-fwrapv"), *_TRAP]
    elif harness.needs_instrumentation(program, errors):
        flags.append("-finstrument-functions")
    flags += precision_flags()
    with temporary_folder("run") as folder:
        try:
            text = _build(folder, compiler, flags, program, draws, errors, entry, budget)
            return _run(folder, text, seconds, overflow, budget)
        except (NotRun, harness.NotExpressible) as problem:
            return Execution("not-run", f"not confirmed by execution: {problem}")


def precision_flags() -> list[str]:
    """No excess precision in 32-bit code."""
    if platform.machine() in ("x86_64", "AMD64"):
        return ["-msse2", "-mfpmath=sse", "-ffloat-store"]
    return []


def _build(
    folder: Path,
    compiler: str,
    flags: list[str],
    program: CProgram,
    draws: Sequence[Draw],
    errors: tuple[str, ...],
    entry: str,
    budget: Budget,
) -> str:
    """Compile both, adding stubs for functions that the linker does not find."""
    files = [str(Path(file).resolve()) for file in program.files]
    renamed = [harness.OTHER_MAIN] if entry != "main" and "main" in program.functions else []
    objects = compile_files(folder, [compiler, *flags, *renamed], files, budget)
    stubs = _unlinked(folder, objects)
    plain = [flag for flag in flags if flag != "-finstrument-functions"]
    for _ in range(3):
        text = harness.harness_text(program, draws, entry=entry, error_functions=errors, stubs=stubs)
        Path(folder, "harness.c").write_text(text)
        command = [compiler, *plain, *objects, "harness.c", "-o", "program", "-lm"]
        done = call(command, folder, budget)
        if done.returncode == 0:
            return text
        missing = [name for name in dict.fromkeys(_UNDEFINED.findall(done.stderr)) if name not in stubs]
        if not missing:
            break
        stubs += missing
    raise NotRun(f"linking fails: {first_line(done.stderr)}")


def _unlinked(folder: Path, objects: list[str]) -> list[str]:
    """Functions of which the C library's version must not run: those with effects elsewhere."""
    found = open_symbols(folder, objects)
    if found is None:
        raise NotRun("there is no nm to tell what the program calls")
    for name in FORMATTED:
        if name in found[0]:  # a stub would write nothing
            raise NotRun(f"{name} is not one of the functions of the C library that may be run")
    return [name for name in found[0] if not confined(name) and not name.startswith(_HOOKS)]


def compile_files(folder: Path, command: list[str], files: list[str], budget: Budget) -> list[str]:
    objects = []
    for number, file in enumerate(files):
        target = f"program{number}.o"
        for standard in _STANDARDS:
            done = call([*command, standard, "-c", file, "-o", target], folder, budget)
            if done.returncode == 0:
                break
        else:
            raise NotRun(f"the compiler rejects {Path(file).name}: {first_line(done.stderr)}")
        objects.append(target)
    return objects


def call(command: list[str], folder: Path, budget: Budget) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False,
            timeout=at_most(60.0, budget), stdin=subprocess.DEVNULL, preexec_fn=die_with_parent,
        )
    except subprocess.TimeoutExpired:
        raise NotRun("the compiler takes too long") from None


def at_most(seconds: float, budget: Budget) -> float:
    """Not beyond the budget, and with a little time left to say so."""
    left = budget.remaining()
    if left is None:
        return seconds
    if left < _RESERVE:
        raise NotRun("no time is left")
    return min(seconds, left - _RESERVE / 2)


def die_with_parent() -> None:
    """In the new process: be killed when the process that started it is."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def first_line(messages: str) -> str:
    lines = [line for line in messages.splitlines() if "error" in line or "undefined" in line]
    return (lines or messages.splitlines() or ["no message"])[0][:200]


def _run(folder: Path, text: str, seconds: int, overflow: bool, budget: Budget) -> Execution:
    wall = at_most(seconds + 5.0, budget)
    limits = f"ulimit -c 0; ulimit -t {seconds}; ulimit -v 4000000; ulimit -f 2048; "
    limits += "ulimit -s 1000000 2>/dev/null || ulimit -s $(ulimit -H -s) 2>/dev/null; "
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", limits + "exec ./program"], cwd=folder, capture_output=True,
            check=False, timeout=wall, stdin=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin"},
            preexec_fn=die_with_parent,
        )
    except subprocess.TimeoutExpired:
        if wall < seconds:
            raise NotRun("no time is left") from None
        return Execution("missed", f"the compiled program did not end within {seconds} s", text)
    output, code = done.stderr.decode("utf-8", "replace"), done.returncode
    if overflow:
        if code in (-4, -5, 132, 133):  # SIGILL or SIGTRAP: the sanitizer's trap
            return Execution("reached", "confirmed by execution: the compiled program traps", text, code)
    elif code == harness.REACHED and harness.MARKER in output:
        return Execution("reached", "confirmed by execution of the compiled program", text, code)
    return Execution("missed", f"the compiled program {_ending(code)}", text, code)


def _ending(code: int) -> str:
    if code == harness.EXHAUSTED:
        return "asks for more values than recorded"
    if code == harness.ASSUMPTION:
        return "violates an assumption"
    if code < 0:
        return f"is ended by signal {-code}"
    return f"ends with status {code}"
