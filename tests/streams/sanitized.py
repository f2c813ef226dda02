"""The generated C in a process of its own, under the sanitizers, and the comparison of its streams."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from revet.streams import Spec, Table
from revet.streams.c_operators import c_type, literal
from revet.streams.c_recorder import count_variable, leaf_variable, recorder
from revet.streams.c_types import declaration, extern_variables
from revet.streams.interpret import (
    Interpreter,
    argument_types,
    assemble_call,
    call_rows,
    spread_inputs,
)
from revet.streams.simulate import compile_files
from revet.streams.types import Scalar

SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")


def same(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return left == right and math.copysign(1, left) == math.copysign(1, right)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right and type(left) is type(right)


def assert_same(expected: Table, found: Table) -> None:
    for name, values in expected.streams.items():
        if name in found.streams:
            for instant, (left, right) in enumerate(zip(values, found.streams[name], strict=True)):
                assert same(left, right), f"{name} at {instant}: interpreter {left!r}, C {right!r}"
    assert expected.triggers.keys() == found.triggers.keys()
    for name, calls in expected.triggers.items():
        for left, right in zip(calls, found.triggers[name], strict=True):
            assert (left is None) == (right is None), f"{name}: {left} and {right}"
            assert left is None or all(map(same, left, right or ())), f"{name}: {left} and {right}"


def sanitized(
    spec: Spec,
    steps: int,
    inputs: Mapping[str, Sequence[Any]] | None,
    folder: Path,
    flags: Sequence[str] = SANITIZE,
) -> Table:
    """Observers and calls; the inputs are tables in the program."""
    program = spec.compile_c(folder)
    externs = program.flat.externs
    given = Interpreter(spread_inputs(inputs, spec.flat().externs))
    lines = [f'#include "{spec.name}.h"', "#include <inttypes.h>", "#include <math.h>", "#include <stdio.h>"]
    lines += [f"{declaration(*variable)};" for variable in extern_variables(externs.values()).items()]
    for number, node in enumerate(externs.values()):
        values = ", ".join(literal(given.value(node, t), node.type) for t in range(steps))
        lines.append(f"static const {c_type(node.type)} data_{number}[{steps}] = {{{values}}};")
    lines += [*recorder(spec), "int main(void) {", f"for (int t = 0; t < {steps}; t++) {{"]
    lines += [f"{node.name} = data_{number}[t];" for number, node in enumerate(externs.values())]
    lines += [f"{count_variable(name)} = 0;" for name in spec.calls()]
    lines.append(f"{program.step}();")
    lines += [_print(variable, type_) for variable, type_ in program.observers.values()]
    for name, stated in spec.calls().items():
        lines.append(f'printf("%u\\n", {count_variable(name)});')
        lines.append(f"for (unsigned n = 0; n < {count_variable(name)}; n++) {{")
        lines += [_print(f"{leaf_variable(name, n)}[n]", a.type) for n, a in enumerate(stated[0].arguments)]
        lines.append("}")
    lines += ["}", f"{program.reset}();", "return 0; }"]
    (folder / "main.c").write_text("\n".join(lines))
    compile_files([folder / f"{program.name}.c", folder / "main.c"], folder / "main", flags)
    done = subprocess.run([folder / "main"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return _table(spec, steps, iter(done.stdout.split()))


def _table(spec: Spec, steps: int, words: Iterator[str]) -> Table:
    streams: dict[str, list[Any]] = {name: [] for name in spec.observers}
    triggers: dict[str, list[Any]] = {row: [] for row in argument_types(spec)}
    for _ in range(steps):
        for name, node in spec.observers.items():
            streams[name].append(_parse(next(words), node.type))
        for name, stated in spec.calls().items():
            calls = [
                assemble_call(stated[0], [_parse(next(words), a.type) for a in stated[0].arguments])
                for _ in range(int(next(words)))
            ]
            rows = call_rows(name, len(stated))
            for row, call in zip(rows, [*calls, *[None] * (len(rows) - len(calls))], strict=True):
                triggers[row].append(call)
    return Table(streams, triggers, {n: o.type for n, o in spec.observers.items()}, argument_types(spec))


def _print(variable: str, type_: Scalar) -> str:
    form = '"%a\\n"' if type_.kind == "float" else '"%" PRIi64 "\\n"'
    if type_.kind == "int" and not type_.signed:
        form = '"%" PRIu64 "\\n"'
    integer = "int64_t" if type_.signed or type_.kind == "bool" else "uint64_t"
    wide = "double" if type_.kind == "float" else integer
    return f"printf({form}, ({wide}){variable});"


def _parse(text: str, type_: Scalar) -> Any:
    if type_.kind == "float":
        return math.nan if "nan" in text else float.fromhex(text)
    return text == "1" if type_.kind == "bool" else int(text)
