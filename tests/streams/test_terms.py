"""The transition system says what the interpreter says: random specifications, stepped side by side.

A proof is about the terms; this is what makes it one about the streams.
"""

from __future__ import annotations

import random

import pytest

from revet.logic.evaluate import Evaluator
from revet.streams import Bool, Integer, Spec, Stream, cast, constant, extern, mux, quot, rem
from revet.streams.core import Node
from revet.streams.flatten import flatten
from revet.streams.interpret import Interpreter
from revet.streams.translate import Terms
from revet.streams.types import Int8, Word8

from .random_specs import Generator


def side_by_side(roots: list[Node], inputs: dict[str, list[object]], steps: int) -> int:
    flat = flatten(roots)
    terms = Terms(flat)
    updates, _ = terms.memory()
    state = {
        cell: delay.type.to_logic(value)
        for delay, cells in terms.cells.items()
        for cell, value in zip(cells, delay.buffer, strict=True)
    }
    interpreter = Interpreter(inputs)
    compared = 0
    for t in range(steps):
        drawn = {
            variable: flat.externs[name].type.to_logic(inputs[name][t])  # type: ignore[arg-type]
            for name, variable in terms.inputs.items()
        }
        value_of = Evaluator({**state, **drawn})
        for root, flat_root in zip(roots, flat.roots, strict=True):
            expected = root.type.to_logic(interpreter.value(root, t))
            found = value_of(terms[flat_root])
            assert found == expected, (t, getattr(root, "operator", root), expected, found)
            compared += 1
        state = {variable: value_of(value) for variable, value in updates.items()}
    return compared


@pytest.mark.parametrize("seed", range(6))
def test_random_specifications(seed: int) -> None:
    generator = Generator(seed)
    spec = generator.spec(60)
    assert side_by_side(spec.roots(), generator.inputs(8), 8) >= 480


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_random_specifications(seed: int) -> None:
    generator = Generator(seed)
    spec = generator.spec(100)
    assert side_by_side(spec.roots(), generator.inputs(10), 10) >= 1000


def test_mathematical_integers() -> None:
    x, y = extern("x", Integer), extern("y", Integer)
    streams: list[Stream] = [
        x + y, x - y, x * y, -x, abs(x), x // y, x % y, quot(x, y), rem(x, y), cast(x, Int8), cast(x, Word8),
        cast(cast(x, Int8), Integer), cast(x == y, Integer), mux(x < y, x, y), x <= y,
    ]
    rng = random.Random(1)
    numbers = [0, 1, -1, 7, -7, 3, -3, 200, -200, 10**30]
    steps = 60
    inputs: dict[str, list[object]] = {name: [rng.choice(numbers) for _ in range(steps)] for name in "xy"}
    assert side_by_side([s.node for s in streams], inputs, steps) == steps * len(streams)


def test_a_cast_constant_is_itself() -> None:
    spec = Spec("c")
    spec.prop("same", cast(constant(True, Bool), Word8) == 1)
    assert spec.prove(engine="kind")["same"]
