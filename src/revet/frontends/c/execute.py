"""Confirming a counterexample by running it: the program and its harness, compiled and executed.

What the run gets from us are the counterexample's values: results of ``__VERIFIER_nondet_*`` and of
functions of the user's own that have no body. Every function of the C library is the real one
(``symbols.py``), in a confined process (``confine.py``). What cannot be done here or cannot be given
to a run is reported as *not run* with the reason; it is never silently a confirmation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from revet.budget import Budget
from revet.frontends.c import harness
from revet.frontends.c.ast import Asm, FunctionRef
from revet.frontends.c.checks import ADDRESS
from revet.frontends.c.clang.run import dialect
from revet.frontends.c.confine import FORBIDDEN, prologue, run_confined
from revet.frontends.c.library.conventions import CHARACTER, CHOICE, MODEL_DRAWS, NOT_LINKED
from revet.frontends.c.library.typed import UNINTERPRETED
from revet.frontends.c.processes import NotRun, at_most, first_line
from revet.frontends.c.property import ERROR_FUNCTIONS
from revet.frontends.c.symbols import computes, confined, in_library, open_symbols, reads_input
from revet.frontends.c.temporary import temporary_folder
from revet.frontends.c.toolchain import Toolchain, toolchain_for, with_address_sanitizer
from revet.frontends.c.walk import all_expressions, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from revet.frontends.c.ast import CProgram
    from revet.frontends.c.interpret.draws import Draw

_HOOKS = "__cyg_profile_func_"
_SHOWN = 4  # functions that were given values
_KEPT = "__VERIFIER_"
_LINE = re.compile(rf"^(\d+)\n{harness.MARKER}", re.M)
_REPORT = re.compile(r"^==\d+==ERROR: AddressSanitizer: ((?:attempting )?[\w-]+)", re.M)


@dataclass(frozen=True, slots=True)
class Execution:
    """``status``: reached, missed (the run ended otherwise) or not-run; ``note`` says it in words.

    ``harness`` is the harness as it was compiled, ``code`` the exit status (negative: a signal), ``line``
    where an ``assert`` failed."""

    status: str
    note: str
    harness: str = ""
    code: int | None = None
    line: int | None = None

    @property
    def reached(self) -> bool:
        return self.status == "reached"


def execute(
    program: CProgram,
    draws: Sequence[Draw],
    *,
    entry: str = "main",
    error_functions: Iterable[str] = ERROR_FUNCTIONS,
    sanitizers: Sequence[str] = (),
    seconds: int = 10,
    budget: Budget | None = None,
    objects: Sequence[bytes] = (),
    failures: Sequence[bool] = (),
) -> Execution:
    """Compile the program with its harness and run it. ``sanitizers``: what these parts of the compiler's
    instrumentation trap or report is the error, too. ``seconds`` are the run's alone, the
    budget is for all; what it cuts short is *not run*. ``objects``, ``failures``: see
    :func:`harness.harness_text`."""
    budget = budget or Budget()
    address = ADDRESS in sanitizers
    try:
        model = program.data_model
        toolchain = with_address_sanitizer(model) if address else toolchain_for(model)
        given = _Given(draws, tuple(error_functions), entry, tuple(sanitizers), objects, failures)
        with temporary_folder("run") as folder:
            made = _build(folder, toolchain, program, given, budget)
            return _run(folder, made, toolchain, seconds, given.sanitizers, budget)
    except (NotRun, harness.NotExpressible) as problem:
        return Execution("not-run", f"not confirmed by execution: {problem}")


@dataclass(frozen=True, slots=True)
class _Made:
    """The harness that was linked, the functions whose results it gives, and the standard input."""

    text: str
    fed: tuple[str, ...]
    input: bytes


@dataclass(frozen=True, slots=True)
class _Given:
    """What :func:`execute` was given, but for the program."""

    draws: Sequence[Draw]
    errors: tuple[str, ...]
    entry: str
    sanitizers: tuple[str, ...]
    objects: Sequence[bytes]
    failures: Sequence[bool]


def _build(folder: Path, toolchain: Toolchain, program: CProgram, given: _Given, budget: Budget) -> _Made:
    errors, address = given.errors, ADDRESS in given.sanitizers
    flags, instrumented = harness.meaning_flags(program), ["-fsanitize=address"] if address else []
    if given.sanitizers and not address:
        wrapping = () if "signed-integer-overflow" in given.sanitizers else ("-fwrapv",)
        flags = [flag for flag in flags if flag != "-fwrapv"]
        flags += [*wrapping, *trapping(toolchain, ",".join(given.sanitizers))]
    if given.entry != "main":
        instrumented.append(harness.OTHER_MAIN)
    if errors and harness.needs_instrumentation(program, errors):
        instrumented.append("-finstrument-functions")
    made = compile_files(folder, toolchain, [*flags, *instrumented], program, budget)
    text = standard_input(given.draws)
    library, fed = _left_open(folder, made, program, errors, text is not None)
    source = harness.harness_text(
        program, given.draws, entry=given.entry, error_functions=errors, stubs=fed, objects=given.objects,
        failures=given.failures,
    )
    Path(folder, "harness.c").write_text(source)
    done = toolchain.object(folder, flags, "harness.c", "harness.o", budget)
    if done.returncode != 0:
        raise NotRun(f"the compiler rejects the harness: {first_line(done.stderr)}")
    required = not all(map(confined, library)) or _has_assembly(program)
    first = prologue(folder, toolchain, required, budget, address)
    wrapped = harness.FAILING if given.failures else ()
    done = toolchain.program(folder, [*first, *made, "harness.o"], "program", budget, wrapped)
    if done.returncode != 0:
        raise NotRun(f"linking fails: {first_line(done.stderr)}")
    named = (draw.name for draw in given.draws if not draw.name.startswith(MODEL_DRAWS))
    read = ("standard input",) if text else ()
    return _Made(source, (*_for_people(program, (*fed, *named)), *read), text or b"")


def standard_input(draws: Sequence[Draw]) -> bytes | None:
    """What a run read from streams, up to the end of the text; None if no text does the same: something
    follows the end, or reading fails."""
    read = [draw.value for draw in draws if draw.name == CHARACTER]
    text = list(takewhile(lambda character: character >= 0, read))
    failed = any(draw.value for draw in draws if draw.name == CHOICE)
    return None if failed or any(character >= 0 for character in read[len(text) :]) else bytes(text)


def _for_people(program: CProgram, fed: Iterable[str]) -> tuple[str, ...]:
    """Each function that was given values once; what only a driver calls is the arguments of its entry."""
    driver = program.driver
    if driver is None:
        return tuple(dict.fromkeys(fed))
    bodies = (one.body for name, one in program.functions.items() if name != driver.function)
    called = {
        e.name for body in bodies for e in all_expressions(body) if isinstance(e, FunctionRef)
    }
    return tuple(dict.fromkeys(one if one in called else f"the arguments of {driver.entry}" for one in fed))


def _has_assembly(program: CProgram) -> bool:
    bodies = (function.body for function in program.functions.values())
    return any(isinstance(statement, Asm) for body in bodies for statement in statements(body))


def trapping(toolchain: Toolchain, sanitizers: str) -> list[str]:
    """What these parts of UBSan see ends the run with a trap."""
    trap = "-fsanitize-trap=all" if toolchain.clang else "-fsanitize-undefined-trap-on-error"
    return [f"-fsanitize={sanitizers}", trap]


def _left_open(
    folder: Path, objects: list[str], program: CProgram, errors: tuple[str, ...], text: bool
) -> tuple[list[str], list[str]]:
    """Functions of the C library that the program calls, and those that a harness must define. ``text``:
    there is a standard input. Raises :class:`NotRun` if there is one that may not run, or something else that
    nobody defines."""
    found = open_symbols(folder, objects)
    if found is None:
        raise NotRun("there is no nm to tell what the program calls")
    library, fed = [], []
    for name in found[0]:
        if name.startswith((_HOOKS, "__sanitizer_", "__ubsan_", "__asan_")) or name in errors:
            continue
        if name in NOT_LINKED or UNINTERPRETED.match(name):
            raise NotRun(f"the program calls {name}(), which a harness cannot define")
        if name.startswith(_KEPT) or name in harness.CONVENTIONS:
            fed.append(name)
        elif computes(name) or (text and reads_input(name)):
            library.append(name)
        elif in_library(name):
            raise NotRun(f"the program uses {name}, which a confined run cannot have")
        elif name in program.declared and name not in program.functions:
            fed.append(name)
        else:
            raise NotRun(f"{name} is defined elsewhere, and a run needs it")
    return library, fed


def compile_files(
    folder: Path,
    toolchain: Toolchain,
    flags: list[str],
    program: CProgram,
    budget: Budget,
    sources: Sequence[str] | None = None,
) -> list[str]:
    """Object files of the program's sources, or of others in their place, in the dialect in which they were
    read; raises :class:`NotRun` with the compiler's message."""
    objects, given = [], sources or with_driver(folder, program)
    for number, file in enumerate(program.files):
        target = f"program{number}.o"
        own = program.arguments[number] if program.arguments else ()
        complete = [*dialect(toolchain.clang), *flags, *own]
        done = toolchain.object(folder, complete, given[number], target, budget)
        if done.returncode != 0:
            raise NotRun(f"the compiler rejects {Path(file).name}: {first_line(done.stderr)}")
        objects.append(target)
    return objects


