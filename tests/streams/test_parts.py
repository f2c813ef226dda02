"""Structs and arrays as such, triggers of one name, more functions, tables as CSV and pictures."""

from __future__ import annotations

import csv
import io
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revet.frontends.c.clang.run import system_compiler
from revet.streams import (
    Array,
    Bool,
    Double,
    Float,
    Int8,
    Int16,
    Spec,
    Stream,
    StreamError,
    Struct,
    Word8,
    Word16,
    acosh,
    atan2,
    atanh,
    constant,
    counter,
    extern,
    label,
    log_base,
    pi,
    signum,
    update,
)
from revet.streams.library import bits, cases, folds

from .sanitized import assert_same, sanitized

POINT = Struct("point", x=Int16, y=Array(Array(Int16, 2), 2))
NEEDS_COMPILER = pytest.mark.skipif(system_compiler() is None, reason="no C compiler")


def values(stream: Stream, steps: int, **inputs: list[Any]) -> list[Any]:
    spec = Spec("one")
    spec.observer("o", stream)
    return spec.interpret(steps, inputs)["o"]


def shapes() -> Spec:
    p = extern("p", POINT, sample=[{"x": 1, "y": [[1, 2], [3, 4]]}, {"x": -1, "y": [[5, 6], [7, 8]]}])
    n = counter(Word8)
    spec = Spec("shapes")
    spec.trigger("seen", p.x > 0, [p, p.y, n])
    spec.trigger("seen", n % 2 == 0, [update(p, "x", 9), update(p.y, 1, p.y[0]), n])
    spec.trigger("other", n == 1)
    return spec


def test_arguments_are_passed_as_what_they_are() -> None:
    program = shapes().compile_c()
    assert "void seen(struct point, const int16_t (*)[2], uint8_t);" in program.header
    assert "struct point { int16_t x; int16_t y[2][2]; };" in program.header
    assert "extern struct point p;" in program.header and program.header.count("void seen(") == 1


def test_calls_of_one_function_at_one_instant() -> None:
    table = shapes().interpret(3)
    whole = {"x": 1, "y": [[1, 2], [3, 4]]}
    assert table["seen"][0] == (whole, [[1, 2], [3, 4]], 0)
    assert table["seen#2"] == [
        ({**whole, "x": 9}, [[1, 2], [1, 2]], 0), None, ({**whole, "x": 9}, [[1, 2], [1, 2]], 2),
    ]
    assert table["seen"][1] is None and table["other"] == [None, (), None]


@NEEDS_COMPILER
def test_c_gets_the_same_calls(tmp_path: Path) -> None:
    spec = shapes()
    assert_same(spec.interpret(7), spec.simulate(7))
    assert_same(spec.interpret(7), sanitized(spec, 7, None, tmp_path))


@NEEDS_COMPILER
def test_long_delays_are_ring_buffers(tmp_path: Path) -> None:
    x = extern("x", Word8, sample=list(range(7)))
    spec = Spec("long")
    spec.observer("old", list(range(40)) @ x)
    spec.observer("newer", (list(range(40)) @ x).drop(3))
    assert "old" in spec.observers and "_buffer_at + 1) % 40" in spec.compile_c().source
    assert_same(spec.interpret(130), sanitized(spec, 130, None, tmp_path))


def test_what_does_not_fit_is_refused() -> None:
    spec = shapes()
    with pytest.raises(StreamError, match=r"takes nothing in one place and Word8 in another"):
        spec.trigger("other", True, [counter(Word8)])
    p = extern("p", POINT)
    with pytest.raises(StreamError, match="has no field z"):
        update(p, "z", 1)
    with pytest.raises(StreamError, match="the part is a Int16"):
        update(p, "x", counter(Word8))
    with pytest.raises(StreamError, match="only streams of arrays and structs"):
        update(counter(Word8), 0, 1)
    other = Struct("point", x=Int16)
    spec.trigger("wrong", True, [extern("q", other)])
    with pytest.raises(StreamError, match="two structs are called point"):
        spec.compile_c()
    with pytest.raises(StreamError, match="cannot be a name in the C code"):
        shapes().compile_c(step="for")


def test_updates_at_a_stream_of_indices() -> None:
    a = extern("a", Array(Word8, 3), sample=[[1, 2, 3]])
    i = extern("i", Word8, sample=[0, 1, 2, 200])
    spec = Spec("updates")
    spec.observer("a", update(a, i, lambda old: old + 10))
    table = spec.interpret(4)
    assert [list(row) for row in zip(*(table[f"a[{n}]"] for n in range(3)), strict=True)] == [
        [11, 2, 3], [1, 12, 3], [1, 2, 13], [1, 2, 13],
    ]


def test_prefix_and_step_are_options() -> None:
    program = shapes().compile_c(prefix="unit", step="tick")
    assert "void tick(void);" in program.header and "void unit_reset(void);" in program.header
    assert program.source.startswith('#include "unit.h"') and program.name == "unit"
    with pytest.raises(StreamError, match="unit_reset"):
        shapes().compile_c(prefix="unit", step="unit_reset")


