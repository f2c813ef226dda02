"""The programs of the Copilot slides (Laurent 2014), and what the slides say about them."""

from __future__ import annotations

from typing import Any

import pytest

from revet.frontends.c.clang.run import system_compiler
from revet.streams import (
    Bool,
    Integer,
    Spec,
    Stream,
    Word8,
    Word64,
    all_constants,
    conjunction,
    constant,
    declare,
    exists,
    extern,
    forall,
    implies,
    mux,
)
from revet.streams.library.voting import has_majority, majority


def observed(steps: int, **streams: Any) -> dict[str, list[Any]]:
    spec = Spec("seed")
    for name, stream in streams.items():
        spec.observer(name, stream)
    table = spec.interpret(steps)
    return {name: table[name] for name in streams}


def test_constants_and_operators() -> None:
    x = constant(5, Word64) + 5
    y = x * x
    z = (x == 10) & (y < 200)
    t = mux(z, x + 1, y)
    assert observed(3, x=x, y=y, z=z, t=t) == {"x": [10] * 3, "y": [100] * 3, "z": [True] * 3, "t": [11] * 3}


def test_fib_evens_and_odds() -> None:
    fib = declare(Word64)
    fib.define([1, 1] @ (fib + fib.drop(1)))
    evens, odds = declare(Word64, "evens"), declare(Word64, "odds")
    evens.define([0] @ (1 + odds))
    odds.define(1 + evens)
    found = observed(8, fib=fib, evens=evens, odds=odds)
    assert found["fib"] == [1, 1, 2, 3, 5, 8, 13, 21]
    assert found["evens"] == [0, 2, 4, 6, 8, 10, 12, 14] and found["odds"] == [1, 3, 5, 7, 9, 11, 13, 15]


def bit_counter(n: int) -> list[Stream]:
    if n == 0:
        return []
    lower = bit_counter(n - 1)
    bit = declare(Bool, f"b{n - 1}")
    bit.define([False] @ mux(conjunction(lower), ~bit, bit))
    return [*lower, bit]


def test_bit_counter_by_metaprogramming() -> None:
    found = observed(20, **{f"s{n}": bit for n, bit in enumerate(bit_counter(4))})
    for instant in range(20):
        assert sum(found[f"s{n}"][instant] << n for n in range(4)) == instant % 16


def slides() -> Spec:
    """The properties of the slides, over mathematical integers as there."""
    spec = Spec("slides")
    x = declare(Integer, "x")
    x.define([1] @ (1 + x))
    spec.prop("x is not 0", x != 0)
    n = declare(Integer, "n")
    n.define([0] @ (1 + n))
    y = declare(Integer, "y")
    y.define([1] @ (n + y))
    spec.prop("y is not negative", y >= 0)
    spec.prop("y is positive", y >= 1)
    spec.prop("y grows slowly", y <= 3)
    a, b = declare(Integer, "a"), declare(Integer, "b")
    a.define([1] @ b)
    b.define([0] @ a)
    spec.prop("a is 0 or 1", (a == 0) | (a == 1))
    e = declare(Integer, "e")
    e.define([4] @ mux(e == 10, 0, e + 2))
    spec.prop("e stays below 11", e < 11)
    spec.prop("e becomes 8", exists(e == 8))
    spec.prop("e becomes 7", exists(e == 7))
    return spec


@pytest.mark.parametrize(
    "name",
    ["x is not 0", "y is not negative", "y is positive", "a is 0 or 1", "e stays below 11", "e becomes 8"],
)
def test_what_the_slides_prove(name: str) -> None:
    """The first two are those that KIND 2's IC3 could not prove."""
    proof = slides().prove(name, timeout=60)[name]
    assert proof.status == "proved", str(proof)
    assert proof.answer.checked is not None and proof.answer.checked.accepted


@pytest.mark.parametrize("name", ["y grows slowly", "e becomes 7"])
def test_what_is_refuted(name: str) -> None:
    assert slides().prove(name, timeout=60)[name].status == "refuted"


def test_a_counterexample_prints_the_streams() -> None:
    proof = slides().prove("y grows slowly", engine="bmc")["y grows slowly"]
    assert str(proof).splitlines() == [
        "y grows slowly: refuted",
        "instant                     0     1     2      3",
        "y                           1     1     2      4",
        "n                           0     1     2      3",
        "property y grows slowly  true  true  true  false",
    ]


def engine_monitor() -> Spec:
    spec = Spec("engine")
    probes = [extern(f"tmp_probe_{n}", Word8, sample=[100, 251, 255]) for n in (1, 2, 3)]
    cooler = extern("cooler", Bool, sample=[False, True, False])
    exceed = [probe > 250 for probe in probes]
    maj = majority(exceed)
    ok = implies(maj & has_majority(maj, exceed), cooler)
    spec.trigger("shutoff", ~ok)
    spec.prop("prop_maj", forall(all_constants(Bool, lambda b: implies(maj != b, ~has_majority(b, exceed)))))
    spec.prop("always_ok", ok)
    return spec


@pytest.mark.skipif(system_compiler() is None, reason="no C compiler")
def test_the_engine_monitor() -> None:
    spec = engine_monitor()
    assert spec.interpret(6)["shutoff"] == [None, None, (), None, None, ()]
    assert spec.simulate(6)["shutoff"] == [None, None, (), None, None, ()]
    assert spec.prove("prop_maj")["prop_maj"].status == "proved"
    refuted = spec.prove("always_ok")["always_ok"]
    assert refuted.status == "refuted" and refuted.run is not None
    assert refuted.run["cooler"][-1] is False


def test_assumptions_on_externs() -> None:
    spec = Spec("assuming")
    x = extern("x", Word8)
    total = declare(Word8, "total")
    total.define([0] @ mux(total < 100, total + x, total))
    spec.prop("small", total < 200)
    assert spec.prove()["small"].status == "refuted"
    spec.assume(x < 50)
    assert spec.prove()["small"].status == "proved"
