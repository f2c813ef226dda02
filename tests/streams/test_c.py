"""The generated C: accepted by the compiler without a warning, free of undefined behaviour, and in
agreement with the interpreter on random specifications."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

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
    Word8,
    Word64,
    constant,
    declare,
    extern,
    sin,
)
from revet.streams.simulate import compile_files

from .random_specs import Generator
from .sanitized import assert_same, sanitized


def agree(seed: int, size: int, steps: int, folder: Path) -> None:
    generator = Generator(seed)
    spec = generator.spec(size)
    inputs = generator.inputs(steps)
    expected = spec.interpret(steps, inputs)
    assert_same(expected, spec.simulate(steps, inputs))
    assert_same(expected, sanitized(spec, steps, inputs, folder))


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
    assert "malloc" not in text and "static uint64_t n_buffer_0 = UINT64_C(0);" in text


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
