"""Proofs about functions that the logic does not have: any function, but a function."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from revet.logic import build as b
from revet.logic.evaluate import evaluate
from revet.logic.sorts import FLOAT64
from revet.logic.terms import FunctionSymbol
from revet.streams import (
    Double,
    Integer,
    Real,
    Spec,
    StreamError,
    cast,
    ceil,
    exp,
    extern,
    floor,
    implies,
    is_nan,
    mux,
    recursive,
    sin,
)
from revet.streams.evaluate import apply_operator
from revet.streams.functions import RANGES, facts


def spec() -> Spec:
    d, x = extern("d", Double), extern("x", Double)
    found = Spec("waves")
    found.prop("same", (sin(d) == sin(d)) | is_nan(sin(d)))
    found.prop("equal", implies(d == x, (sin(d) == sin(x)) | is_nan(sin(d)) | (d == 0.0)))
    found.prop("counts", recursive(Integer, lambda n: [0] @ mux(sin(d) > 0.5, n + 1, n)) >= 0)
    found.prop("two", sin(d) == 2.0)
    found.prop("bounded", (sin(d) <= 1.0) | is_nan(sin(d)))
    found.prop("less", (sin(d) <= 0.5) | is_nan(sin(d)))
    found.prop("nan", sin(d) <= 1.0)
    return found


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("same", "proved"), ("equal", "proved"), ("counts", "proved"), ("two", "refuted"),
        ("bounded", "proved"), ("nan", "refuted"),
        # that some sine is above a half is not known to the solver, and what it makes up is not believed
        ("less", "unknown"),
    ],
)
def test_functions_are_uninterpreted(name: str, status: str) -> None:
    assert spec().prove(name, engine="kind")[name].status == status


ARGUMENTS = [
    0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -3.25, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan,
]
UNARY = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "log",
]


@pytest.mark.parametrize("name", [*UNARY, "atan2", "pow"])
def test_what_is_said_of_functions_is_true_of_the_interpreters(name: str) -> None:
    """Ranges, and where there is no value, on the corners of the doubles."""
    count = 2 if name in ("atan2", "pow") else 1
    symbol = FunctionSymbol(f"{name}.Double", [FLOAT64] * count, FLOAT64)
    value = b.var("value", FLOAT64)
    pairs = [(x, y) for x in ARGUMENTS for y in ARGUMENTS] if count == 2 else [(x,) for x in ARGUMENTS]
    for arguments in pairs:
        application = b.apply(symbol, *(b.const(Double.to_logic(x), FLOAT64) for x in arguments))
        found = apply_operator(name, Double, [Double] * count, arguments)
        for fact in facts(application, value):
            assert evaluate(fact, {value: Double.to_logic(found)}) is True, (name, arguments, found, fact)


def test_ranges_are_tight_enough_to_be_of_use() -> None:
    assert RANGES["sin"] == (Fraction(-1), Fraction(1)) and "log" not in RANGES


def reals() -> Spec:
    x = extern("x", Real, sample=[Fraction(1, 3), 2, -0.5])
    found = Spec("reals")
    found.prop("same", sin(x) == sin(x))
    found.prop("three halves", 2 * sin(x) <= 3)
    found.prop("grows", recursive(Real, lambda r: [0] @ (r + exp(x))) >= 0)
    found.prop("exact", (x / 3) * 3 == x)
    found.prop("between", (floor(x) <= x) & (x <= ceil(x)) & (ceil(x) < x + 1))
    found.prop("not a third", x * 3 != 1)
    found.prop("small", sin(x) <= 0.5)
    return found


def test_reals_are_numbers_without_nan() -> None:
    proofs = reals().prove(engines="kind,bmc")
    states = {name: proof.status for name, proof in proofs.items()}
    assert states.pop("not a third") == "refuted" and states.pop("small") == "unknown"
    assert set(states.values()) == {"proved"}, states
    assert "cannot be computed exactly" in proofs["small"].reason
    run = proofs["not a third"].run
    assert run is not None and run["x"] == [Fraction(1, 3)]


def test_reals_are_not_for_c() -> None:
    x = extern("x", Real)
    spec = Spec("real")
    spec.observer("x", x)
    with pytest.raises(StreamError, match="Real is exact"):
        spec.compile_c()
    with pytest.raises(StreamError, match="no cast"):
        cast(x, Double)
    assert cast(extern("n", Integer), Real).type is Real
