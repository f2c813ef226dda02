"""The generated C: accepted by the compiler without a warning, free of undefined behaviour, and in
agreement with the interpreter on random specifications."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path
from typing import Any

import pytest

from revet.frontends.c.clang.run import system_compiler
from revet.streams import (
    Array,
    Bool,
    Double,
    Float,
    Int32,
    Int64,
    Integer,
    Spec,
    StreamError,
    Struct,
    Table,
    Word8,
    Word64,
    constant,
    declare,
    extern,
    sin,
)
from revet.streams.c_operators import c_type, literal
from revet.streams.flatten import flatten
from revet.streams.simulate import compile_files
from revet.streams.types import Scalar

from .random_specs import Generator

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
        for instant, (left, right) in enumerate(zip(values, found.streams[name], strict=True)):
            assert same(left, right), f"{name} at {instant}: interpreter {left!r}, C {right!r}"
    for name, calls in expected.triggers.items():
        for left, right in zip(calls, found.triggers[name], strict=True):
            assert (left is None) == (right is None)
            assert left is None or all(map(same, left, right or ())), f"{name}: {left} and {right}"


def parse(text: str, type_: Scalar) -> Any:
    if type_.kind == "float":
        return math.nan if "nan" in text else float.fromhex(text)
    return text == "1" if type_.kind == "bool" else int(text)


def sanitized(spec: Spec, steps: int, inputs: dict[str, list[Any]], folder: Path) -> dict[str, list[Any]]:
    """Run in a process of its own, under the sanitizers; inputs are tables in the program."""
    program = spec.compile_c(folder)
    externs = flatten(spec.roots()).externs
    lines = [f'#include "{spec.name}.h"', "#include <inttypes.h>", "#include <math.h>", "#include <stdio.h>"]
    for name, node in externs.items():
        values = ", ".join(literal(node.type.accept(value), node.type) for value in inputs[name])
        lines.append(f"{c_type(node.type)} {name};")
        lines.append(f"static const {c_type(node.type)} data_{name}[{steps}] = {{{values}}};")
    for trigger in spec.triggers:
        types = ", ".join(f"{c_type(node.type)} a{n}" for n, node in enumerate(trigger.arguments))
        lines.append(f"void {trigger.name}({types}) {{ {' '.join(f'(void)a{n};' for n in range(3))} }}")
    lines += ["int main(void) {", f"for (int t = 0; t < {steps}; t++) {{"]
    lines += [f"{name} = data_{name}[t];" for name in externs]
    lines.append(f"{spec.name}_step();")
    for variable, type_ in program.observers.values():
        form = '"%a\\n"' if type_.kind == "float" else '"%" PRIi64 "\\n"'
        if type_.kind == "int" and not type_.signed:
            form = '"%" PRIu64 "\\n"'
        integer = "int64_t" if type_.signed or type_.kind == "bool" else "uint64_t"
        wide = "double" if type_.kind == "float" else integer
        lines.append(f"printf({form}, ({wide}){variable});")
    lines += ["}", f"{spec.name}_reset();", "return 0; }"]
    main = folder / "main.c"
    main.write_text("\n".join(lines))
    compile_files([folder / f"{spec.name}.c", main], folder / "main", SANITIZE)
    done = subprocess.run([folder / "main"], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    words = iter(done.stdout.split())
    found: dict[str, list[Any]] = {name: [] for name in program.observers}
    for _ in range(steps):
        for name, (_, type_) in program.observers.items():
            found[name].append(parse(next(words), type_))
    return found


def agree(seed: int, size: int, steps: int, folder: Path) -> None:
    generator = Generator(seed)
    spec = generator.spec(size)
    inputs = generator.inputs(steps)
    expected = spec.interpret(steps, inputs)
    assert_same(expected, spec.simulate(steps, inputs))
    for name, values in sanitized(spec, steps, inputs, folder).items():
        for instant, (left, right) in enumerate(zip(expected[name], values, strict=True)):
            assert same(left, right), f"{name} at {instant}: interpreter {left!r}, sanitized C {right!r}"


NEEDS_COMPILER = pytest.mark.skipif(system_compiler() is None, reason="no C compiler")


@NEEDS_COMPILER
@pytest.mark.parametrize("seed", range(2))
def test_random_specifications(seed: int, tmp_path: Path) -> None:
    agree(seed, size=150, steps=20, folder=tmp_path)


@NEEDS_COMPILER
@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_random_specifications(seed: int, tmp_path: Path) -> None:
    agree(seed, size=200, steps=40, folder=tmp_path)


@NEEDS_COMPILER
def test_arrays_structs_and_triggers() -> None:
    point = Struct("point", x=Int32, y=Array(Float, 2), z=Bool)
    data = [{"x": -3, "y": [0.1, 2.5], "z": True}, {"x": 4, "y": [1, -0.0], "z": False}]
    p = extern("p", point, sample=data)
    i = extern("i", Word8, sample=[0, 1, 200])
    spec = Spec("shapes")
    spec.observer("old", [{"x": 0, "y": [0, 0], "z": False}] @ p)
    spec.observer("chosen", p.y[i])
    spec.trigger("alarm", p.z, [p.x // 2, i])
    expected = spec.interpret(6)
    assert expected["chosen"][0] == pytest.approx(0.1) and expected["old.x"][:3] == [0, -3, 4]
    assert expected["alarm"] == [(-2, 0), None, (-2, 200), None, (-2, 1), None]
    assert_same(expected, spec.simulate(6))


@NEEDS_COMPILER
def test_library_functions_agree() -> None:
    x = extern("angle", Double, sample=[0.0, 1.0, -2.5, 1e22, math.inf])
    spec = Spec("waves")
    spec.observer("sine", sin(x))
    assert_same(spec.interpret(5), spec.simulate(5))


@NEEDS_COMPILER
def test_the_example_driver_runs(tmp_path: Path) -> None:
    n = declare(Word64)
    n.define([0] @ (n + 1))
    spec = Spec("counting")
    spec.observer("n", n)
    spec.trigger("even", n % 2 == 0, [n])
    files = spec.compile_c(tmp_path).write(tmp_path)
    compile_files([file for file in files if file.suffix == ".c"], tmp_path / "run")
    output = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[:4] == ["even 0", "n = 0", "n = 1", "even 2"]
    text = (tmp_path / "counting.c").read_text()
    assert "malloc" not in text and "static uint64_t n_buffer[1]" in text


def test_what_c_cannot_have_is_refused() -> None:
    spec = Spec("wrong")
    with pytest.raises(StreamError, match="nothing to compile"):
        spec.compile_c()
    spec.observer("i", constant(1, Integer))
    with pytest.raises(StreamError, match="Integer is unbounded"):
        spec.compile_c()
    for name in ("while", "v3", "add_u8", "sin"):
        spec = Spec("wrong")
        spec.observer("o", extern(name, Int64))
        with pytest.raises(StreamError, match="cannot name an extern"):
            spec.compile_c()
