"""Five specifications in Copilot (``copilot/Specs.hs``) and in ours print the same streams.

Where the two differ by design, ours is spelled out: Copilot's interpreter truncates ``div`` and floors
``mod``; its ``since`` says that the left side has held *always* since the right side held first.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revet.streams import (
    Bool,
    Double,
    Int8,
    Int32,
    Spec,
    Stream,
    Word8,
    cast,
    constant,
    declare,
    extern,
    implies,
    minimum,
    mux,
    quot,
    recursive,
    sqrt,
)
from revet.streams.library import ltl, ptltl
from revet.streams.library.clocks import clock, counting_clock
from revet.streams.library.voting import has_majority, majority

SOURCE = Path(__file__).parent / "copilot" / "Specs.hs"
STEPS = 12
Streams = dict[str, Stream]


def recursion() -> Streams:
    fib, evens, odds = declare(Word8), declare(Word8, "evens"), declare(Word8, "odds")
    fib.define([1, 1] @ (fib + fib.drop(1)))
    evens.define([0] @ (1 + odds))
    odds.define(1 + evens)
    b0 = recursive(Bool, lambda b: [False] @ ~b)
    b1 = recursive(Bool, lambda b: [False] @ (b0 != b))
    return {"fib": fib, "evens": evens, "odds": odds, "b0": b0, "b1": b1}


def arithmetic() -> Streams:
    s = recursive(Int8, lambda s: [100] @ (s * 3 - 7))
    w = recursive(Word8, lambda w: [7] @ (w * 5 + 3))
    d = recursive(Double, lambda d: [0.5] @ (d * 1.5 - 0.375))
    return {
        "s": s, "quotient": quot(s, 7), "remainder": s % 7, "size": abs(s),
        "bits": (w & 60) | (w ^ 129), "left": w << 3, "right": s >> 2,
        "wide": cast(s, Int32) * 1000 - 1, "d": d, "root": sqrt(d * d + 2.0),
    }


def cycle(values: list[Any], type_: Any) -> Stream:
    stream: Stream = recursive(type_, lambda s: values @ s)
    return stream


def voting() -> Streams:
    first = cycle([3, 1, 4, 1, 5, 9, 2, 6], Word8)
    second, third = cycle([3, 3, 4, 1, 1], Word8), cycle([3, 1, 4], Word8)
    votes = [first, second, third, constant(1, Word8), first]
    winner = majority(votes)
    return {"winner": winner, "clear": has_majority(winner, votes)}


def temporal() -> Streams:
    a = cycle([3, 1, 4, 1, 5, 9, 2, 6], Word8)
    p = cycle([True, True, False, True, True, True, False], Bool)
    q = cycle([True, False, True, True, False], Bool)
    return {
        "previous": ptltl.previous(p), "been": ptltl.always_been(q), "ever": ptltl.eventually_prev(a == 9),
        "since": ptltl.always_been(implies(ptltl.eventually_prev(ptltl.previous(q)), p)),
        "next2": ltl.eventually(2, p), "all2": ltl.always(2, q), "until3": ltl.until(3, p, q),
    }


def monitor() -> Streams:
    temperature = extern(
        "temperature", Word8, sample=[240, 251, 253, 252, 249, 255, 254, 253, 252, 251, 100, 251]
    )
    cooler = extern("cooler", Bool, sample=[False, False, False, True, True] * 3)
    hot = declare(Word8)
    hot.define(mux(temperature > 250, minimum(([0] @ hot) + 1, 3), 0))
    return {
        "hot": hot, "shutoff": (hot >= 2) & ~cooler,
        "tick": clock(3, 1), "tick1": counting_clock(Word8, 4, 2),
    }


@pytest.fixture(scope="module")
def copilot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled specifications."""
    ghc = shutil.which("ghc")
    if ghc is None:
        pytest.skip("ghc is not installed")
    packages = subprocess.run(
        [shutil.which("ghc-pkg") or "ghc-pkg", "list", "copilot-3.13", "--simple-output"],
        capture_output=True, text=True, check=False,
    )
    if "copilot-3.13" not in packages.stdout:
        pytest.skip("libghc-copilot-dev is not installed")
    folder = tmp_path_factory.mktemp("copilot")
    program = folder / "specs"
    subprocess.run([ghc, "-v0", "-O0", "-outputdir", folder, "-o", program, SOURCE], check=True)
    return program


def columns(printed: str) -> dict[str, list[bool | float]]:
    header, *rows = [line.split() for line in printed.splitlines()]
    cells = [[{"true": True, "false": False}.get(cell, cell) for cell in row] for row in rows]
    return {
        name.rstrip(":"): [cell if isinstance(cell, bool) else float(cell) for cell in column]
        for name, column in zip(header, zip(*cells, strict=True), strict=True)
    }


@pytest.mark.long
@pytest.mark.parametrize("specification", [recursion, arithmetic, voting, temporal, monitor])
def test_copilot_prints_the_same_streams(copilot: Path, specification: Callable[[], Streams]) -> None:
    name = specification.__name__
    printed = subprocess.run([copilot, name], capture_output=True, text=True, check=True).stdout
    spec = Spec(name)
    streams = specification()
    for stream, value in streams.items():
        spec.observer(stream, value)
    ours = spec.interpret(STEPS)
    theirs = columns(printed)
    assert list(theirs) == list(streams)
    assert {stream: ours[stream] for stream in streams} == theirs
