"""A net for library functions: whatever the headers declare is refused, or never contradicts the machine.

Every function is called with generated arguments and what the compiled program observed is asserted. The
answer may be *safe*, *unknown* or a refusal; *unsafe* would be a model that is wrong.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from library_calls import COMPARE, HEAD, Declared, arguments, body, declared, observations

from revet.budget import Budget
from revet.driver import solve
from revet.engines.common.context import Context
from revet.errors import Unsupported
from revet.frontends.c.analysis.call_graph import called
from revet.frontends.c.ast import CProgram
from revet.frontends.c.libc import models
from revet.frontends.c.library.table import Treatment, rows
from revet.frontends.c.library.uses import plain_name
from revet.frontends.c.load import load
from revet.frontends.c.lower import floating_library
from revet.frontends.c.lower.program import lower
from revet.frontends.c.options import Options
from revet.frontends.c.parse import parse_files
from revet.frontends.c.source import CSource
from revet.frontends.c.symbols import computes
from revet.frontends.c.types import LP64

CC = shutil.which("gcc") or shutil.which("cc")
ENDS = (
    "abort", "exit", "_Exit", "quick_exit",
    "vprintf", "vfprintf", "vsprintf", "vsnprintf", "vasprintf",  # these want a va_list
    "atexit", "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp",
)
PRINT = """#define FLOAT(x) fprintf(out, "%a ", (double)(x))
#define INTEGER(x) fprintf(out, "%lld ", (long long)(x))
"""
ERROR = "extern void reach_error(void);\n"


@dataclass(frozen=True)
class Made:
    """One call: the function, what is observed, and the values that the compiled program observed."""

    function: Declared
    call: str
    observed: list[tuple[str, bool]]

    @property
    def runs(self) -> bool:
        row = rows().get(self.function.name)
        drawn = row is None or row.treatment in (Treatment.REFUSED, Treatment.INPUT)
        return not drawn and computes(self.function.name) and self.function.name not in ENDS


def made(seed: int) -> list[Made]:
    random = Random(seed)
    calls = []
    for function in declared().values():
        call = f"{function.name}({arguments(function, random)})"
        calls.append(Made(function, call, observations(function, call)))
    return calls


def values(folder: Path, calls: list[Made]) -> list[list[str]]:
    """What the compiled program observes."""
    if CC is None:
        pytest.skip("needs a C compiler")
    lines = [HEAD, COMPARE, PRINT]
    for number, call in enumerate(calls):
        shown = " ".join(f"{'FLOAT' if floating else 'INTEGER'}({text});" for text, floating in call.observed)
        lines.append(f"static void call{number}(FILE *out) {body(call.call, shown)}")
    runs = " ".join(f'call{number}(out); fprintf(out, "\\n");' for number in range(len(calls)))
    lines.append(f'int main(void) {{ FILE *out = fopen("values", "w"); {runs} fclose(out); return 0; }}')
    (folder / "asks.c").write_text("\n".join(lines))
    done = subprocess.run(
        [CC, "-w", "-O0", "-fno-builtin", "asks.c", "-o", "asks", "-lm"], cwd=folder, capture_output=True,
        text=True, check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    subprocess.run(["./asks"], cwd=folder, check=True, capture_output=True, timeout=60)
    return [line.split() for line in (folder / "values").read_text().splitlines()]


def claim(call: Made, seen: list[str]) -> str:
    """The assertion that every observation is what the compiled program saw."""
    parts = []
    for (text, floating), value in zip(call.observed, seen, strict=True):
        if floating and "nan" in value:
            parts.append(f"{{ double x = {text}; if (x == x) reach_error(); }}")
        elif floating and float.fromhex(value) == 0:
            sign = "!" if value.startswith("-") else ""
            parts.append(f"{{ double x = {text}; if (x != 0 || {sign}__builtin_signbit(x)) reach_error(); }}")
        elif floating:
            infinite = {"inf": "__builtin_inf()", "-inf": "-__builtin_inf()"}
            parts.append(f"if ({text} != {infinite.get(value, value)}) reach_error();")
        else:
            parts.append(f"if ({text} != {value if value != str(-2**63) else '(-9223372036854775807 - 1)'})"
                         " reach_error();")
    return body(call.call, " ".join(parts))


def program(folder: Path, bodies: list[str], batches: list[list[int]] | None = None) -> CProgram:
    """One function a call; and one for every batch of calls."""
    functions = [f"void call{number}(void) {text}" for number, text in enumerate(bodies)]
    for number, batch in enumerate(batches or []):
        functions.append(f"void batch{number}(void) {{ {' '.join(f'call{each}();' for each in batch)} }}")
    path = folder / "net.c"
    path.write_text("\n".join([HEAD + COMPARE + ERROR, *functions]))
    return parse_files([path], LP64)


Graph = dict[str, dict[str, None]]


def alone(whole: CProgram, graph: Graph, entry: str) -> CProgram:
    """The part of a program that one function reaches, which is its ``main``."""
    reached, stack = {entry}, [entry]
    while stack:
        for name in graph[stack.pop()]:
            if name not in reached:
                reached.add(name)
                stack.append(name)
    kept = {name: definition for name, definition in whole.functions.items() if name in reached}
    return replace(whole, functions={**kept, "main": replace(kept.pop(entry), name="main")})


def status(whole: CProgram, graph: Graph, entry: str, engine: str, seconds: float = 10) -> str:
    options = Options.from_mapping(
        {"data_model": "lp64", "validate_translation": "off", "malloc": "if-too-large"}
    )
    part = alone(whole, graph, entry)
    try:
        source = CSource(part, lower(part, options), options, whole.files)
    except Unsupported:
        return "refused"
    return solve(source, engine, context=Context(budget=Budget(seconds))).status


def contradictions(folder: Path, seed: int, engine: str, size: int) -> list[str]:
    """Batches of calls about which Revet says another thing than the machine. Those of which all is known
    come first: they have one run."""
    run = [call for call in made(seed) if call.runs]
    run.sort(key=lambda call: rows()[call.function.name].treatment is not Treatment.EXACT)
    claims = [claim(call, seen) for call, seen in zip(run, values(folder, run), strict=True)]
    batches = [list(range(first, min(first + size, len(run)))) for first in range(0, len(run), size)]
    whole = program(folder, claims, batches)
    graph = called(whole)
    return [
        "\n".join(claims[each] for each in batch) for number, batch in enumerate(batches)
        if status(whole, graph, f"batch{number}", engine) == "unsafe"
    ]


def test_every_function_of_the_headers_is_known_or_refused(tmp_path: Path) -> None:
    """One call each: what is in no table, or refused there, is refused by lowering."""
    calls = [call for call in made(1) if not call.runs]
    whole = program(tmp_path, [body(call.call, f"{call.call};") for call in calls])
    graph = called(whole)
    known = {name for name, row in rows().items() if row.treatment is not Treatment.REFUSED}
    known |= {*floating_library.NAMES, *whole.functions}  # some have a body in their header
    accepted = [
        call.function.name for number, call in enumerate(calls)
        if call.function.name not in known and not refused(whole, graph, f"call{number}")
    ]
    assert not accepted
    assert len(calls) > 500  # the headers were read


def refused(whole: CProgram, graph: Graph, entry: str) -> bool:
    options = Options.from_mapping({"data_model": "lp64"})
    try:
        lower(alone(whole, graph, entry), options)
    except Unsupported:
        return True
    return False


def test_no_call_contradicts_the_machine(tmp_path: Path) -> None:
    """One call of every modelled function, proved (or not) by the interpreter, which knows a program's only
    run."""
    problems = contradictions(tmp_path, 1, "explore", 40)
    assert not problems, "\n".join(problems)


def test_no_call_goes_wrong_when_an_allocation_fails(tmp_path: Path) -> None:
    """Every function whose model allocates memory, called as a compiled program may call it, with all checks:
    what it does where there is no memory is no violation by its caller."""
    allocates = re.compile(r"\b(?:malloc|calloc|realloc)\(")
    names = {plain_name(name) for name, text in models().items() if allocates.search(text)}
    calls = [
        f"{function.name}({arguments(function, Random(1))})" for function in declared().values()
        if function.name in names and function.name not in ENDS
    ]
    assert len(calls) >= 6  # the models were read
    options = {"property": "memory,arithmetic,library", "malloc": "may-fail", "validate_translation": "off"}
    for number, call in enumerate(calls):
        path = tmp_path / f"call{number}.c"
        path.write_text(f"{HEAD}int main(void) {body(call, f'{call};')}")
        answer = solve(load([path], options), "explore", context=Context(budget=Budget(2)))
        assert answer.status != "unsafe", call


@pytest.mark.long
@pytest.mark.parametrize("engine", ["bmc", "explore"])
@pytest.mark.parametrize("seed", range(2, 150))
def test_many_calls(tmp_path: Path, seed: int, engine: str) -> None:
    """Some 170 calls a seed."""
    problems = contradictions(tmp_path, seed, engine, 1 if engine == "bmc" else 40)
    assert not problems, "\n".join(problems)