def with_driver(folder: Path, program: CProgram) -> list[str]:
    """The files of a program; those at whose end a driver stands are written to the folder."""
    files = [str(Path(file).resolve()) for file in program.files]
    driver = program.driver
    for number, text in driver.texts.items() if driver is not None else ():
        files[number] = str(folder / f"driven{number}.c")
        included = harness.include_line(Path(program.files[number]))
        Path(files[number]).write_text(f"{included}\n{text}", "utf-8")
    return files


def _run(
    folder: Path, made: _Made, toolchain: Toolchain, seconds: int, sanitizers: tuple[str, ...], budget: Budget
) -> Execution:
    wall = at_most(seconds + 5.0, budget)
    here = folder / "empty"
    here.mkdir()
    ending = run_confined(folder / "program", here, seconds, wall, ADDRESS in sanitizers, made.input)
    code = ending.code
    if code is None and wall < seconds:
        raise NotRun("no time is left")
    if code is None:
        return Execution("missed", f"the compiled program did not end within {seconds} s", made.text)
    if code == FORBIDDEN:
        raise NotRun("the compiled program asks the system for something that a confined run cannot have")
    how = _how(toolchain, made.fed)
    report = _REPORT.search(ending.errors) if ADDRESS in sanitizers else None
    if report is not None:
        said = f"AddressSanitizer: {report[1]}"
        return Execution("reached", f"confirmed by execution ({said}) {how}", made.text, code)
    if sanitizers and code in (-4, -5, 132, 133):  # SIGILL or SIGTRAP: the sanitizer's trap
        return Execution(
            "reached", f"confirmed by execution: the compiled program traps {how}", made.text, code
        )
    if code == harness.REACHED and harness.MARKER in ending.errors:
        line = _LINE.search(ending.errors)
        note = f"confirmed by execution of the compiled program {how}"
        return Execution("reached", note, made.text, code, int(line[1]) if line else None)
    return Execution("missed", f"the compiled program {_ending(code)}", made.text, code)


def _how(toolchain: Toolchain, fed: tuple[str, ...]) -> str:
    """Compiler, target and C library, and which functions were given values."""
    if not fed:
        return f"({toolchain.name})"
    more = f" and {len(fed) - _SHOWN} more" if len(fed) > _SHOWN else ""
    return f"({toolchain.name}; values given to {', '.join(fed[:_SHOWN])}{more})"


def _ending(code: int) -> str:
    if code == harness.EXHAUSTED:
        return "asks for more values than recorded"
    if code == harness.ASSUMPTION:
        return "violates an assumption"
    if code < 0:
        return f"is ended by signal {-code}"
    return f"ends with status {code}"