def test_signs_and_powers() -> None:
    x = extern("x", Int8, sample=[-128, 0, 5])
    assert values(signum(x), 3) == [-1, 0, 1]
    assert values(x**2, 3) == [0, 0, 25] and values(x**0, 3) == [1, 1, 1]
    d = extern("d", Double, sample=[-2.0, -0.0, math.nan, 0.25])
    found = values(signum(d), 4)
    assert found[0] == -1 and math.copysign(1, found[1]) == -1 and math.isnan(found[2]) and found[3] == 1
    assert values(2.0**d, 4)[0] == 0.25
    assert values(log_base(2.0, d), 4)[3] == -2
    assert values(pi(Float), 1) == [Float.round(math.pi)]
    with pytest.raises(StreamError, match="the exponent is a constant"):
        _ = x**x


@NEEDS_COMPILER
def test_functions_agree_with_c(tmp_path: Path) -> None:
    corners = [0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 1e200, -1e200, math.inf, -math.inf, math.nan, -2.5]
    x = extern("x", Double, sample=[a for a in corners for _ in corners])
    y = extern("y", Double, sample=[b for _ in corners for b in corners])
    spec = Spec("functions")
    for name, stream in {"pow": x**y, "atan2": atan2(x, y), "acosh": acosh(x), "atanh": atanh(x)}.items():
        spec.observer(f"o_{name}", stream)
    steps = len(corners) ** 2
    assert_same(spec.interpret(steps), sanitized(spec, steps, None, tmp_path))


def test_labels_are_comments_and_names() -> None:
    n = counter(Word8)
    spec = Spec("labels")
    spec.observer("o", label("twice */ the count", n * 2))
    spec.prop("small", label("is small", n < 3))
    assert "/* twice __ the count */" in spec.compile_c().source
    run = spec.prove("small", engine="bmc")["small"].run
    assert run is not None and run["is small"] == [True, True, True, False]


def test_folds_and_scans() -> None:
    s = cases.cycle([1, 2, 3, 4], Word16)
    minus: Callable[[Any, Any], Any] = lambda x, y: x - y  # noqa: E731
    assert values(folds.total(3, s), 3) == [6, 9, 8]
    assert values(folds.fold_left(3, minus, constant(100, Word16), s), 1) == [94]
    assert values(folds.fold_right(3, minus, constant(1, Word16), s), 1) == [1 - (2 - (3 - 1))]
    assert values(folds.fold_right1(3, minus, s), 1) == [1 - (2 - 3)]
    assert [values(one, 1)[0] for one in folds.scan_left(2, minus, constant(9, Word16), s)] == [9, 8, 6]
    assert [values(one, 1)[0] for one in folds.scan_right1(3, minus, s)] == [2, 65535, 3]
    assert [values(one, 1)[0] for one in folds.scan_left1(3, lambda x, y: x + y, s)] == [1, 3, 6]
    assert [values(one, 1)[0] for one in folds.scan_right(2, lambda x, y: x + y, constant(5, Word16), s)] == [
        8, 7, 5,
    ]
    assert values(folds.over(lambda x, y: x + y, [s, s, s]), 2) == [3, 6]
    with pytest.raises(StreamError, match="reaches beyond a buffer"):
        folds.total(5, s)


def test_cases_and_bits() -> None:
    n = counter(Word8)
    assert values(cases.case([n == 1, n > 2], [n + 10, 5, 9]), 4) == [9, 11, 9, 5]
    assert values(cases.select([n, n + 1, n + 2], n), 5) == [0, 2, 4, 5, 6]
    with pytest.raises(StreamError, match="2 conditions need 3 alternatives"):
        cases.case([n == 1, n == 2], [n, n])
    w = extern("w", Word8, sample=[0b1000_0001, 0, 255])
    assert values(bits.pop_count(w), 3) == [2, 0, 8]
    assert values(bits.rotate_left(w, 1), 3) == [3, 0, 255]
    assert values(bits.rotate_right(w, 9), 1) == [0b1100_0000]
    assert values(bits.from_bits(bits.to_bits(w)[::-1], Word8), 3) == [0b1000_0001, 0, 255]
    assert values(bits.clear_bit(bits.set_bit(w, 1), 0), 1) == [0b1000_0010]
    assert values(bits.test_bit(w, n), 3) == [True, False, True]
    with pytest.raises(StreamError, match="has no bit 8"):
        bits.set_bit(w, 8)


def test_tables_as_csv_and_pictures() -> None:
    table = shapes().interpret(3)
    rows = list(csv.DictReader(io.StringIO(table.csv())))
    assert len(rows) == 3 and rows[1]["p.y[1][0]"] == "7" and rows[0]["seen(0).y[1][1]"] == "4"
    assert [row["other()"] for row in rows] == ["false", "true", "false"] and rows[0]["seen#2(0).x"] == "9"
    picture = ET.fromstring(table.svg())
    texts = ["".join(found.itertext()) for found in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "p.x" in texts and "seen#2()" in texts and table._repr_svg_() == table.svg()
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}path"))) == 2 + 2 + 1


def test_pictures_of_what_is_not_finite() -> None:
    spec = Spec("odd")
    spec.observer("d", extern("d", Double, sample=[math.nan, 1.0, math.inf, -1e308, 1e308]))
    spec.observer("b", extern("b", Bool, sample=[True, False]))
    picture = ET.fromstring(spec.interpret(200).svg())
    assert "nan" not in "".join(p.get("points", "") for p in picture.iter())
