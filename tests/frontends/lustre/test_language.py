"""Lustre: what programs mean, by the interpreter, by the translation, and both together."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from revet.api import check
from revet.errors import InputError, Unsupported
from revet.frontends import load
from revet.frontends.lustre import read
from revet.frontends.lustre.interpret import run
from revet.logic.evaluate import Evaluator
from revet.logic.values import default_value
from revet.model.system import TransitionSystem


def written(folder: Path, text: str) -> Path:
    path = folder / "test.lus"
    path.write_text(text)
    return path


def streams(folder: Path, text: str, *inputs: dict[str, object]) -> list[dict[str, object]]:
    return run(read(written(folder, text), "n"), inputs)


def column(rows: list[dict[str, object]], name: str) -> list[object]:
    return [row[name] for row in rows]


def test_fibonacci(tmp_path: Path) -> None:
    text = "node n() returns (f: int); let f = 1 -> pre (f + (0 -> pre f)); tel"
    assert column(streams(tmp_path, text, *[{}] * 7), "f") == [1, 1, 2, 3, 5, 8, 13]


def test_node_calls_tuples_and_arrow(tmp_path: Path) -> None:
    text = """
    node minmax(a, b: int) returns (lo, hi: int);
    let lo, hi = if a < b then (a, b) else (b, a); tel
    node n(x: int) returns (range: int);
    var lo, hi, l, h: int;
    let
      (l, h) = minmax(x, lo -> pre lo);  -- only l is used
      lo = x -> (if x < pre lo then x else pre lo);
      hi = x -> (if x > pre hi then x else pre hi);
      range = hi - lo;
    tel
    """
    rows = streams(tmp_path, text, {"x": 3}, {"x": 7}, {"x": -1})
    assert column(rows, "range") == [0, 4, 8]
    assert column(rows, "l") == [3, 3, -1]


def test_operators(tmp_path: Path) -> None:
    text = """
    type colour = enum { red, green };
    const ten = 10;
    node n(x: int; y: real; c: colour) returns (d, m: int; z: real; g, one: bool; w: uint8);
    let
      d = x div 3; m = x mod 3; z = y / 2.0 + real(ten);
      g = c = green; one = #(x > 0, x > 1, x > 2); w = uint8(x) + uint8(255);
    tel
    """
    rows = streams(
        tmp_path, text, {"x": -7, "y": Fraction(1, 2), "c": 1}, {"x": 2, "y": Fraction(4), "c": 0}
    )
    assert column(rows, "d") == [-3, 0] and column(rows, "m") == [2, 2]
    assert column(rows, "z") == [Fraction(41, 4), Fraction(12)]
    assert column(rows, "g") == [True, False] and column(rows, "one") == [True, False]
    assert column(rows, "w") == [248, 1]


BAD = {
    "node n() returns (x: int); let x = y; tel": "y is not declared",
    "node n() returns (x: int); let x = true; tel": "x is a int, but its definition is a bool",
    "node n() returns (x: int); let x, x = (1, 2); tel": "x is defined twice",
    "node n(x: int) returns (y: int); let y = x + 1.0; tel": "'+' of a int and a real",
    "node n(x: real) returns (y: real); let y = x div 2.0; tel": "'div' takes integers, this is a real",
    "node n() returns (x: int); let x = n(); tel": "calls itself",
    "node n() returns (x: int); let x = f(1); tel": "there is no node f",
    "node n() returns (x: int); let x = 1 tel": "expected ';'",
    "node n() returns (x: int) let x = $; tel": "unexpected character '$'",
    "": "there is nothing in this file",
}


@pytest.mark.parametrize("text", BAD)
def test_errors_say_what_and_where(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"test\.lus:1:\d+: ") as caught:
        read(written(tmp_path, text))
    assert BAD[text] in str(caught.value)


def test_a_causality_loop_names_its_streams(tmp_path: Path) -> None:
    text = "node n() returns (x: int); var y: int; let x = y + 1; y = x; --%PROPERTY x > 0;\ntel"
    with pytest.raises(InputError, match="x -> y -> x"):
        load([written(tmp_path, text)])


def test_unsupported_constructs_are_named(tmp_path: Path) -> None:
    text = "node n(c: bool; x: int) returns (y: int); let y = x when c; tel"
    with pytest.raises(Unsupported, match="'when' is supported inside 'merge' only"):
        read(written(tmp_path, text))


@pytest.mark.parametrize("text", ["const c = 1;", "node n() returns (x: int); let x = 1; tel"])
def test_a_file_without_property_is_safe_and_says_so(tmp_path: Path, text: str) -> None:
    program = load([written(tmp_path, text)])
    assert program.assumptions == ("there is no property to check",)
    assert check(program, engine="kind", timeout=60).status == "safe"


def _random_expression(rng: random.Random, kind: str, depth: int, names: dict[str, list[str]]) -> str:
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.7:
            return rng.choice(names[kind])
        return rng.choice(["true", "false"]) if kind == "bool" else str(rng.randrange(4))

    def sub(wanted: str) -> str:
        return _random_expression(rng, wanted, depth - 1, names)

    choices = [f"({sub(kind)} -> {sub(kind)})", f"pre ({sub(kind)})",
               f"(if {sub('bool')} then {sub(kind)} else {sub(kind)})"]
    if kind == "bool":
        choices += [f"({sub('bool')} {op} {sub('bool')})" for op in ("and", "or", "xor", "=>", "=")]
        choices += [f"({sub('int')} {op} {sub('int')})" for op in ("<", "<=", "=", "<>", ">=")]
        choices += [f"not {sub('bool')}", f"sub_node({sub('bool')}, {sub('int')})"]
    else:
        choices += [f"({sub('int')} {op} {sub('int')})" for op in ("+", "-", "*", "mod", "div")]
    return rng.choice(choices)


def _random_program(rng: random.Random) -> str:
    names = {"bool": ["p", "u"], "int": ["x", "v"]}
    u, v = (f"pre ({_random_expression(rng, kind, 3, names)})" for kind in ("bool", "int"))
    return f"""
    node sub_node(a: bool; n: int) returns (r: bool);
    let r = a -> (pre a xor n > pre n); tel
    node main(p: bool; x: int) returns (ok: bool);
    var u: bool; v: int;
    let
      u = {u}; v = {v};
      ok = {_random_expression(rng, "bool", 3, names)};
      --%PROPERTY ok;
    tel
    """


@pytest.mark.parametrize("seed", range(60))
def test_translation_agrees_with_the_interpreter(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = written(tmp_path, _random_program(rng))
    system = load([path], {"node": "main"}).model
    assert isinstance(system, TransitionSystem)
    inputs = [{"p": rng.random() < 0.5, "x": rng.randrange(-3, 4)} for _ in range(8)]
    expected = column(run(read(path, "main"), inputs), "ok")
    state = {v: default_value(v.sort) for v in system.variables}
    state = {v: True if v.name == "first" else value for v, value in state.items()}
    seen = []
    for row in inputs:
        drawn = {variable: row.get(variable.name, default_value(variable.sort)) for variable in system.inputs}
        evaluate = Evaluator({**state, **drawn})
        state = {v: evaluate(system.step.after(v)) for v in system.variables}
        seen.append(state[system.properties["ok"]])
    assert seen == expected


@pytest.mark.parametrize(
    "definition, cells",
    [
        ("if i = 0 and j = 0 then x else if j = 0 then a[i-1][j] + 10 else a[i][j-1] + 1",
         [[5, 6], [15, 16], [25, 26]]),
        ("if i = 0 and j = 0 then x else if j = 0 then a[i-1][1] + 1 else a[i][j-1] + 1",
         [[5, 6], [7, 8], [9, 10]]),
        ("if i = 2 and j = 1 then x else if i = 2 then a[i][j+1] + 1 else a[i+1][j] + 10",
         [[26, 25], [16, 15], [6, 5]]),
        ("if j = 1 then x + i else if i = 0 then a[2][1] else a[i-1][1-j]",
         [[7, 5], [5, 6], [6, 7]]),
    ],
)  # fmt: skip
def test_an_element_may_depend_on_its_own_row_and_on_others(
    tmp_path: Path, definition: str, cells: list[list[int]]
) -> None:
    text = f"node n(x: int) returns (a: int^2^3); let a[i][j] = {definition};\n"
    rows = streams(tmp_path, text + "tel", {"x": 5})
    assert column(rows, "a") == [tuple(map(tuple, cells))]
    same = " and ".join(f"a[{i}][{j}] = {cells[i][j]}" for i in range(3) for j in range(2))
    path = written(tmp_path, text + f'check "same" x = 5 => {same}; check "other" x <> 5; tel')
    assert [check(path, timeout=60, property=name).status for name in ("same", "other")] == ["safe", "unsafe"]
