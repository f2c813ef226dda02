"""One C program, four ways: compiled, interpreted, and lowered with both encodings.

A program under test takes no input and leaves its results in global variables (``outputs``). The
compiled program prints them as bytes when it ends; the interpreter and the automaton are asked
for the same variables at the end of ``main``.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revet.budget import Budget
from revet.frontends.c.ast import CProgram, Span
from revet.frontends.c.confine import prologue
from revet.frontends.c.interpret import Outcome, Recorded, Recorder, floating, run
from revet.frontends.c.parse import parse_text
from revet.frontends.c.toolchain import toolchain_for, works_for
from revet.frontends.c.types import ILP32, LP64, CType, DataModel, Floating, size_of


def available_models() -> list[DataModel]:
    """The data models that can be compiled here."""
    return [model for model in (LP64, ILP32) if works_for(model)]


@dataclass(frozen=True)
class Case:
    """``outputs`` are names of global variables of scalar or array type."""

    text: str
    outputs: tuple[str, ...]
    seed: object = None


class _Watch(Recorder):
    """A recorder that only remembers the machine."""

    machine: Any = None

    def statement(self, machine: Any, span: Span) -> None:
        self.machine = machine

    def store(self, machine: Any, *rest: Any) -> None:
        self.machine = machine

    def drawn(self, machine: Any, *rest: Any) -> None:
        self.machine = machine


def interpreted(program: CProgram, outputs: Sequence[str]) -> tuple[Outcome, dict[str, bytes]]:
    """How the run ends, and the outputs' bytes."""
    watch = _Watch()
    ended = run(program, Recorded([]), recorder=watch, max_seconds=20)
    machine = watch.machine
    found = {variable.name: bytes(target.data) for variable, target in machine.statics.items()}
    return ended, {name: found[name] for name in outputs}


def is_clean(ended: Outcome) -> bool:
    """Did the run end normally, without undefined behaviour?"""
    return ended.kind == "exit" and not ended.undefined


_PRINTER = """
#include <stdio.h>
{declarations}
static void dump(const void *data, unsigned long size) {{
  const unsigned char *byte = data;
  while (size--) printf("%02x", *byte++);
  putchar(10);
}}
__attribute__((destructor)) static void print_outputs(void) {{
{dumps}
}}
"""


def compiled(
    case: Case, program: CProgram, sizes: Mapping[str, int], optimise: str = "-O1"
) -> dict[str, bytes]:
    """Compile, run, and read back the outputs."""
    toolchain = toolchain_for(program.data_model)
    declarations = "\n".join(f"extern char {name}[];" for name in case.outputs)
    dumps = "\n".join(f"  dump({name}, {sizes[name]});" for name in case.outputs)
    flags = [optimise, "-w", "-std=gnu11", "-fwrapv", "-fno-strict-aliasing"]
    with tempfile.TemporaryDirectory(prefix="revet-differential-") as name_of:
        folder, objects = Path(name_of), ["program.o", "printer.o"]
        Path(folder, "program.c").write_text(case.text)
        Path(folder, "printer.c").write_text(_PRINTER.format(declarations=declarations, dumps=dumps))
        for file in objects:
            done = toolchain.object(folder, flags, file.replace(".o", ".c"), file, Budget())
            assert done.returncode == 0, done.stderr
        first = prologue(folder, toolchain, False, Budget())
        done = toolchain.program(folder, [*first, *objects], "program", Budget())
        assert done.returncode == 0, done.stderr
        done = subprocess.run(
            [str(Path(folder, "program"))], capture_output=True, text=True, timeout=20, check=False
        )
    lines = done.stdout.split()
    assert len(lines) == len(case.outputs), f"{case.seed}: the program ended with {done.returncode}"
    return {name: bytes.fromhex(line) for name, line in zip(case.outputs, lines, strict=True)}


def parsed(case: Case, model: DataModel) -> CProgram:
    return parse_text(case.text, "program.c", model)


def output_types(program: CProgram, outputs: Sequence[str]) -> dict[str, CType]:
    found = {variable.name: variable.type for variable in program.globals}
    return {name: found[name] for name in outputs}


def sizes_of(program: CProgram, outputs: Sequence[str]) -> dict[str, int]:
    return {name: size_of(type) for name, type in output_types(program, outputs).items()}


def same(
    case: Case,
    program: CProgram,
    found: Mapping[str, bytes],
    expected: Mapping[str, bytes],
    one: str,
    other: str,
) -> None:
    """Fail with the offending line if two ways of running the program disagree."""
    types = output_types(program, case.outputs)
    for name in case.outputs:
        if found[name] == expected[name] or _both_nan(types[name], found[name], expected[name]):
            continue
        lines = [line for line in case.text.splitlines() if line.startswith(f"{name} = (")]
        shown = lines[0] if len(lines) == 1 else case.text
        raise AssertionError(
            f"{case.seed} ({program.data_model.name}): {name} is {found[name].hex()} by the {one}, "
            f"{expected[name].hex()} by the {other}\n{shown}"
        )


def _both_nan(type: CType, found: bytes, expected: bytes) -> bool:
    """The sign and payload of a NaN are nobody's business."""
    if not isinstance(type, Floating):
        return False
    values = [floating.unpack(data, 0, type) for data in (found, expected)]
    return all(value != value for value in values)
