"""The language: what streams are, and which mistakes are refused where they are made."""

from __future__ import annotations

import doctest
import math
from typing import Any

import pytest

import revet.streams
from revet.streams import (
    Array,
    Bool,
    Double,
    Float,
    Int8,
    Int16,
    Spec,
    StreamError,
    Struct,
    Word8,
    Word16,
    Word64,
    array,
    cast,
    constant,
    counter,
    declare,
    extern,
    local,
    mux,
    recursive,
    struct,
)


def values(stream: Any, steps: int = 6, **inputs: list[Any]) -> list[Any]:
    spec = Spec("test")
    spec.observer("it", stream)
    return spec.interpret(steps, inputs)["it"]


def test_the_package_text() -> None:
    assert doctest.testmod(revet.streams).failed == 0


def test_delay_drop_and_recursion() -> None:
    ten = constant(10, Word64)
    y = [1, 2, 3] @ ten
    assert values(y) == [1, 2, 3, 10, 10, 10]
    assert values(y.drop(2)) == [3, 10, 10, 10, 10, 10]
    assert values((y + 1).drop(1)) == [3, 4, 11, 11, 11, 11]
    assert values(recursive(Word64, lambda f: [1, 1] @ (f + f.drop(1)))) == [1, 1, 2, 3, 5, 8]
    assert values(local(counter(Word8), lambda n: n * n)) == [0, 1, 4, 9, 16, 25]


def test_machine_arithmetic_wraps() -> None:
    x = extern("x", Int8)
    data = [127, -128, -7, 0]
    assert values(x + 1, 4, x=data) == [-128, -127, -6, 1]
    assert values(-x, 4, x=data) == [-127, -128, 7, 0]
    assert values(x // 2, 4, x=data) == [63, -64, -4, 0]
    assert values(x // 0, 4, x=data) == [0, 0, 0, 0] and values(x % 0, 4, x=data) == data
    assert values(x >> 1, 4, x=data) == [63, -64, -4, 0] and values(x << 9, 4, x=data) == [0] * 4
    assert values(cast(x, Word16), 4, x=data) == [127, 65408, 65529, 0]


def test_floats_are_ieee() -> None:
    x = extern("x", Double)
    data = [math.nan, math.inf, 1.0, -0.0]
    assert values(x == x, 4, x=data) == [False, True, True, True]
    assert values(1.0 / x, 4, x=data)[1:] == [0.0, 1.0, -math.inf]
    assert values(cast(x, Int8), 4, x=data) == [0, 0, 1, 0]
    assert values(constant(0.1, Float), 1) == [0.10000000149011612]


def test_arrays_and_structs() -> None:
    pair = Struct("pair", a=Int16, b=Array(Bool, 2))
    p = declare(pair)
    p.define([{"a": 1, "b": [True, False]}] @ struct(pair, a=p.a + 1, b=array(p.b[1], p.b[0])))
    assert values(p.a, 3) == [1, 2, 3] and values(p.b[0], 3) == [True, False, True]
    assert values(mux(p.b[0], p, p) == p, 3) == [True] * 3
    assert values(array(counter(Word8), 7)[counter(Word8)], 3) == [0, 7, 7]


def test_the_table() -> None:
    x = extern("x", Word8, sample=[1, 2, 3])
    spec = Spec("shown")
    spec.observer("twice", x * 2)
    spec.trigger("big", x > 2, [x])
    table = spec.interpret(4)
    assert str(table).splitlines() == [
        "instant   0   1    2   3",
        "x         1   2    3   1",
        "twice     2   4    6   2",
        "big()    --  --  (3)  --",
    ]
    assert "…" in str(spec.interpret(100))


BYTE, WORD = extern("byte", Word8), extern("word", Word16)
MISTAKES = {
    "+ between a Word8 and a Word16: cast one": lambda: BYTE + WORD,
    "300 does not fit into Word8": lambda: BYTE > 300,
    "1.5 is not a Word8": lambda: BYTE + 1.5,
    "use // on integers": lambda: BYTE / 2,
    "drop 1 of extern byte": lambda: BYTE.drop(1),
    "drop 2 reaches beyond a buffer of 1": lambda: ([0] @ BYTE).drop(2),
    "a shift cannot be negative": lambda: BYTE << -1,
    "cast the amount to a Word": lambda: BYTE << cast(BYTE, Int8),
    "has no truth value": lambda: 1 if BYTE > 2 else 0,
    "the condition of mux must be a Bool": lambda: mux(BYTE, 1, BYTE),
    "no cast from Word8 to Bool": lambda: cast(BYTE, Bool),
    "initial value of a Word8: True is not a Word8": lambda: [True] @ BYTE,
    "the guard of alarm must be a Bool": lambda: Spec("s").trigger("alarm", BYTE),
    "extern 'a b'": lambda: extern("a b", Bool),
    "has no field z": lambda: extern("p", Struct("p", x=Bool)).z,
    "only a stream made by declare": lambda: BYTE.define(BYTE),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_name_the_line(message: str) -> None:
    with pytest.raises(StreamError) as caught:
        MISTAKES[message]()
    assert message in str(caught.value)
    place = caught.value.position
    assert place is not None and place.file == __file__
    assert caught.value.source_line is not None and "lambda" in caught.value.source_line


def test_instantaneous_loops_name_the_streams() -> None:
    a = declare(Word8)
    b = declare(Word8)
    a.define(b + 1)
    with pytest.raises(StreamError, match="instantaneous loop: b -> a -> b"):
        b.define(a + 1)


def test_a_loop_through_drop_is_found() -> None:
    x = declare(Word8)
    y = declare(Word8)
    x.define([1] @ y)
    with pytest.raises(StreamError, match="drop 1 reaches beyond a buffer of 1"):
        y.define(x.drop(1))
    z = declare(Word8)
    z.define(z.drop(1))
    spec = Spec("s")
    spec.observer("z", z)
    with pytest.raises(StreamError):
        spec.interpret(1)


def test_undefined_streams_are_refused() -> None:
    spec = Spec("s")
    never = declare(Bool)
    spec.observer("o", never)
    with pytest.raises(StreamError, match="never is declared and never defined"):
        spec.interpret(1)


def test_deep_metaprograms_do_not_recurse() -> None:
    total = extern("x", Word64, sample=[1])
    for _ in range(5000):
        total = total + 1
    assert values(total, 1) == [5001]
