"""Random specifications over all types, with inputs that like the corners."""

from __future__ import annotations

import math
import random
from typing import Any

from revet.streams import (
    Bool,
    Double,
    Float,
    Int8,
    Int16,
    Int32,
    Int64,
    Spec,
    Stream,
    Word8,
    Word16,
    Word32,
    Word64,
    cast,
    ceil,
    constant,
    declare,
    extern,
    floor,
    mux,
    quot,
    rem,
    sqrt,
)
from revet.streams.types import Scalar

INTEGERS = [Int8, Int16, Int32, Int64, Word8, Word16, Word32, Word64]
WORDS = [Word8, Word16, Word32, Word64]
FLOATS = [Float, Double]
TYPES = [Bool, *INTEGERS, *FLOATS]


def corner(type_: Scalar, rng: random.Random) -> Any:
    if type_.kind == "bool":
        return rng.random() < 0.5
    if type_.kind == "float":
        return type_.round(
            rng.choice(
                [0.0, -0.0, math.inf, -math.inf, math.nan, 1.5, -2.5, 3e38, 1e300, 5e-324, 1e-45, 255.9,
                 -128.9, 2.0**31, 2.0**63, -(2.0**63), 2.0**64, rng.uniform(-10, 10), rng.gauss(0, 1e6)]
            )
        )
    corners = [type_.low, type_.high, 0, 1, type_.high - 1, type_.low + 1, type_.wrap(-1), 7]
    return rng.choice([*corners, rng.randint(type_.low, type_.high), rng.randint(0, 9)])


class Generator:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.pool: dict[Scalar, list[Stream]] = {
            type_: [extern(f"in_{type_.name}", type_)] for type_ in TYPES
        }

    def some(self, type_: Scalar) -> Stream:
        if self.rng.random() < 0.2:
            return constant(corner(type_, self.rng), type_)
        return self.rng.choice(self.pool[type_][-6:] + self.pool[type_][:1])

    def operation(self, type_: Scalar) -> Stream:
        rng, some = self.rng, self.some
        choices = [
            lambda: mux(some(Bool), some(type_), some(type_)),
            lambda: [corner(type_, rng) for _ in range(rng.randint(1, 4))] @ some(type_),
            lambda: self.recursion(type_),
        ]
        if type_ is Bool:
            other = rng.choice(TYPES)
            number = rng.choice([*INTEGERS, *FLOATS])
            choices += [
                lambda: some(Bool) & some(Bool), lambda: some(Bool) | some(Bool), lambda: ~some(Bool),
                lambda: some(Bool) ^ some(Bool), lambda: some(other) == some(other),
                lambda: some(other) != some(other), lambda: some(number) < some(number),
                lambda: some(number) <= some(number), lambda: some(number) > some(number),
            ]
        else:
            choices += [
                lambda: some(type_) + some(type_), lambda: some(type_) - some(type_),
                lambda: some(type_) * some(type_), lambda: -some(type_), lambda: abs(some(type_)),
                lambda: cast(some(rng.choice(TYPES)), type_),
            ]
        if type_.kind == "int":
            word = rng.choice(WORDS)
            choices += [
                lambda: some(type_) // some(type_), lambda: some(type_) % some(type_),
                lambda: quot(some(type_), some(type_)), lambda: rem(some(type_), some(type_)),
                lambda: some(type_) & some(type_), lambda: some(type_) ^ some(type_), lambda: ~some(type_),
                lambda: some(type_) << some(word), lambda: some(type_) >> some(word),
                lambda: some(type_) >> (some(word) % 9), lambda: some(type_) << rng.randint(0, 70),
            ]
        if type_.kind == "float":
            choices += [
                lambda: some(type_) / some(type_), lambda: sqrt(some(type_)), lambda: floor(some(type_)),
                lambda: ceil(some(type_)),
            ]
        return rng.choice(choices)()

    def recursion(self, type_: Scalar) -> Stream:
        x = declare(type_, f"r{len(self.pool[type_])}")
        buffer = [corner(type_, self.rng) for _ in range(self.rng.randint(1, 3))]
        step = mux(self.some(Bool), x.drop(len(buffer) - 1), self.some(type_))
        x.define(buffer @ (step if type_ is Bool else step + self.some(type_)))
        return x.drop(self.rng.randrange(len(buffer)))

    def spec(self, size: int) -> Spec:
        spec = Spec("random")
        for type_ in TYPES:
            spec.observer(f"copy_{type_.name}", self.pool[type_][0])
        for number in range(size):
            type_ = self.rng.choice(TYPES)
            stream = self.operation(type_)
            self.pool[type_].append(stream)
            spec.observer(f"o{number}", stream)
        some = self.some
        spec.trigger("react", some(Bool), [some(Int16), some(Double), some(Bool)])
        return spec

    def inputs(self, steps: int) -> dict[str, list[Any]]:
        return {f"in_{t.name}": [corner(t, self.rng) for _ in range(steps)] for t in TYPES}
