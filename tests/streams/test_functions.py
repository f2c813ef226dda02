"""Proofs about functions that the logic does not have: any function, but a function."""

from __future__ import annotations

import pytest

from revet.streams import Double, Integer, Spec, extern, implies, is_nan, mux, recursive, sin


def spec() -> Spec:
    d, x = extern("d", Double), extern("x", Double)
    found = Spec("waves")
    found.prop("same", (sin(d) == sin(d)) | is_nan(sin(d)))
    found.prop("equal", implies(d == x, (sin(d) == sin(x)) | is_nan(sin(d)) | (d == 0.0)))
    found.prop("counts", recursive(Integer, lambda n: [0] @ mux(sin(d) > 0.5, n + 1, n)) >= 0)
    found.prop("two", sin(d) == 2.0)
    found.prop("bounded", (sin(d) <= 1.0) | is_nan(sin(d)))
    return found


@pytest.mark.parametrize(
    ("name", "status"),
    # that a sine is at most 1 is not known, and a run with a larger one is not believed
    [
        ("same", "proved"), ("equal", "proved"), ("counts", "proved"),
        ("two", "refuted"), ("bounded", "unknown"),
    ],
)
def test_functions_are_uninterpreted(name: str, status: str) -> None:
    assert spec().prove(name, engine="kind")[name].status == status
